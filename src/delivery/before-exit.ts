import { executionAsyncId } from 'node:async_hooks';

type Emit = (this: unknown, event: unknown, ...args: unknown[]) => boolean;

/** Outside of anything that runs. */
const OUTSIDE = 0;
/** Those of Node alone are fewer. */
const MAX_FRAMES = 20;

/** Who is asked: one function stands in the place of `process.emit`, however many clients there are. */
const asked = new Set<() => boolean>();
/** Puts back what was there; `undefined` while nothing of ours is in its place. */
let putBack: (() => void) | undefined;

/**
 * Asks `isBusy` each time that Node finds nothing left to do, before it tells the program, and lets the program hear of it
 * only when the answer is false. A handler of our own would come too late: work that it begins makes Node say `beforeExit`
 * once more to all handlers. Returns a function that ends it.
 */
export function holdBackBeforeExit(isBusy: () => boolean): () => void {
  asked.add(isBusy);
  // Somebody may have removed ours together with his own.
  const isThere = putBack !== undefined && Object.hasOwn(process, 'emit');
  if (!isThere) putBack = replaceEmit();
  // Of a process that was frozen. Then handlers hear of it more often.
  if (!putBack) process.on('beforeExit', isBusy);
  return () => {
    asked.delete(isBusy);
    process.off('beforeExit', isBusy);
    if (asked.size === 0) putBack?.();
  };
}

/** `undefined` when it cannot be done. */
function replaceEmit(): (() => void) | undefined {
  const own = Object.getOwnPropertyDescriptor(process, 'emit');
  // What is inherited may be replaced later, as by `node:domain`.
  const original = (): Emit => (own?.value ?? Reflect.get(Object.getPrototypeOf(process) as object, 'emit')) as Emit;
  const emit: Emit = function (this: unknown, event) {
    const isHeldBack = event === 'beforeExit' && asked.size > 0 && isSaidByNode(emit) && isAnyBusy();
    // Also what it was not given must stay away.
    // oxlint-disable-next-line prefer-rest-params
    return isHeldBack || Reflect.apply(original(), this, arguments);
  };
  const { name, length } = original();
  Object.defineProperty(emit, 'name', { value: name, configurable: true });
  Object.defineProperty(emit, 'length', { value: length, configurable: true });
  const descriptor = { value: emit, configurable: true, writable: true, enumerable: own?.enumerable ?? false };
  if (!Reflect.defineProperty(process, 'emit', descriptor)) return undefined;
  return () => {
    // Somebody may have put his own over it since: then it stays, and passes on.
    if ((process.emit as unknown) !== emit) return;
    if (own === undefined) Reflect.deleteProperty(process, 'emit');
    else Object.defineProperty(process, 'emit', own);
    putBack = undefined;
  };
}

/** All of them are asked, as they begin to deliver by it. */
function isAnyBusy(): boolean {
  return [...asked].filter((isBusy) => isBusy()).length > 0;
}

/** A program that says it means its own handlers, and so may one that has put its own function over ours. */
function isSaidByNode(emit: Emit): boolean {
  return executionAsyncId() === OUTSIDE && filesAbove(emit).every((file) => file.startsWith('node:internal/'));
}

/** Where the function was called, whatever the program has made of stacks. */
function filesAbove(below: Emit): string[] {
  const { stackTraceLimit } = Error;
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const above: { stack?: string[] } = {};
  try {
    Error.stackTraceLimit = MAX_FRAMES;
    Error.prepareStackTrace = (_error, sites) => sites.map((site) => site.getFileName() ?? '');
    Error.captureStackTrace(above, below);
    return above.stack ?? [];
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    if (before === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace');
    else Object.defineProperty(Error, 'prepareStackTrace', before);
  }
}
