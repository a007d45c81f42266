import type { CallRecord } from '../protocol/record.ts';
import { Batch, FRAME } from './batch.ts';
import { appendRecord } from './record-text.ts';

/**
 * Pieces are joined when they are about this long. A longer text would get memory of its own, which takes more time than
 * filling it; and until then the collector copies the pieces again and again.
 */
const JOIN_LENGTH = 32 * 1024;

const SMALLEST = 16 * 1024;
const EMPTY = Buffer.alloc(0);

/** A batch waits in memory of at most this many times its size. */
const MOST_SLACK = 1.25;
/** Batches differ by a little. */
const ROOM_FOR_MORE = 1.125;

/** As many as there are requests at once, more or less. */
const MAX_SPARES = 4;

/** The JSON text of a batch as it grows. */
export class BatchText {
  #pieces: string[] = [];
  #piecesLength = 0;
  #bytes = EMPTY;
  #end = 0;
  /** Memory of batches that are done: new memory takes more time than filling it, and the old waits for the collector. */
  #spares: (typeof EMPTY)[] = [];
  /** Of the last batch: the next one is mostly about as large. */
  #lastSize = 0;

  /** About as many bytes as there are. */
  get length(): number {
    return this.#end + this.#piecesLength;
  }

  /** Answers about how long the text of the record is. Throws, and is as before, when there is none. */
  append(record: CallRecord): number {
    const length = appendRecord(this.#pieces, record);
    this.#piecesLength += length;
    if (this.#piecesLength > JOIN_LENGTH) this.#join();
    return length;
  }

  /** All there is, as a batch of the records with these numbers. */
  take(sequence: readonly number[]): Batch {
    this.#join();
    const end = this.#end + FRAME.closing.copy(this.#bytes, this.#end);
    const memory = this.#bytes;
    this.#lastSize = end;
    this.#bytes = EMPTY;
    this.#end = 0;
    const bytes = memory.subarray(0, end);
    if (memory.length <= end * MOST_SLACK) return new Batch(bytes, sequence, () => this.#keep(memory));
    // Batches have become smaller, so that nothing of this size is needed again soon.
    this.#spares = [];
    return new Batch(Buffer.from(bytes), sequence);
  }

  #keep(memory: typeof EMPTY): void {
    if (this.#spares.length < MAX_SPARES) this.#spares.push(memory);
  }

  #join(): void {
    const text = this.#pieces.join('');
    this.#pieces = [];
    this.#piecesLength = 0;
    this.#makeRoom(Buffer.byteLength(text) + FRAME.closing.length);
    this.#end += this.#bytes.write(text, this.#end);
  }

  #makeRoom(size: number): void {
    if (this.#bytes.length >= this.#end + size) return;
    const bytes = this.#end === 0 ? this.#fresh(FRAME.opening.length + size) : this.#larger(this.#end + size);
    this.#end = this.#end === 0 ? FRAME.opening.copy(bytes) : this.#bytes.copy(bytes, 0, 0, this.#end);
    this.#bytes = bytes;
  }

  #fresh(size: number): typeof EMPTY {
    const spare = this.#spares.pop();
    if (spare !== undefined && spare.length >= size) return spare;
    return Buffer.allocUnsafe(Math.max(size, SMALLEST, Math.floor(this.#lastSize * ROOM_FOR_MORE)));
  }

  #larger(size: number): typeof EMPTY {
    return Buffer.allocUnsafe(Math.max(size, this.#bytes.length * 2));
  }
}
