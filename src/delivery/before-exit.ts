import { executionAsyncId } from 'node:async_hooks';

type Emit = (this: unknown, ...args: unknown[]) => boolean;

/** Outside of anything that runs. */
const OUTSIDE = 0;

/**
 * Asks `isBusy` each time that Node finds nothing left to do, before it tells the program, and lets the program hear of it
 * only when the answer is false. A handler of our own would come too late: work that it begins makes Node say `beforeExit`
 * once more to all handlers. Returns a function that ends it.
 */
export function holdBackBeforeExit(isBusy: () => boolean): () => void {
  const own = Object.getOwnPropertyDescriptor(process, 'emit');
  // What is inherited may be replaced later, as by `node:domain`.
  const original = (): Emit => (own?.value ?? Reflect.get(Object.getPrototypeOf(process) as object, 'emit')) as Emit;
  let isOn = true;
  const emit: Emit = function (this: unknown, ...args) {
    const isHeldBack = isOn && args[0] === 'beforeExit' && isSaidByNode(emit) && isBusy();
    return isHeldBack || Reflect.apply(original(), this, args);
  };
  replaceEmit(emit);
  return () => {
    isOn = false;
    // Somebody may have put his own over it since.
    if ((process.emit as unknown) !== emit) return;
    if (own === undefined) Reflect.deleteProperty(process, 'emit');
    else Object.defineProperty(process, 'emit', own);
  };
}

/** A program that says it means its own handlers, and so may one that has put its own function over ours. */
function isSaidByNode(emit: Emit): boolean {
  if (executionAsyncId() !== OUTSIDE) return false;
  const callers: { stack?: unknown } = {};
  Error.captureStackTrace(callers, emit);
  return !/^\s+at (?!.*\bnode:internal\b)/m.test(String(callers.stack));
}

function replaceEmit(value: Emit): void {
  Object.defineProperty(process, 'emit', { value, configurable: true, writable: true, enumerable: false });
}
