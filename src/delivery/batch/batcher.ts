// docs/decisions/0018-batches-of-2048-items.md says why.
import { performance } from '../../host/clock.ts';
import type { CallRecord } from '../../protocol/record.ts';
import type { Batch } from './batch.ts';
import { BatchText } from './batch-text.ts';
import type { Queue } from '../queue/queue.ts';

export const MAX_BATCH_ITEMS = 2048;
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Longest piece of encoding work between two turns of the event loop, and where more waits than a moment brings. */
const SLICE_MS = 2;
const LONG_SLICE_MS = 4;
const MANY_BYTES = 4 * 1024 * 1024;
/** Reading the clock for every record would cost a noticeable part of encoding a small one. */
const BYTES_PER_CLOCK_READ = 16 * 1024;

export interface BatcherEvents {
  /** A record that has no JSON text; it is lost. */
  readonly onUnencodable: (sequence: number, id: string | undefined, error: unknown) => void;
  readonly onSlice: (milliseconds: number) => void;
}

/** Turns records into batches. The JSON text of a record is made here, once. */
export class Batcher {
  readonly #queue: Queue;
  readonly #events: BatcherEvents;
  readonly #text = new BatchText();
  #sequence: number[] = [];

  constructor(queue: Queue, events: BatcherEvents) {
    this.#queue = queue;
    this.#events = events;
  }

  /** Records that left the queue and are in no batch yet. */
  get count(): number {
    return this.#sequence.length;
  }

  /** Number of the oldest of them. */
  get headSequence(): number | undefined {
    return this.#sequence[0];
  }

  /** Would the next record be one too many? False when there is none. */
  get isFull(): boolean {
    return this.#queue.length > 0 && !this.#hasRoomForNext();
  }

  /** Of their text, about. */
  get bytes(): number {
    return this.#text.length;
  }

  /** The next full batch, or what there is, in one go: for a process that ends. */
  buildNow(): Batch | undefined {
    while (!this.encodeSlice());
    return this.take();
  }

  /** The batch that is encoded so far; `undefined` when that is nothing. */
  take(): Batch | undefined {
    if (this.count === 0) return undefined;
    const batch = this.#text.take(this.#sequence);
    this.#sequence = [];
    return batch;
  }

  /** Encodes one record more, of which there must be one, and room for it. Answers about how long its text is. */
  encodeOne(): number {
    return this.#encodeNext();
  }

  /** Encodes for some milliseconds; true when the batch is full or nothing is left. */
  encodeSlice(): boolean {
    const startedAt = performance.now();
    const limitMs = this.#queue.bytes > MANY_BYTES ? LONG_SLICE_MS : SLICE_MS;
    let unmeasured = 0;
    while (this.#hasRoomForNext()) {
      unmeasured += this.#encodeNext();
      if (unmeasured < BYTES_PER_CLOCK_READ) continue;
      unmeasured = 0;
      if (performance.now() - startedAt < limitMs) continue;
      this.#events.onSlice(performance.now() - startedAt);
      return false;
    }
    this.#events.onSlice(performance.now() - startedAt);
    return true;
  }

  #hasRoomForNext(): boolean {
    const next = this.#queue.peek();
    if (!next || this.count >= MAX_BATCH_ITEMS) return false;
    return this.count === 0 || this.#text.length + next.bytes <= MAX_BATCH_BYTES;
  }

  #encodeNext(): number {
    this.#text.joinWhenLong();
    const sequence = this.#queue.headSequence;
    const record = this.#queue.shift() as CallRecord; // `hasRoomForNext` saw it.
    try {
      const length = this.#text.append(record);
      this.#sequence.push(sequence);
      return length;
    } catch (error) {
      this.#events.onUnencodable(sequence, record.kind === 'start' ? record.start.id : record.end.id, error);
      return 0;
    }
  }
}
