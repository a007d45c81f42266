/** A range that ends now begins later every moment; so long it is taken for the same. */
const STEADY_MS = 5 * 60_000;

let taken = 0;

/**
 * The time that ranges are counted from. It stands still for a while: who comes back to a list finds the one that was
 * read, at the place where it was left. Rows that came since are on top of it, as such ranges have no end.
 */
export function steadyNow(): number {
  const now = Date.now();
  if (Math.abs(now - taken) > STEADY_MS) taken = now;
  return taken;
}

/** A list goes on with the time: who comes back to it finds it as it was left. */
export function takeNow(now: number): void {
  taken = now;
}
