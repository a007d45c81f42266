import { toObjectId } from '../../protocol/values/id.ts';
import { DEFAULT_LIMITS } from '../../protocol/limits.ts';
import { REF_SCHEME } from '../../protocol/ref.ts';
import { beginNamedCall } from '../record/begin-call.ts';
import { maskOf } from '../capture/capture-call.ts';
import { type CallHandle, handleOf, INERT, type StartedCall, startedHandle } from './call-handle.ts';
import { failCall } from '../record/end-call.ts';
import type { Frame } from '../propagation/frame.ts';
import { observe } from '../observe/observe.ts';
import type { CallOptions, UntypedOptions } from './op-spec.ts';
import { currentFrame } from '../propagation/outermost.ts';
import { registry } from '../propagation/registry.ts';
import { notCallable, START, TRACE } from './option-rules.ts';
import { describe, type Rules, usableOptions } from './check-options.ts';
import { activeTracer, reportProblem, type Tracer } from '../record/tracer.ts';

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
  options: TraceOptions<Awaited<Result>> = NO_OPTIONS,
): Result {
  if (typeof fn !== 'function') throw notCallable(fn, `trace ${describe(name)}`, 'second');
  const { inputs, ...rest } = usable('trace', name, options, TRACE);
  const callOptions = rest as UntypedOptions;
  const frame = beginOwnCall(name, inputs, callOptions);
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
  options: StartOptions = NO_OPTIONS,
): StartedCall {
  const callOptions = usable('startCall', name, options, START) as UntypedOptions;
  const frame = beginOwnCall(name, inputs, callOptions);
  if (frame === undefined) return INERT;
  const { call } = frame;
  // What runs in a call that was not sampled is not sampled either.
  if (call === undefined) return { ...INERT, run: (fn) => registry.context.run(frame, fn) };
  return startedHandle(call, callOptions);
}

const LONGEST = DEFAULT_LIMITS.op_name_characters;
const NO_OPTIONS = Object.freeze({});

/** Of options that are not as wanted those that are: a call is recorded, or at least runs, whatever they say. */
function usable<Options extends object>(what: string, name: string, options: Options, rules: Rules<Options>): Options {
  if (options === NO_OPTIONS) return options;
  // All of them can be left out, and where nothing is recorded nobody looks at those of the user.
  if (activeTracer() === undefined) return NO_OPTIONS as Options;
  return usableOptions(what, options, rules, (problem) => {
    reportProblem('call_options', `Cannot record all of a call of ${describe(name)}`, problem);
  });
}

/** Begins a call that has no function, below what runs. Never throws. `undefined`: nothing is recorded here. */
export function beginOwnCall(name: string, inputs: unknown, options: UntypedOptions): Frame | undefined {
  const tracer = activeTracer();
  const outer = currentFrame();
  if (tracer === undefined || outer?.scope?.isRecording === false) return undefined;
  try {
    const opName = callNameOf(maskOf(tracer, outer?.scope).text(textOf(name, tracer)));
    return beginNamedCall(tracer, outer, opName, inputs, options);
  } catch (error) {
    reportProblem('begin_call', `Cannot record a call of ${describe(name)}`, error, tracer);
    return undefined;
  }
}

/** A call that nobody can name is still recorded. */
function textOf(name: unknown, tracer: Tracer): string {
  const wanted = `want a text of 1 to ${LONGEST} characters`;
  if (typeof name !== 'string' || name === '' || (name.length > LONGEST && cut(name) !== name))
    reportProblem('op_name', `Cannot name a call ${describe(name)}`, wanted, tracer);
  return String(name);
}

/** Any text can name a call; only a reference in that place has to be a real one. */
export function callNameOf(name: string): string {
  const text = name.startsWith(REF_SCHEME) ? toObjectId(name) : name;
  return text.length <= LONGEST ? text || 'anonymous' : cut(text);
}

function cut(text: string): string {
  // A character takes at most two units, so there is no need to look at all of a long text.
  return Array.from(text.slice(0, 2 * LONGEST))
    .slice(0, LONGEST)
    .join('');
}
