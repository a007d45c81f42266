import { setImmediate } from './timers.ts';

/** As it was when this module was loaded: tests replace it, too. */
// It does not use what it is a method of.
// oxlint-disable-next-line typescript/unbound-method
export const { nextTick } = process;

type NextTick = typeof nextTick & { readonly clock?: unknown };

/** Functions that the program has put in its place, and whose ticks have come. */
const passing = new WeakSet<NextTick>();

/**
 * Do the ticks of this process wait for the word of a test? Node itself uses the function that all others use, so that no
 * request and no stream of this thread goes on until then. Functions that pass ticks on hold none.
 */
export async function areTicksHeld(): Promise<boolean> {
  // It does not use what it is a method of.
  // oxlint-disable-next-line typescript/unbound-method
  const current: NextTick = process.nextTick;
  if (isFake(current) || isFake(nextTick)) return true;
  if (current === nextTick || passing.has(current)) return false;
  if (!(await comes(current))) return true;
  passing.add(current);
  return false;
}

/** A fake of `@sinonjs/fake-timers`, also where it came first. */
function isFake(tick: NextTick): boolean {
  return tick.clock !== undefined;
}

/** Ticks come before anything else that waits. */
function comes(tick: NextTick): Promise<boolean> {
  return new Promise((resolve) => {
    setImmediate(() => setImmediate(() => resolve(false)));
    try {
      tick(() => resolve(true));
    } catch {
      resolve(false);
    }
  });
}
