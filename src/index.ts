import { installDefaultClient } from './client/default-client.ts';

export type { Client, FlushOptions, FlushResult, Stats } from './client/client.ts';
export { flush, init, shutdown, stats } from './client/default-client.ts';
export type { InitOptions, Problem } from './client/options.ts';
export { Dataset, type DatasetOptions } from './objects/dataset.ts';
export { get } from './objects/get.ts';
export { ObjectRef } from './objects/object-ref.ts';
export {
  MessagesPrompt,
  type MessagesPromptOptions,
  StringPrompt,
  type StringPromptOptions,
} from './objects/prompt.ts';
export { publish } from './objects/publish.ts';
export type { StoredFile } from './objects/stored-file.ts';
export { type Carrier, extract, inject, type InjectOptions } from './tracing/propagation/carrier.ts';
export type { CallHandle, StartedCall } from './tracing/wrap/call-handle.ts';
export type { CapturedLibrary, CaptureHook } from './tracing/captures.ts';
export { type ContextOptions, current, withContext, withThread } from './tracing/propagation/context.ts';
export { previewMask } from './tracing/record/preview-mask.ts';
export { type StartOptions, startCall, trace, type TraceOptions } from './tracing/wrap/trace.ts';
export type { CallKind, TracedOptions } from './tracing/wrap/op-spec.ts';
export { type Traced, traced } from './tracing/wrap/traced.ts';

// A traced call must start recording without `init()`: this is the package's one side effect.
installDefaultClient();
