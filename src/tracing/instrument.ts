/**
 * An integration's tools, on one page: no other file of `tracing` is imported by `integrations` and `register`. None of
 * these throws when recording fails: the problem is reported, and the captured library goes on as without us.
 *
 * @example
 * // Records `client.ask(question)` of a library, below the call that runs; what the library calls hangs below that.
 * coverMethod(client, 'ask', (original) =>
 *   function (this: unknown, ...args) {
 *     const frame = beginOwnCall('oracle.ask', { question: args[0] }, OPTIONS);
 *     const run = () => Reflect.apply(original, this, args) as unknown;
 *     if (frame === undefined) return run();
 *     const { call } = frame;
 *     if (call === undefined) return registry.context.run(frame, run);
 *     try {
 *       return observe(call, OPTIONS, registry.context.run(frame, run), false);
 *     } catch (error) {
 *       failCall(call, error);
 *       throw error;
 *     }
 *   },
 * );
 */

// A call: begin it below what runs, end or fail it, tell its tokens under the model that used them.
export { beginOwnCall } from './wrap/trace.ts';
export { captureOutput, endCall, failCall, recordUsage } from './record/end-call.ts';
export { type ForeignParent, RecordedCall, type StreamEndReason } from './record/recorded-call.ts';
export type { ModelUsage, UsageSum } from './record/usage.ts';
export type { CallKind, UntypedOptions } from './wrap/op-spec.ts';

// Options of such calls, checked as those of `traced` are, and asked without a risk for the program.
export { askOption } from './record/ask-option.ts';
export { checkOptions, type Rules } from './wrap/check-options.ts';
export { BOOLEAN, CALL, FUNCTION, MEMBERS, OFF_OR_FUNCTION, OP_NAME, TEXT } from './wrap/option-rules.ts';
export type { CallOptions } from './wrap/op-spec.ts';

// What runs: `registry.context.run(frame, fn)` runs inside a call, `currentFrame` tells what is around.
export { registry } from './propagation/registry.ts';
export { currentFrame } from './propagation/outermost.ts';
export type { CallCatcher, Frame, Scope } from './propagation/frame.ts';

// A result, observed in place: promise, generator, stream, response. The program gets the one that the library made.
export { observe } from './observe/observe.ts';
export { isPlainPromise, observePromise } from './observe/observe-promise.ts';
export { coverSteps } from './observe/observe-generator.ts';
export { canWatch, watchWebStream } from './observe/observe-web-stream.ts';
export { type ChunkSink, StreamRecording } from './observe/stream-recording.ts';
export { type Watch, whenForgotten } from './observe/abandoned.ts';

// A method of a library: put one that records over it, which cannot be told from it.
export { below, cover, coverMethod } from './observe/cover.ts';
export { disguise } from './wrap/wrap.ts';

// What is captured, for `stats()`, and what went wrong, for `onError`.
export { type CapturedLibrary, type CaptureHook, captures, noteCapture } from './captures.ts';
export { reportOfLibrary, reportProblem } from './record/tracer.ts';

// The other side of a connection: what it is told of the running call, and what it has told.
export { extract, inject } from './propagation/carrier.ts';
export { hostMatcher } from './propagation/propagated-hosts.ts';

// Records that are made elsewhere, as spans are: the parts of which a call is made.
export { activeTracer, type Peers } from './record/tracer.ts';
export { admitRoot, NO_SCOPE, startAttributes } from './record/begin-call.ts';
export { captureMembers, captureText, maskOf } from './capture/capture-call.ts';
export { createCallId } from './record/call-id.ts';
export { clock } from './record/clock.ts';
export { processAttributes } from './record/process-attributes.ts';
export { addStateMember } from './propagation/trace-context.ts';
export type { CallSpan, SpanBridge } from './propagation/span-bridge.ts';
export { describe } from './wrap/check-options.ts';
export { callNameOf } from './wrap/trace.ts';

// The program itself, which `register` records: its functions, and the requests that its servers take.
export { tracedSpec, wrap } from './wrap/wrap.ts';
export type { WrapPlace } from './wrap/wrap-place.ts';
export { decorateProperty } from './wrap/decorator.ts';
export { isClass } from './source/parameter-names.ts';
export { tokensFrom } from './source/source-tokens.ts';
export { frameIncomingRequests, type Incoming } from './propagation/incoming-http.ts';
export { watchUserAgents } from './propagation/outgoing-undici.ts';
export { OWN_HEADER } from './propagation/outgoing-fields.ts';
