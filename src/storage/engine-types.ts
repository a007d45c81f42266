/** All types of the contract, for engines outside this package. */
export type * from './contract/calls.ts';
export type * from './contract/capabilities.ts';
export type * from './contract/costs.ts';
export type * from './contract/feedback.ts';
export type * from './contract/files.ts';
export type * from './contract/json-text.ts';
export type * from './contract/objects.ts';
export type * from './contract/overviews.ts';
export type * from './contract/plan.ts';
export type * from './contract/reads.ts';
export type * from './contract/retention.ts';
export type * from './contract/storage.ts';
export type * from './contract/tables.ts';
export type * from './contract/threads.ts';
export type * from './contract/trace-columns.ts';
export type * from './contract/upkeep.ts';
export type * from './contract/views.ts';
