export type { CallsApi, NewCallEnd, NewCallStart, NewBatchItem, InProject } from './calls.ts';
export { type Cost, costOf, costOfTrace } from './call-cost.ts';
export type { CallEnding, Cause, Ends, ObjectChange, VersionChange } from './compare/cause.ts';
export { compareCalls, type CompareOptions } from './compare/compare-calls.ts';
export { type ComparedTrace, compareTraces, previousTrace } from './compare/compare-traces.ts';
export type {
  CallNumbers,
  ComparedCall,
  ComparedSide,
  Comparison,
  DifferenceCounts,
  Origin,
  TimeChange,
} from './compare/comparison.ts';
export type { ValueChange } from './compare/value-changes.ts';
export { createReader, type Reader, type ReaderOptions } from './create-reader.ts';
export type { CostsApi } from './costs.ts';
export { allOf, anyOf, feedback, field, literal, Operand } from './expression.ts';
export type { CallField, Literal, SearchOptions } from './expression.ts';
export type { FeedbackApi } from './feedback.ts';
export type { FilesApi, NewFile } from './files.ts';
export type { NewObject, ObjectsApi } from './objects.ts';
export type { ExportOptions, OtelApi } from './otel.ts';
export type { CallChange, ChangesOptions } from './changes.ts';
export type { PageApi, SessionApi, ViewsApi } from './page.ts';
export type { PagesOptions } from './pages.ts';
export type { JsonCodec, RequestOptions } from './request.ts';
export type { RefsApi } from './refs.ts';
export type { ServiceApi } from './service-info.ts';
export type { NewTable, TablesApi } from './tables.ts';
export type { ThreadsApi } from './threads.ts';
export type { Call } from '../protocol/call.ts';
export { TracingError } from '../protocol/error.ts';
