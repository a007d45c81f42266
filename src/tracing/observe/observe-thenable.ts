import { type Watch, whenForgotten } from './abandoned.ts';
import { endCall, failCall } from '../record/end-call.ts';
import type { Frame } from '../propagation/frame.ts';
import type { Conclude } from './observe-promise.ts';
import type { UntypedOptions } from '../wrap/op-spec.ts';
import type { RecordedCall } from '../record/recorded-call.ts';
import { frameOfWork } from '../propagation/frame-of-work.ts';
import { registry } from '../propagation/registry.ts';

type Callback = ((value: unknown) => unknown) | null | undefined;

/**
 * Ends the call when the user's own `await` of a thenable settles. The object stays the same one with its class and
 * methods; its `then` is not called before the user does, because for many libraries that is what starts the work.
 * Answers `false` when the object cannot be observed.
 */
export function observeThenable(
  call: RecordedCall,
  options: UntypedOptions,
  thenable: PromiseLike<unknown>,
  conclude: Conclude,
): boolean {
  const original: unknown = Reflect.get(thenable, 'then');
  let watch: Watch | undefined;
  const observed = function (this: unknown, onValue: Callback, onError: Callback): unknown {
    // The work ends the call from now on, and need not hold the thenable.
    watch?.stop();
    const outer = registry.context.getStore();
    const args = [
      (value: unknown) => {
        conclude(call, options, value);
        return typeof onValue === 'function' ? resume(outer, onValue, value) : value;
      },
      (error: unknown) => {
        failCall(call, error);
        if (typeof onError === 'function') return resume(outer, onError, error);
        throw error;
      },
    ];
    // The work that `then` starts belongs to the call; once it has ended, nothing is left to start.
    if (call.hasEnded) return Reflect.apply(original as Function, this, args);
    return registry.context.run(frameOfWork(call), Reflect.apply, original as Function, this, args);
  };
  // The object is a thenable already.
  // oxlint-disable-next-line unicorn/no-thenable
  const isObserved = Reflect.defineProperty(thenable, 'then', {
    value: observed,
    configurable: true,
    writable: true,
    enumerable: false,
  });
  if (isObserved) watch = whenForgotten(thenable, endUnread(call));
  return isObserved;
}

/** The user's callback runs where the user was, not below the call. */
function resume(outer: Frame | undefined, callback: (value: unknown) => unknown, value: unknown): unknown {
  if (outer === undefined) return registry.context.exit(callback, value);
  return registry.context.run(outer, callback, value);
}

/** Made apart from the closures above, which hold `then` and with it perhaps the thenable that is to be forgotten. */
function endUnread(call: RecordedCall): () => void {
  return () => endCall(call, { output: false }, undefined);
}
