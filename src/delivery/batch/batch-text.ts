import type { CallRecord } from '../../protocol/record.ts';
import { Batch, FRAME } from './batch.ts';
import { appendRecord } from './record-text.ts';

/**
 * Pieces are joined when they are about this long. A longer text would get memory of its own, which takes more time than
 * filling it; and until then the collector copies the pieces again and again.
 */
const JOIN_LENGTH = 32 * 1024;

/** UTF-8 of one unit of UTF-16. */
const MOST_BYTES_PER_UNIT = 3;

const SMALLEST = 16 * 1024;
const EMPTY = Buffer.alloc(0);

/** A batch waits in memory of at most this many times its size. */
const MOST_SLACK = 1.25;
/** Batches differ by a little. */
const ROOM_FOR_MORE = 1.125;
/** From one batch to the next, what is thought to be their usual size falls to this part. */
const FORGETTING = 0.75;

const MAX_SPARES = 3;
/** Memory is kept for batches that are larger than usual by this factor. */
const MOST_UNUSUAL = 4;

/** The JSON text of a batch as it grows. */
export class BatchText {
  #pieces: string[] = [];
  #piecesLength = 0;
  #bytes = EMPTY;
  #end = 0;
  #usualSize = 0;
  /** Memory of batches that are done: new memory takes more time than filling it, and the old waits for the collector. */
  #spares: (typeof EMPTY)[] = [];

  /** About as many bytes as there are. */
  get length(): number {
    return this.#end + this.#piecesLength;
  }

  /** Makes bytes of what was appended where that has become long. Throws, and is as before, when no memory can be had. */
  joinWhenLong(): void {
    if (this.#piecesLength > JOIN_LENGTH) this.#join();
  }

  /** Answers about how long the text of the record is. Throws, and is as before, when there is none. */
  append(record: CallRecord): number {
    const length = appendRecord(this.#pieces, record);
    this.#piecesLength += length;
    return length;
  }

  /** All there is, as a batch of the records with these numbers. Throws, and is as before, when no memory can be had. */
  take(sequence: readonly number[]): Batch {
    this.#join();
    const memory = this.#bytes;
    const end = this.#end + FRAME.closing.copy(memory, this.#end);
    const isRoomy = memory.length > end * MOST_SLACK;
    const bytes = isRoomy ? Buffer.from(memory.subarray(0, end)) : memory.subarray(0, end);
    this.#bytes = EMPTY;
    this.#end = 0;
    this.#usualSize = Math.max(end, this.#usualSize * FORGETTING);
    if (!isRoomy) return new Batch(bytes, sequence, () => this.#keep(memory));
    // Memory that has doubled as a batch grew is let go: what comes in its place has the usual size, and is not copied.
    if (memory.length <= Math.max(SMALLEST, this.#usualSize) * MOST_SLACK) this.#keep(memory);
    return new Batch(bytes, sequence);
  }

  /** Nothing of a size that is needed no more is kept. */
  #keep(memory: typeof EMPTY): void {
    const largest = Math.max(SMALLEST, this.#usualSize) * MOST_UNUSUAL;
    this.#spares = [...this.#spares, memory].filter(({ length }) => length <= largest).slice(-MAX_SPARES);
  }

  #join(): void {
    const text = this.#pieces.join('');
    // To count the bytes of a text takes as long as to write them, and mostly there is room for any.
    const most = text.length * MOST_BYTES_PER_UNIT + FRAME.closing.length;
    if (this.#bytes.length < this.#end + most) this.#makeRoom(Buffer.byteLength(text) + FRAME.closing.length);
    this.#end += this.#bytes.write(text, this.#end);
    this.#pieces = [];
    this.#piecesLength = 0;
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
    return Buffer.allocUnsafe(Math.max(size, SMALLEST, Math.floor(this.#usualSize * ROOM_FOR_MORE)));
  }

  #larger(size: number): typeof EMPTY {
    return Buffer.allocUnsafe(Math.max(size, this.#bytes.length * 2));
  }
}
