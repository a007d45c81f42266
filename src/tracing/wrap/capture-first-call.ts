import { type CallHandle, handleOf } from './call-handle.ts';
import type { CallCatcher, Frame } from '../propagation/frame.ts';
import { notCallable } from './option-rules.ts';
import { currentFrame } from '../propagation/outermost.ts';
import { registry } from '../propagation/registry.ts';

export interface CapturedCall<Result> {
  /** The result of the function, as it returned it. */
  readonly result: Result;
  /** The first outermost call made inside; inert until there is one. */
  readonly call: CallHandle;
}

/** Runs `fn` and catches the first call that it makes. A throw passes through. */
export function captureCall<Result>(fn: () => Result): CapturedCall<Result> {
  if (typeof fn !== 'function') throw notCallable(fn, 'capture a call', 'first');
  const outer = currentFrame();
  const catcher: CallCatcher = { caught: undefined };
  const frame: Frame = { call: outer?.call, scope: outer?.scope, catcher };
  const result = registry.context.run(frame, fn);
  return {
    result,
    get call() {
      return handleOf(catcher.caught);
    },
  };
}
