import { opNameOf } from '../../protocol/ref.ts';
import { endCall, failCall } from '../record/end-call.ts';
import type { UntypedOptions } from '../wrap/op-spec.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { reportProblem } from '../record/tracer.ts';

export type Conclude = (call: RecordedCall, options: UntypedOptions, value: unknown) => void;

/** The promise that users got for a promise. The same one in gives the same one out. */
const derivedOf = new WeakMap<Promise<unknown>, Promise<unknown>>();

/** A promise of the language itself, whose `then` does nothing but wait. */
export function isPlainPromise(promise: Promise<unknown>): boolean {
  return Object.getPrototypeOf(promise) === Promise.prototype && !Object.hasOwn(promise, 'then');
}

/**
 * Ends the call when the promise settles and returns a promise derived from it. Watching the original and handing it
 * out would either hide a rejection that nobody handles, or report one twice; the derived one is rejected exactly
 * when the original is, and is the only one that anybody can handle.
 */
export function observePromise(
  call: RecordedCall,
  options: UntypedOptions,
  promise: Promise<unknown>,
  isNew: boolean,
  conclude: Conclude,
): Promise<unknown> {
  const known = isNew ? undefined : knownDerived(promise);
  if (known !== undefined) {
    void promise.then(
      (value) => concludeSafely(call, options, value, conclude),
      (error: unknown) => failCall(call, error),
    );
    return known;
  }
  const derived = promise.then(
    (value) => {
      concludeSafely(call, options, value, conclude);
      const delay = delayOf(call);
      return delay === undefined ? value : delay.then(() => value);
    },
    (error: unknown) => {
      failCall(call, error);
      const delay = delayOf(call);
      if (delay === undefined) throw error;
      return delay.then(() => {
        throw error;
      });
    },
  );
  if (!isNew) remember(promise, derived);
  return derived;
}

/** Whatever a value does to those who look at it, the program gets it. */
function concludeSafely(call: RecordedCall, options: UntypedOptions, value: unknown, conclude: Conclude): void {
  try {
    conclude(call, options, value);
  } catch (error) {
    reportProblem('observe', `Cannot observe the result of "${opNameOf(call.opName)}"`, error, call.tracer);
    endCall(call, options, undefined);
  }
}

/** The one exception to results that are handed on at once: where the process is stopped as soon as this one settles. */
function delayOf(call: RecordedCall): Promise<void> | undefined {
  const { invocations } = call.tracer;
  return invocations !== undefined && call.hasEnded && call.isOutermost ? invocations.delay() : undefined;
}

function knownDerived(promise: Promise<unknown>): Promise<unknown> | undefined {
  return derivedOf.get(promise);
}

/**
 * A derived promise that comes back through another traced function is derived from again: to watch it without
 * deriving would hide its rejection.
 */
function remember(promise: Promise<unknown>, derived: Promise<unknown>): void {
  derivedOf.set(promise, derived);
  const extras = Object.getOwnPropertyDescriptors(promise);
  // Some libraries hang a `cancel` and the like on the promises they return.
  if (Reflect.ownKeys(extras).length > 0) void Object.defineProperties(derived, extras);
}
