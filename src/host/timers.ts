// docs/decisions/0032-globals-are-taken-at-load.md says why.
/** Timers that both Node and browsers have. */
interface Timers {
  readonly setTimeout: typeof globalThis.setTimeout;
  readonly clearTimeout: typeof globalThis.clearTimeout;
  readonly setInterval: typeof globalThis.setInterval;
  readonly clearInterval: typeof globalThis.clearInterval;
  readonly setImmediate: typeof globalThis.setImmediate;
  readonly clearImmediate: typeof globalThis.clearImmediate;
}

/** A fake of `@sinonjs/fake-timers`, which jest and vitest use too, knows what it stands for. */
interface Fake {
  readonly clock?: Readonly<Record<string, unknown>>;
}

const node = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process;

/** Tests replace the globals; browsers have nothing else. */
const timers = (node?.getBuiltinModule?.('node:timers') ?? globalThis) as Timers;

/**
 * The timers as they were when this module was loaded, so that tests which let time stand still, or pass in leaps, stop no
 * delivery. Where the fakes came first, what they stand for.
 */
export const setTimeout = real('setTimeout');
export const clearTimeout = real('clearTimeout');
export const setInterval = real('setInterval');
export const clearInterval = real('clearInterval');
export const setImmediate = real('setImmediate');
export const clearImmediate = real('clearImmediate');

function real<Name extends keyof Timers>(name: Name): Timers[Name] {
  const given = timers[name];
  const original = (given as Fake | undefined)?.clock?.[`_${name}`];
  // Browsers refuse them as methods of another object, so none is.
  return typeof original === 'function' ? (original as Timers[Name]) : given;
}
