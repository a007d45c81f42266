import type { TracingError } from '../protocol/error.ts';

const MAX_PAUSE_MS = 10_000;
/** A service that asks for more patience than this is reported instead of waited for. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Where time and chance come from. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 to below 1. */
  random(): number;
  /** Resolves after a time; rejects with the reason of the signal when that is aborted first. */
  wait(durationMs: number, signal: AbortSignal | undefined): Promise<void>;
}

export interface RetryPause {
  /** Attempts made so far, at least 1. */
  readonly attempts: number;
  readonly retryDelayMs: number;
  readonly error: TracingError;
  readonly signal: AbortSignal | undefined;
  readonly clock: Clock;
}

/**
 * Waits as long as the service asked for in `Retry-After`, else exponentially longer with full jitter. Throws the
 * error itself when the service wants too long a pause, and the signal's reason when it is aborted.
 */
export async function pauseBeforeRetry(pause: RetryPause): Promise<void> {
  const { clock, error, signal } = pause;
  const asked = error.extra['retryAfterMs'];
  if (typeof asked !== 'number') {
    const bound = Math.min(MAX_PAUSE_MS, pause.retryDelayMs * 2 ** (pause.attempts - 1));
    return clock.wait(clock.random() * bound, signal);
  }
  if (asked > MAX_RETRY_AFTER_MS) throw error;
  return clock.wait(asked, signal);
}

// As they were when this module was loaded: tests let time stand still, and a pause must not last as long.
const { clearTimeout, setTimeout } = globalThis;
// It does not use what it is a method of.
// oxlint-disable-next-line typescript/unbound-method
const { now } = Date;
const { random } = Math;

function wait(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      // The reason of a signal is whatever its owner chose.
      // oxlint-disable-next-line prefer-promise-reject-errors
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, durationMs);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

export const SYSTEM_CLOCK: Clock = { now, random, wait };
