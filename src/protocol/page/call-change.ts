import { type Static, Type } from '@sinclair/typebox';
import { OrNull } from '../schema.ts';
import { CallRow } from './call-row.ts';

/** Where a reader is. */
export const ChangesPlace = Type.Object({ cursor: Type.String() });
export type ChangesPlace = Static<typeof ChangesPlace>;

/** Changes that a reader who was away or too slow did not get; null: nobody knows how many. */
export const MissedChanges = Type.Object({ count: OrNull(Type.Integer()) });
export type MissedChanges = Static<typeof MissedChanges>;

/** Calls that are there no more. */
export const GoneCalls = Type.Object({ ids: Type.Array(Type.String()) });
export type GoneCalls = Static<typeof GoneCalls>;

/** Calls that got feedback, or lost it. */
export const FeedbackChanges = Type.Object({ ids: Type.Array(Type.String()) });
export type FeedbackChanges = Static<typeof FeedbackChanges>;

/** One event of the stream of changes, as its `data` says it. */
export const CallChange = Type.Union([ChangesPlace, CallRow, MissedChanges, GoneCalls, FeedbackChanges]);
export type CallChange = Static<typeof CallChange>;
