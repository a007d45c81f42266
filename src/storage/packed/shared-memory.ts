import type { Packed } from './packing.ts';
import { sharePacked } from './shared-text.ts';

const MIB = 1024 * 1024;

/** More is let go of, as it is seldom needed. */
const MAX_KEPT_BYTES = 8 * MIB;

/**
 * Memory for records on their way to another thread, the same again and again: no thread counts shared memory as its own,
 * so none collects what it has of it, and a hundred portions of a large body would all be there until something else is.
 */
export class SharedMemory {
  #free: SharedArrayBuffer | undefined;

  /** Until the promise resolves the records are there; who needs any of them later makes a copy. */
  async lend<Result>(packed: Packed, use: (shared: Packed) => Promise<Result>): Promise<Result> {
    let lent: SharedArrayBuffer | undefined;
    const shared = sharePacked(packed, (bytes) => (lent = this.#take(bytes)));
    const result = await use(shared);
    // Not after a failure: what was refused is kept, to be tried again.
    if (lent !== undefined && lent.byteLength <= MAX_KEPT_BYTES) this.#free = lent;
    return result;
  }

  #take(bytes: number): SharedArrayBuffer {
    const free = this.#free;
    this.#free = undefined;
    return free !== undefined && free.byteLength >= bytes ? free : new SharedArrayBuffer(Math.ceil(bytes / MIB) * MIB);
  }
}
