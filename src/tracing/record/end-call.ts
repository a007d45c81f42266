import { types } from 'node:util';
import { DEFAULT_LIMITS } from '../../protocol/limits.ts';
import { opNameOf } from '../../protocol/ref.ts';
import { askOption } from './ask-option.ts';
import { exceptionText } from '../capture/capture-error.ts';
import { capture, type Captured } from '../capture/capture.ts';
import { captureText, maskOf, NOTHING } from '../capture/capture-call.ts';
import type { UntypedOptions } from '../wrap/op-spec.ts';
import type { RecordedCall } from './recorded-call.ts';
import { reportProblem } from './tracer.ts';
import { MASKED } from '../mask/mask.ts';
import { UNREADABLE } from '../capture/thrown.ts';

/**
 * Ends a call that returned, which may be with a result that tells of a failure. `ready` is the copy of an output that
 * was copied piece by piece. Never throws.
 */
export function endCall(call: RecordedCall, options: UntypedOptions, output: unknown, ready?: Captured): void {
  try {
    if (call.hasEnded) return;
    if (options.usage !== undefined) takeUsage(call, options.usage, output);
    const failure = options.failure && failureIn(call, options.failure, output);
    const exception = failure && exceptionOf(call, failure);
    call.writeEnd(captureOutput(call, options, output, ready), exception);
  } catch (error) {
    reportProblem('end_call', `Cannot record the end of "${opNameOf(call.opName)}"`, error, call.tracer);
    endAnyway(call, undefined);
  }
}

/** Ends a call that threw or rejected; `output` is what it had yielded until then. Never throws. */
export function failCall(call: RecordedCall, error: unknown, output: Captured = NOTHING): void {
  try {
    if (isStackFull(error)) postponed.push({ call, error });
    else if (!call.hasEnded) call.writeEnd(output, exceptionOf(call, error));
    if (postponed.length > 0 && hasRoom(LEVELS_NEEDED)) failPostponed();
  } catch (problem) {
    reportProblem('fail_call', `Cannot record the error of "${opNameOf(call.opName)}"`, problem, call.tracer);
    endAnyway(call, `Thrown: ${UNREADABLE}`);
  }
}

/** A call whose end cannot be told has ended all the same. */
function endAnyway(call: RecordedCall, exception: string | undefined): void {
  try {
    call.writeEnd(NOTHING, exception);
  } catch {
    // Whatever is wrong has been reported.
  }
}

/**
 * Calls at the end of a recursion that filled the stack. They are recorded further up, where there is room again:
 * V8 ends the whole process when it has to compile a regular expression on a full stack.
 */
const postponed: { readonly call: RecordedCall; readonly error: unknown }[] = [];

/** Levels of `hasRoom`, of about a hundred bytes each: several times what recording an error takes. */
const LEVELS_NEEDED = 1000;

/** On a stack that is full, a function more is one too many to ask. */
function isStackFull(error: unknown): boolean {
  try {
    return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
  } catch {
    // A proxy that does not want to be asked is no error of the runtime.
    return false;
  }
}

/** Nothing tells how much of the stack is left, but a recursion that is harmless to fail can try. */
function hasRoom(levels: number): boolean {
  try {
    return levels === 0 || hasRoom(levels - 1);
  } catch {
    return false;
  }
}

function failPostponed(): void {
  for (const { call, error } of postponed.splice(0)) {
    if (!call.hasEnded) call.writeEnd(NOTHING, exceptionOf(call, error));
  }
}

/** A value that is no object is no error: `answer.isBad && new Error()` is `false` for all answers that are good. */
function failureIn(
  call: RecordedCall,
  ask: NonNullable<UntypedOptions['failure']>,
  output: unknown,
): object | undefined {
  const told: unknown = askOption(call, 'failure', ask, [output], undefined);
  if (told === undefined || told === null) return undefined;
  const isPromise = types.isPromise(told);
  if (typeof told === 'object' && !isPromise) return told;
  const wanted = `want an error or undefined, got a ${isPromise ? 'promise' : typeof told}`;
  reportProblem(
    'failure_option',
    `Cannot use the failure option of op "${opNameOf(call.opName)}"`,
    wanted,
    call.tracer,
  );
  return undefined;
}

function takeUsage(call: RecordedCall, usage: NonNullable<UntypedOptions['usage']>, output: unknown): void {
  const told = askOption(call, 'usage', usage, [output], undefined);
  if (told !== undefined) recordUsage(call, told.model, told);
}

/** Adds the tokens of one model request to a call and to all above it. */
export function recordUsage(call: RecordedCall, model: string, usage: Parameters<RecordedCall['addUsage']>[1]): void {
  const { tracer, scope } = call;
  const raw =
    usage.raw === undefined ? undefined : capture(usage.raw, 'usage', maskOf(tracer, scope), tracer.limits).value;
  call.addUsage(model, usage, raw);
}

export function captureOutput(
  call: RecordedCall,
  options: UntypedOptions,
  output: unknown,
  ready?: Captured,
): Captured {
  if (options.output === false) return NOTHING;
  if (options.output === undefined && ready !== undefined) return ready;
  const { tracer, scope } = call;
  // The option may have been there to hide something, so the output itself is no way out.
  const recorded = options.output === undefined ? output : askOption(call, 'output', options.output, [output], MASKED);
  return capture(recorded, 'output', maskOf(tracer, scope), tracer.limits, undefined, tracer.files, true);
}

function exceptionOf({ tracer, scope }: RecordedCall, error: unknown): string {
  const mask = maskOf(tracer, scope);
  const copy = (thrown: object) => capture(thrown, 'exception', mask, tracer.limits).value;
  const text = exceptionText(error, tracer.limits.maxCauses, copy);
  // An empty exception would be read as none.
  const masked = captureText(text, 'exception', mask, tracer) || 'Error';
  return masked.slice(0, DEFAULT_LIMITS.exception_bytes);
}
