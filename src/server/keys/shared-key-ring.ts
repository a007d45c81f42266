// docs/decisions/0046-services-share-keys-in-the-database.md says why.
import { TracingError } from '../../protocol/error.ts';
import type { KeyStore } from '../../storage/contract/keys.ts';
import { byHash, type Keys } from './key-ring.ts';
import { hashKey, type KeyRecord } from './keys.ts';
import { RateLimiter } from './rate-limiter.ts';

/** As long may a key be taken that another service has revoked, and the time of a read. */
const POLL_MS = 1000;

/** A read that takes longer has failed; the next one is on time all the same. */
const READ_MS = 2000;

/**
 * Keys that were read longer ago are taken no more, until they can be read: one of them may be revoked. Other reads and writes may
 * still be answered while this one is not.
 */
const STALE_MS = 30_000;

/** Keys that nobody has make the service look into the storage so often in a second. */
const UNKNOWN_LOOKS = 20;

export interface SharedKeyRingOptions {
  /** Taken by this service alone. */
  readonly own: Keys;
  readonly store: KeyStore;
  /** Aborted when nobody asks any more. */
  readonly stopping: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** The keys that all services on a storage accept, as they were a moment ago, and those of one service alone. */
export class SharedKeyRing implements Keys {
  readonly #options: SharedKeyRingOptions;
  readonly #looks = new RateLimiter({ perSecond: UNKNOWN_LOOKS, burst: UNKNOWN_LOOKS });
  #records: ReadonlyMap<string, KeyRecord> = new Map();
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  /** The error of the last read; it is logged once, not every second. */
  #failure: Error | undefined;
  #readAt = -Infinity;
  /** The next look of those that come every second. */
  #coming: Promise<void> = Promise.resolve();

  /** Rejects when the keys cannot be read; later on that goes to `onError`. */
  static async open(options: SharedKeyRingOptions): Promise<SharedKeyRing> {
    const ring = new SharedKeyRing(options);
    await ring.#read();
    ring.#poll();
    return ring;
  }

  private constructor(options: SharedKeyRingOptions) {
    this.#options = options;
  }

  find(key: string): KeyRecord | undefined {
    return this.findByHash(hashKey(key));
  }

  findByHash(hash: string): KeyRecord | undefined {
    return this.#records.get(hash) ?? this.#options.own.findByHash(hash);
  }

  /** Rejects with `unavailable` where nobody can tell: to say that a key is wrong would make its program give up. */
  lookUp(key: string): Promise<void> | undefined {
    const hash = hashKey(key);
    const isKnown = (this.#records.has(hash) && !this.#isStale()) || this.#options.own.findByHash(hash) !== undefined;
    return isKnown ? undefined : this.#lookFor(key);
  }

  async #lookFor(key: string): Promise<void> {
    // Whoever is over the limit waits for what is read anyway.
    if (this.#looks.tryTake('')) await this.#refresh().catch(() => undefined);
    else await this.#coming;
    const isKnown = this.find(key) !== undefined && !this.#isStale();
    if (isKnown || this.#failure === undefined) return;
    throw new TracingError('unavailable', 'Cannot tell whether the API key is known: the storage cannot be read', {
      cause: this.#failure,
    });
  }

  #isStale(): boolean {
    return performance.now() - this.#readAt > STALE_MS;
  }

  #poll(): void {
    if (this.#options.stopping.aborted) return;
    this.#coming = new Promise((resolve) => setTimeout(() => resolve(this.#look()), POLL_MS).unref());
  }

  async #look(): Promise<void> {
    if (this.#options.stopping.aborted) return;
    const before = this.#failure?.message;
    try {
      await this.#refresh();
    } catch (error) {
      // The keys of before stay for a while.
      if (this.#failure?.message !== before && !this.#options.stopping.aborted) this.#options.onError(error);
    }
    this.#poll();
  }

  /** A read that is under way may have begun before a key was made. */
  #refresh(): Promise<void> {
    this.#next ??= this.#reading.then(() => {
      this.#next = undefined;
      const read = this.#read();
      this.#reading = read.catch(() => undefined);
      return read;
    });
    return this.#next;
  }

  async #read(): Promise<void> {
    const { store } = this.#options;
    // What was read has been true when the read began, at the latest.
    const begunAt = performance.now();
    try {
      this.#records = byHash(await store.list({ deadlineMs: READ_MS }));
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
    this.#readAt = begunAt;
    this.#failure = undefined;
  }
}
