import { beginCall } from '../record/begin-call.ts';
import { endCall, failCall } from '../record/end-call.ts';
import type { Frame } from '../propagation/frame.ts';
import { observe } from '../observe/observe.ts';
import { nameForPeople, type OpSpec } from './op-spec.ts';
import { outermostFrame } from '../propagation/outermost.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { registry } from '../propagation/registry.ts';
import { activeTracer, reportProblem, type Tracer } from '../record/tracer.ts';

/** A call under way, and the frame to go back to. The context is set rather than run, which takes less of the stack. */
interface Entered {
  readonly call: RecordedCall | undefined;
  readonly outer: Frame | undefined;
}

/** Begins a call of the function of `spec`; `undefined` when nothing is recorded, so that it runs as if it were not traced. */
export function enter(spec: OpSpec, self: unknown, args: unknown[]): Entered | undefined {
  const tracer = activeTracer();
  if (tracer === undefined) return undefined;
  const outer = registry.context.getStore();
  const frame = tryBegin(tracer, outer, spec, self, args);
  if (frame === undefined) return undefined;
  registry.context.enterWith(frame);
  return { call: frame.call, outer };
}

/** The result of a function that was entered, as the user gets it. */
export function leave({ call, outer }: Entered, spec: OpSpec, result: unknown): unknown {
  goBackTo(outer);
  return call === undefined ? result : observe(call, spec.options, result, spec.isAsync);
}

/** Answers the same error, to be thrown on. */
export function leaveFailed({ call, outer }: Entered, error: unknown): unknown {
  try {
    goBackTo(outer);
  } finally {
    if (call !== undefined) failCall(call, error);
  }
  return error;
}

/** `AsyncLocalStorage.run` does the same; the types do not know that there may be nothing to go back to. */
function goBackTo(outer: Frame | undefined): void {
  registry.context.enterWith(outer as Frame);
}

/** The same for `new`: an instance is the output. */
export function construct(spec: OpSpec, args: unknown[], newTarget: Function): object {
  const tracer = activeTracer();
  const outer = registry.context.getStore();
  const frame = tracer === undefined ? undefined : tryBegin(tracer, outer, spec, undefined, args);
  if (frame === undefined) return Reflect.construct(spec.fn, args, newTarget) as object;
  try {
    const instance = registry.context.run(frame, Reflect.construct, spec.fn, args, newTarget) as object;
    if (frame.call !== undefined) endCall(frame.call, CONSTRUCTED, undefined);
    return instance;
  } catch (error) {
    if (frame.call !== undefined) failCall(frame.call, error);
    throw error;
  }
}

/** An instance is alive from here on; what it is made of is told by the calls of its methods. */
const CONSTRUCTED = { output: false } as const;

/** `undefined`: nothing of this call is recorded, so it runs as if it were not traced. */
function tryBegin(
  tracer: Tracer,
  outer: Frame | undefined,
  spec: OpSpec,
  self: unknown,
  args: unknown[],
): Frame | undefined {
  const frame = outer ?? outermostFrame();
  if (frame?.scope?.isRecording === false) return undefined;
  try {
    return beginCall(tracer, frame, spec, self, args);
  } catch (error) {
    reportProblem('begin_call', `Cannot record a call of "${nameForPeople(spec)}"`, error, tracer);
    return undefined;
  }
}
