import type { Logger } from 'pino';
import { TracingError } from '../../protocol/error.ts';
import { addressGroup } from './address-group.ts';
import { RateLimiter } from './rate-limiter.ts';

/** Requests without a key that an address may make: so many at once after a pause, and per second on average. */
export const REFUSALS_AT_ONCE = 200;
export const REFUSALS_PER_SECOND = 10;

/** Lines of the log about requests without a key in one minute: of one address, and of all together. */
export const LINES_PER_ADDRESS = 20;
export const LINES_IN_ALL = 200;

/** Addresses that are told apart; of more, those that were seen last. */
export const MAX_ADDRESSES = 10_000;

const MINUTE_MS = 60_000;

/** The content of a line of the log. */
type Line = Readonly<Record<string, unknown>>;

/**
 * Holds back those who have no key: anyone can make requests that are refused, and none of them must fill the log or keep
 * the service from others. Whoever has a key is never counted here, whatever else comes from the same address.
 */
export class Refusals {
  readonly #logger: Logger;
  readonly #rates: RateLimiter;
  /** Lines of this minute, by address. */
  #lines = new Map<string, number>();
  #lineCount = 0;
  #unlogged = 0;
  #unloggedFrom = new Set<string>();
  #summary: NodeJS.Timeout | undefined;

  constructor(logger: Logger, now: () => number = () => performance.now()) {
    this.#logger = logger;
    const limit = { perSecond: REFUSALS_PER_SECOND, burst: REFUSALS_AT_ONCE };
    this.#rates = new RateLimiter(limit, { now, most: MAX_ADDRESSES, whose: 'A client without a valid API key' });
  }

  /** Counts a request that is refused. What it is refused with: from now on `rate_limited`, where there are too many. */
  refuse(address: string, reason: TracingError): TracingError {
    try {
      this.#rates.take(addressGroup(address));
      return reason;
    } catch (error) {
      return error instanceof TracingError ? error : reason;
    }
  }

  /** Writes a line about a request that was refused; of many only their number, once a minute. */
  log(level: 'warn' | 'error', address: string, line: Line, message: string): void {
    const group = addressGroup(address);
    this.#summary ??= this.#beginMinute();
    const count = this.#lines.get(group) ?? 0;
    if (count >= LINES_PER_ADDRESS || this.#lineCount >= LINES_IN_ALL) {
      this.#unlogged += 1;
      if (this.#unloggedFrom.size < MAX_ADDRESSES) this.#unloggedFrom.add(group);
      return;
    }
    this.#lines.set(group, count + 1);
    this.#lineCount += 1;
    this.#logger[level](line, message);
  }

  /** Says what was not logged until now. */
  close(): void {
    clearTimeout(this.#summary);
    this.#endMinute();
  }

  #beginMinute(): NodeJS.Timeout {
    return setTimeout(() => this.#endMinute(), MINUTE_MS).unref();
  }

  #endMinute(): void {
    const [count, addresses] = [this.#unlogged, this.#unloggedFrom.size];
    const [address] = this.#unloggedFrom;
    this.#summary = undefined;
    this.#lines = new Map();
    this.#unloggedFrom = new Set();
    this.#lineCount = 0;
    this.#unlogged = 0;
    if (count === 0) return;
    this.#logger.warn({ count, addresses, address }, 'requests refused and not logged one by one');
  }
}
