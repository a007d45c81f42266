import { bytesOf, type SegmentColumns } from './segment-columns.ts';

/** Bytes of columns that stay in memory: of a million calls of which a third use models, about 80 MB. */
const MAX_BYTES = 96 * 1024 * 1024;

interface Cached {
  readonly changes: number;
  readonly columns: SegmentColumns;
  readonly bytes: number;
}

/** Columns of segments in memory, for all connections of a thread: they are those of a segment after so many changes. */
export class ColumnCache {
  readonly #maxBytes: number;
  readonly #cached = new Map<number, Cached>();
  #bytes = 0;

  constructor(maxBytes: number = MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(number: number, changes: number): SegmentColumns | undefined {
    const cached = this.#cached.get(number);
    return cached?.changes === changes ? cached.columns : undefined;
  }

  set(number: number, changes: number, columns: SegmentColumns): void {
    this.#drop(number);
    const bytes = bytesOf(columns);
    if (bytes > this.#maxBytes) return;
    while (this.#bytes + bytes > this.#maxBytes) this.#drop(this.#anyNumber());
    this.#cached.set(number, { changes, columns, bytes });
    this.#bytes += bytes;
  }

  /** Sums go through all segments in turn: the one that was used longest ago would be the next to be wanted. */
  #anyNumber(): number {
    const numbers = [...this.#cached.keys()];
    return numbers[Math.floor(Math.random() * numbers.length)] ?? 0;
  }

  #drop(number: number): void {
    this.#bytes -= this.#cached.get(number)?.bytes ?? 0;
    this.#cached.delete(number);
  }
}
