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

/** Keys that nobody has make the service look into the storage so often in a second. */
const UNKNOWN_LOOKS = 20;

export interface SharedKeyRingOptions {
  /** Taken by this service alone. */
  readonly fixed: readonly KeyRecord[];
  readonly store: KeyStore;
  /** Aborted when nobody asks any more. */
  readonly stopping: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** The keys that all services on a storage accept, as they were a moment ago, and fixed ones. */
export class SharedKeyRing implements Keys {
  readonly #options: SharedKeyRingOptions;
  readonly #looks = new RateLimiter({ perSecond: UNKNOWN_LOOKS, burst: UNKNOWN_LOOKS });
  #records: ReadonlyMap<string, KeyRecord>;
  #reading: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  /** The message that was logged last: it would be logged every second. */
  #told: string | undefined;

  /** Rejects when the keys cannot be read; later on that goes to `onError`. */
  static async open(options: SharedKeyRingOptions): Promise<SharedKeyRing> {
    const ring = new SharedKeyRing(options);
    await ring.#read();
    ring.#poll();
    return ring;
  }

  private constructor(options: SharedKeyRingOptions) {
    this.#options = options;
    this.#records = byHash(options.fixed);
  }

  find(key: string): KeyRecord | undefined {
    return this.findByHash(hashKey(key));
  }

  findByHash(hash: string): KeyRecord | undefined {
    return this.#records.get(hash);
  }

  /** Rejects with `unavailable` where nobody can tell: to say that a key is wrong would make its program give up. */
  lookUp(key: string): Promise<void> | undefined {
    if (this.find(key) !== undefined || !this.#looks.tryTake('')) return undefined;
    return this.#refresh().catch((cause: unknown) => {
      throw new TracingError('unavailable', 'Cannot tell whether the API key is known: the storage cannot be read', {
        cause,
      });
    });
  }

  #poll(): void {
    if (this.#options.stopping.aborted) return;
    setTimeout(() => void this.#look(), POLL_MS).unref();
  }

  async #look(): Promise<void> {
    if (this.#options.stopping.aborted) return;
    try {
      await this.#refresh();
      this.#told = undefined;
    } catch (error) {
      // Nothing else can be read now, either; the keys of before stay.
      if (String(error) !== this.#told && !this.#options.stopping.aborted) this.#options.onError(error);
      this.#told = String(error);
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
    const { fixed, store } = this.#options;
    this.#records = byHash([...fixed, ...(await store.list({ deadlineMs: READ_MS }))]);
  }
}
