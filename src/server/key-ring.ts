import { timingSafeEqual } from 'node:crypto';
import { hashKey, type KeyRecord, keysVersion, listKeys } from './keys.ts';

/** How long a change of the file may go unnoticed for a key that was known before, in milliseconds. */
const RECHECK_MS = 100;

/** Keys a service accepts: fixed ones, and those of its data folder as they are now. */
export class KeyRing {
  readonly #fixed: readonly KeyRecord[];
  readonly #dataDir: string | undefined;
  #records: readonly KeyRecord[] = [];
  #version: string | undefined;
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(fixed: readonly KeyRecord[], dataDir?: string) {
    this.#fixed = fixed;
    this.#dataDir = dataDir;
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
    this.#checkedAt = performance.now();
    const version = keysVersion(this.#dataDir);
    if (version === this.#version) return;
    this.#records = version === undefined ? [] : listKeys(this.#dataDir);
    this.#version = version;
  }
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
