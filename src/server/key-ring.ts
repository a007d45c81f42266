import { timingSafeEqual } from 'node:crypto';
import { folderIdentity, hashKey, type KeyRecord, keysVersion, listKeys } from './keys.ts';

/** How long a change of the file may go unnoticed for a key that was known before, in milliseconds. */
const RECHECK_MS = 100;

/** Keys a service accepts: fixed ones, and those of its data folder as they are now. */
export class KeyRing {
  readonly #fixed: readonly KeyRecord[];
  readonly #dataDir: string | undefined;
  readonly #onError: (error: unknown) => void;
  #records: readonly KeyRecord[] = [];
  #version: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;
  /** The folder that the keys came from. */
  #folder: string | undefined;
  /** What was said last, as it would be said with every request. */
  #told: string | undefined;

  /** Throws when the data folder has keys that cannot be read; later on such a file goes to `onError`. */
  constructor(fixed: readonly KeyRecord[], dataDir?: string, onError: (error: unknown) => void = () => undefined) {
    this.#fixed = fixed;
    this.#dataDir = dataDir;
    this.#onError = onError;
    if (dataDir !== undefined) this.#load(dataDir);
  }

  /** The record of a key, or undefined when there is none. A key created a moment ago is known. */
  find(key: string): KeyRecord | undefined {
    const hash = Buffer.from(hashKey(key));
    if (performance.now() - this.#checkedAt > RECHECK_MS) this.#reload();
    const known = this.#search(hash);
    if (known) return known;
    this.#reload();
    return this.#search(hash);
  }

  #search(hash: Buffer): KeyRecord | undefined {
    return [...this.#fixed, ...this.#records].find((record) => isSame(hash, Buffer.from(record.hash)));
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
    this.#records = listKeys(dataDir);
  }
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
