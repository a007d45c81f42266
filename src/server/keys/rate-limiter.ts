import { TracingError } from '../../protocol/error.ts';

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

interface RateLimiterOptions {
  readonly now?: () => number;
  /** Buckets that are kept; those that were used last. @default all: the number of keys of a service */
  readonly most?: number;
  /** Who is held back, as the reason of a refusal names it. @default 'The API key' */
  readonly whose?: string;
}

/** Holds everyone to a number of requests per second: a bucket that fills evenly and that each request takes from. */
export class RateLimiter {
  readonly limit: RateLimit;
  readonly #now: () => number;
  readonly #most: number;
  readonly #whose: string;
  /** In the order in which they were used. */
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    limit: RateLimit,
    { now = () => performance.now(), most = Infinity, whose = 'The API key' }: RateLimiterOptions = {},
  ) {
    this.limit = limit;
    this.#now = now;
    this.#most = most;
    this.#whose = whose;
  }

  /** How many are told apart at the moment. */
  get size(): number {
    return this.#buckets.size;
  }

  /** Counts a request. Throws `rate_limited` with the seconds after which another one is welcome. */
  take(name: string): void {
    const retryAfterSeconds = this.#secondsUntil(name);
    if (retryAfterSeconds === 0) return;
    const reason = `${this.#whose} makes more than ${this.limit.perSecond} requests per second`;
    throw new TracingError('rate_limited', reason, { extra: { retryAfterSeconds } });
  }

  /** Counts a request, and tells whether it is one too many. */
  tryTake(name: string): boolean {
    return this.#secondsUntil(name) === 0;
  }

  /** Takes a token; where there is none, the seconds until there is one. */
  #secondsUntil(name: string): number {
    const { perSecond, burst } = this.limit;
    const now = this.#now();
    const bucket = this.#buckets.get(name) ?? { tokens: burst, filledAt: now };
    this.#keep(name, bucket);
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now;
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return 0;
    }
    return Math.ceil((1 - bucket.tokens) / perSecond);
  }

  #keep(name: string, bucket: Bucket): void {
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size <= this.#most) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
}
