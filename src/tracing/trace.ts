import { toObjectId } from '../protocol/id.ts';
import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import { REF_SCHEME } from '../protocol/ref.ts';
import { beginNamedCall } from './begin-call.ts';
import { maskOf } from './capture-call.ts';
import { type CallHandle, handleOf, INERT, type StartedCall, startedHandle } from './call-handle.ts';
import { failCall } from './end-call.ts';
import type { Frame } from './frame.ts';
import { observe } from './observe.ts';
import type { CallOptions, UntypedOptions } from './op-spec.ts';
import { currentFrame } from './outermost.ts';
import { registry } from './registry.ts';
import { activeTracer, reportProblem } from './tracer.ts';

export interface StartOptions<Output = never> extends CallOptions<Output> {
  readonly displayName?: string;
}

export interface TraceOptions<Output = never> extends StartOptions<Output> {
  readonly inputs?: Readonly<Record<string, unknown>>;
}

/**
 * Runs `fn` as a call and returns what it returns.
 *
 * @example
 * const answer = await trace('answer', async (call) => {
 *   call.set({ language: 'en' });
 *   return think();
 * });
 */
export function trace<Result>(
  name: string,
  fn: (call: CallHandle) => Result,
  options: TraceOptions<Awaited<Result>> = {},
): Result {
  if (typeof fn !== 'function') {
    throw new TypeError(`Cannot trace "${name}": the second argument is not a function (options come third)`);
  }
  const { inputs, ...rest } = options;
  const callOptions = rest as UntypedOptions;
  const frame = tryBegin(name, inputs, callOptions);
  if (frame === undefined) return fn(INERT);
  const { call } = frame;
  if (call === undefined) return registry.context.run(frame, fn, INERT);
  let result: Result;
  try {
    result = registry.context.run(frame, fn, handleOf(call));
  } catch (error) {
    failCall(call, error);
    throw error;
  }
  // What is observed keeps its type: it is the result, or a promise derived from it.
  return observe(call, callOptions, result, false) as Result;
}

/**
 * Starts a call that is ended by hand. What is called in between does not know of it, unless it is called in `run`.
 *
 * @example
 * using call = startCall('import', { file });
 * call.run(() => importFile(file));
 */
export function startCall(
  name: string,
  inputs?: Readonly<Record<string, unknown>>,
  options: StartOptions = {},
): StartedCall {
  const callOptions = options as UntypedOptions;
  const call = tryBegin(name, inputs, callOptions)?.call;
  return call === undefined ? INERT : startedHandle(call, callOptions);
}

/** `undefined`: nothing is recorded here. */
function tryBegin(name: string, inputs: unknown, options: UntypedOptions): Frame | undefined {
  const tracer = activeTracer();
  const outer = currentFrame();
  if (tracer === undefined || outer?.scope?.isRecording === false) return undefined;
  try {
    const opName = opNameOf(maskOf(tracer, outer?.scope).text(name));
    return beginNamedCall(tracer, outer, opName, inputs, options);
  } catch (error) {
    reportProblem('begin_call', `Cannot record a call of "${name}"`, error, tracer);
    return undefined;
  }
}

/** Any text can name a call; only a reference in that place has to be a real one. */
function opNameOf(name: string): string {
  const text = name.startsWith(REF_SCHEME) ? toObjectId(name) : name;
  return text.length <= DEFAULT_LIMITS.op_name_characters ? text || 'anonymous' : cut(text);
}

function cut(text: string): string {
  const limit = DEFAULT_LIMITS.op_name_characters;
  // A character takes at most two units, so there is no need to look at all of a long text.
  return Array.from(text.slice(0, 2 * limit))
    .slice(0, limit)
    .join('');
}
