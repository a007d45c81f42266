export type { NumberToken } from '../protocol/values/canonical-json.ts';
export type * from '../storage/engine-types.ts';
export { type CallUnderTest, instrumentConformance, type IntegrationUnderTest } from './instrument/conformance.ts';
export { storageConformance, type StorageUnderTest, type TestRunner } from './storage/conformance.ts';
export {
  assertCall,
  assertCallOrder,
  assertCallTimes,
  assertNoErrors,
  assertTree,
  assertUsage,
  assertWithin,
  findCalls,
  traceMatchers,
  type CallName,
  type ExpectedTraceCall,
  type TraceBudget,
  type TraceLike,
  type TraceMatchers,
} from './traces/matchers.ts';
export { toTrace, type Trace, type TraceCall, type TraceStream, type TraceUsage } from './traces/trace.ts';
export {
  startTraceServer,
  type TraceServer,
  type TraceServerOptions,
  type TraceServerTarget,
} from './traces/trace-server.ts';
export {
  transparencyConformance,
  type Decorator,
  type MaskUnderTest,
  type MethodContext,
  type RecordedCall,
  type RecordingTarget,
  type TransparencyRunner,
  type TransparencySubject,
  type Wrap,
  type Wrappable,
  type WrapOptions,
} from './transparency/conformance.ts';
