// docs/decisions/0033-ends-are-heard-of-at-emit.md says why.
import { executionAsyncId } from 'node:async_hooks';

type Emit = (this: unknown, event: unknown, ...args: unknown[]) => boolean;

/** Outside of anything that runs. */
const OUTSIDE = 0;
/** More than libraries put over each other, and what the handlers of a program call. */
const MAX_FRAMES = 100;

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
  // Of a process that was frozen, and of Bun, which calls handlers without `emit`. Then handlers hear of it more often.
  if (!putBack || process.versions['bun'] !== undefined) process.on('beforeExit', isBusy);
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

/**
 * A program that says it means its own handlers. Where it does so outside of anything else that runs, its own function is
 * the outermost one, or one of `node:events` that calls a handler; what others have put over ours is called by Node, as a
 * method of `process`.
 */
function isSaidByNode(emit: Emit): boolean {
  if (executionAsyncId() !== OUTSIDE) return false;
  const above = stackAbove(emit);
  const outermost = above.at(-1) ?? OF_NODE;
  const isByNode = outermost.includes(OF_NODE) || outermost.includes(OF_DENO) || outermost.startsWith('process.');
  return isByNode && !above.some((site) => site.includes('node:events') || site.includes('node:internal/modules'));
}

/** In all that Node prints of files of its own. */
const OF_NODE = 'node:';
/** Files of Deno that begin and end programs; its timers, where a program may call `emit` itself, are in other files. */
const OF_DENO = 'ext:runtime_main/';

/** Where the function was called, innermost first, whatever the program has made of stacks. */
function stackAbove(below: Emit): string[] {
  const above: { stack?: unknown } = {};
  const restore = REPLACED.map(([name, value]) => replaceOfError(name, value));
  try {
    Error.captureStackTrace(above, below);
    return Array.isArray(above.stack) ? above.stack.map(String) : linesOf(String(above.stack));
  } catch {
    return [];
  } finally {
    for (const undo of restore) undo();
  }
}

/** Of a stack as it is printed. */
function linesOf(stack: string): string[] {
  return stack.split('\n').flatMap((line) => /^ +at (.*)/.exec(line)?.[1] ?? []);
}

/** Where these cannot be replaced, the stack is as the program sees it. */
const REPLACED = [
  ['stackTraceLimit', MAX_FRAMES],
  ['prepareStackTrace', (_error: unknown, sites: readonly NodeJS.CallSite[]) => sites.map(String)],
] as const;

/** Returns a function that undoes it. Of a program that has frozen it, or watches over it, it stays as it is. */
function replaceOfError(name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(Error, name);
  if (!Reflect.defineProperty(Error, name, { value, configurable: true, writable: true })) return () => undefined;
  return () => {
    if (before === undefined) Reflect.deleteProperty(Error, name);
    else Object.defineProperty(Error, name, before);
  };
}
