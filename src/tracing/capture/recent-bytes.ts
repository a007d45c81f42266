import type { KeptFile } from '../record/kept-file.ts';
import type { Mask } from '../mask/mask.ts';

/** Copies that are held to compare with. */
const MAX_HELD_BYTES = 24 * 1024 * 1024;

interface Seen {
  readonly offset: number;
  readonly mask: Mask | undefined;
  readonly file: KeptFile;
  /** `undefined` when newer ones took its place. */
  copy: Buffer | undefined;
}

/**
 * Recognises bytes that were captured a moment ago: the same memory with the same content. Comparing costs a tenth
 * of copying and hashing.
 */
export class RecentBytes {
  readonly #seen = new WeakMap<ArrayBufferLike, Seen>();
  readonly #held = new Set<Seen>();
  #heldBytes = 0;

  find(bytes: Uint8Array, mask: Mask | undefined): KeptFile | undefined {
    const seen = this.#seen.get(bytes.buffer);
    if (seen?.copy === undefined || seen.mask !== mask || seen.offset !== bytes.byteOffset) return undefined;
    return seen.copy.equals(bytes) ? seen.file : undefined;
  }

  remember(bytes: Uint8Array, mask: Mask | undefined, copy: Buffer, file: KeptFile): void {
    const previous = this.#seen.get(bytes.buffer);
    if (previous !== undefined) this.#letGo(previous);
    if (copy.length > MAX_HELD_BYTES) return;
    const seen: Seen = { offset: bytes.byteOffset, mask, file, copy };
    this.#seen.set(bytes.buffer, seen);
    this.#held.add(seen);
    this.#heldBytes += copy.length;
    for (const oldest of this.#held) {
      if (this.#heldBytes <= MAX_HELD_BYTES) break;
      this.#letGo(oldest);
    }
  }

  clear(): void {
    for (const seen of this.#held) this.#letGo(seen);
  }

  #letGo(seen: Seen): void {
    if (!this.#held.delete(seen)) return;
    this.#heldBytes -= seen.copy?.length ?? 0;
    seen.copy = undefined;
  }
}
