/**
 * The mark that jest looks for at objects: after each file of tests it takes away what the file has left on objects among the
 * globals, and with an empty list it takes nothing.
 */
const KEEP_FROM_JEST = Symbol.for('$$jest-protect-from-deletion');

/** Keeps what is shared on `globalThis` whole until the process ends: there it delivers what the tests have recorded. */
export function keptGlobal<Shared extends object>(shared: Shared): Shared {
  if (globalThis.process?.env['JEST_WORKER_ID'] === undefined) return shared;
  Reflect.defineProperty(shared, KEEP_FROM_JEST, { value: [], configurable: true });
  return shared;
}
