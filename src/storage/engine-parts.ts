/** Parts of which an engine outside this package may be made: refusals, and plans carried out on records in memory. */
export { type ErrorCode, TracingError, type TracingErrorOptions } from '../protocol/error.ts';
export { NumberToken } from '../protocol/values/canonical-json.ts';
export { NAMED_PARENT, NO_PARENT, TRACE_STATUSES } from './contract/trace-columns.ts';
export {
  type CallRecord,
  emptyRecord,
  isVisible,
  storedCall,
  type VisibleCall,
  withDescendants,
  withFact,
  withName,
} from './values/call-record.ts';
export { deriveWhole } from './values/derived-tables.ts';
export { deletedVersion, isThere, makeLatest, versionNamed } from './values/object-versions.ts';
export {
  byAge,
  chunksOf,
  pageOf,
  pageOfFeedback,
  pageOfObjects,
  pageOfRows,
  pageOfThreads,
  selectFeedback,
} from './values/pages.ts';
export { type FeedbackOn, selectCalls, sortCalls } from './values/select-calls.ts';
export { TOKEN_KINDS } from './values/overviews/call-usage.ts';
export { overviewsOf } from './values/overviews/read-overviews.ts';
