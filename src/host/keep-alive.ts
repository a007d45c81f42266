import { clearTimeout, setTimeout } from './timers.ts';

/** How long `stored()` of an object or a call, and `feedback()`, keep a process alive: as long as `flush()` waits. */
export const STORED_MS = 10_000;
/** Node takes no longer ones. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Keeps the process alive until `work` is done, but no longer than `limitMs`. Connections and timers of the recording half
 * hold no process, so who awaits something of them would be told by Node that nothing is left which could settle it.
 */
export async function keepingAlive<T>(work: Promise<T>, limitMs: number = LONGEST_MS): Promise<T> {
  const timer = setTimeout(() => undefined, limitMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
