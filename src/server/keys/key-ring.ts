import { folderIdentity, hashKey, type KeyRecord, keysVersion, listKeys } from './keys.ts';
import { RateLimiter } from './rate-limiter.ts';

/** Keys that nobody has make the service look at the file again so often in a second. */
const UNKNOWN_RECHECKS = 100;

/** How long a change of the file may go unnoticed for a key that was known before, in milliseconds. */
const RECHECK_MS = 100;

/** Keys that a service accepts. */
export interface Keys {
  /** The record of a key, or undefined when there is none. */
  find(key: string): KeyRecord | undefined;
  /** The same by what is kept of the key. */
  findByHash(hash: string): KeyRecord | undefined;
  /** Resolves when a key that was made a moment ago is known; absent, or undefined: there is nothing to wait for. */
  lookUp?(key: string): Promise<void> | undefined;
}

interface KeyRingOptions {
  readonly onError?: (error: unknown) => void;
  /** The keys of the data folder that count. @default all */
  readonly isTaken?: (record: KeyRecord) => boolean;
}

/** Keys of a service with a data folder: fixed ones, and those of its data folder, or some of them, as they are now. */
export class KeyRing implements Keys {
  readonly #fixed: readonly KeyRecord[];
  readonly #dataDir: string | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #isTaken: (record: KeyRecord) => boolean;
  readonly #rechecks = new RateLimiter({ perSecond: UNKNOWN_RECHECKS, burst: UNKNOWN_RECHECKS });
  #records: ReadonlyMap<string, KeyRecord>;
  #version: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** The folder that the keys came from. */
  #folder: string | undefined;
  /** The error that was told last, as it would be told with every request. */
  #told: string | undefined;

  /** Throws when the data folder has keys that cannot be read; later on such a file goes to `onError`. */
  constructor(
    fixed: readonly KeyRecord[],
    dataDir?: string,
    { onError = () => undefined, isTaken = () => true }: KeyRingOptions = {},
  ) {
    this.#fixed = fixed;
    this.#records = byHash(fixed);
    this.#dataDir = dataDir;
    this.#onError = onError;
    this.#isTaken = isTaken;
    if (dataDir !== undefined) this.#load(dataDir);
  }

  /**
   * The record of a key, or undefined when there is none. A key created a moment ago is known. It takes the same time for
   * any key and any number of them: what is looked up is a digest, whose beginning tells nothing of that of a key.
   */
  find(key: string): KeyRecord | undefined {
    return this.findByHash(hashKey(key));
  }

  /** The same by what is kept of the key. */
  findByHash(hash: string): KeyRecord | undefined {
    if (performance.now() - this.#checkedAt > RECHECK_MS) this.#reload();
    const known = this.#records.get(hash);
    if (known || !this.#mayRecheck()) return known;
    this.#reload();
    return this.#records.get(hash);
  }

  /** Many keys that nobody has must not keep the disk busy. */
  #mayRecheck(): boolean {
    return this.#dataDir !== undefined && this.#rechecks.tryTake('');
  }

  #reload(): void {
    if (this.#dataDir === undefined) return;
    try {
      this.#load(this.#dataDir);
      this.#told = undefined;
    } catch (error) {
      // A slip of whoever edits the file must not lock everybody out: the keys of before stay.
      if (String(error) !== this.#told) this.#onError(error);
      this.#told = String(error);
    }
  }

  #load(dataDir: string): void {
    this.#checkedAt = performance.now();
    const folder = folderIdentity(dataDir);
    // Whoever wants no key to count any more revokes it; without its folder a service says that, and not that keys are wrong.
    if (this.#folder !== undefined && folder !== this.#folder)
      throw new Error('The data folder was removed or replaced');
    this.#folder = folder;
    const version = keysVersion(dataDir);
    if (version === this.#version) return;
    this.#version = version;
    this.#records = byHash([...this.#fixed, ...listKeys(dataDir).filter(this.#isTaken)]);
  }
}

/** Of two records with one key the first counts. */
export function byHash(records: readonly KeyRecord[]): Map<string, KeyRecord> {
  return new Map(records.toReversed().map((record) => [record.hash, record]));
}
