const FIRST_MS = 30_000;
const LONGEST_MS = 60 * 60_000;

/** How long something waits that does not get through to a service that takes all else; doubled each time it failed again. */
export function blockedPauseMs(times: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, times - 1));
}
