import { TracingError } from '../protocol/error.ts';

interface Bucket {
  tokens: number;
  filledAt: number;
}

export interface RateLimit {
  /** Requests a key may make per second, on average. */
  readonly perSecond: number;
  /** Requests it may make at once after a pause. */
  readonly burst: number;
}

/** Holds every key to its number of requests per second: a bucket that fills evenly and that each request takes from. */
export class RateLimiter {
  readonly limit: RateLimit;
  readonly #now: () => number;
  /** One for every key that was used: their number is that of the keys of the service. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(limit: RateLimit, now: () => number = () => performance.now()) {
    this.limit = limit;
    this.#now = now;
  }

  /** Counts a request. Throws `rate_limited` with the seconds after which another one is welcome. */
  take(keyId: string): void {
    const { perSecond, burst } = this.limit;
    const now = this.#now();
    const bucket = this.#buckets.get(keyId) ?? { tokens: burst, filledAt: now };
    this.#buckets.set(keyId, bucket);
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now;
    if (bucket.tokens < 1) {
      throw new TracingError('rate_limited', `The API key makes more than ${perSecond} requests per second`, {
        extra: { retryAfterSeconds: Math.ceil((1 - bucket.tokens) / perSecond) },
      });
    }
    bucket.tokens -= 1;
  }
}
