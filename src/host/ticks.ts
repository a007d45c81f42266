/** As it was when this module was loaded: tests replace it, too. */
// It does not use what it is a method of.
// oxlint-disable-next-line typescript/unbound-method
export const { nextTick } = process;

/**
 * Do the ticks of this process wait for the word of a test? Node itself uses the function that all others use, so that no
 * request and no stream of this thread goes on until then.
 */
export function areTicksHeld(): boolean {
  return process.nextTick !== nextTick || isFake(nextTick);
}

/** Where the fakes came first. */
function isFake(tick: typeof nextTick & { clock?: unknown }): boolean {
  return tick.clock !== undefined;
}
