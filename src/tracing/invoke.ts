import { beginCall } from './begin-call.ts';
import { endCall, failCall } from './end-call.ts';
import type { Frame } from './frame.ts';
import { observe } from './observe.ts';
import { nameForPeople, type OpSpec } from './op-spec.ts';
import { registry } from './registry.ts';
import { activeTracer, reportProblem, type Tracer } from './tracer.ts';

/** Calls the function of `spec` as the user does, and records the call when recording is on. */
export function invoke(spec: OpSpec, self: unknown, args: unknown[]): unknown {
  const tracer = activeTracer();
  if (tracer === undefined) return Reflect.apply(spec.fn, self, args);
  const outer = registry.context.getStore();
  const frame = tryBegin(tracer, outer, spec, self, args);
  if (frame === undefined) return Reflect.apply(spec.fn, self, args);
  const { call } = frame;
  if (call === undefined) return registry.context.run(frame, Reflect.apply, spec.fn, self, args);
  let result: unknown;
  try {
    result = registry.context.run(frame, Reflect.apply, spec.fn, self, args);
  } catch (error) {
    failCall(call, error);
    throw error;
  }
  return observe(call, spec.options, result, spec.isAsync);
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
  if (outer?.scope?.isRecording === false) return undefined;
  try {
    return beginCall(tracer, outer, spec, self, args);
  } catch (error) {
    reportProblem('begin_call', `Cannot record a call of "${nameForPeople(spec)}"`, error, tracer);
    return undefined;
  }
}
