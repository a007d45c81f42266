import { installDefaultClient } from './client/default-client.ts';

export { instrumentFunction, instrumentMethod } from './integrations/api/instrument-method.ts';
export type { InstrumentOptions } from './integrations/api/instrument-options.ts';
export { type CapturedLibrary, type CaptureHook, noteCapture } from './tracing/captures.ts';
export type { Sample, SampleCandidate } from './tracing/record/sampler.ts';
export type { ModelUsage, TokenUsage } from './tracing/record/usage.ts';
export type { CallHandle, StartedCall } from './tracing/wrap/call-handle.ts';
export type { CallKind, CallOptions } from './tracing/wrap/op-spec.ts';
export { type StartOptions, startCall } from './tracing/wrap/trace.ts';

// What an integration records is recorded without `init()`, also where nothing else of the package is imported.
installDefaultClient();
