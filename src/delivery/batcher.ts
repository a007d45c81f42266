import type { CallRecord } from '../protocol/record.ts';
import { Batch, ITEM_END } from './batch.ts';
import type { Queue } from './queue.ts';
import { recordText } from './record-text.ts';

export const MAX_BATCH_ITEMS = 512;
export const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** Longest piece of encoding work between two turns of the event loop. */
const SLICE_MS = 2;
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
  #buffers: Buffer[] = [];
  #texts: string[] = [];
  #sequence: number[] = [];
  #bytes = 0;

  constructor(queue: Queue, events: BatcherEvents) {
    this.#queue = queue;
    this.#events = events;
  }

  /** Records that left the queue and are in no batch yet. */
  get count(): number {
    return this.#sequence.length;
  }

  /**
   * Encodes the next full batch, or what there is, for `take`; gives the event loop a turn every few milliseconds. A
   * batch as the value of a promise would be nowhere for a moment, in which the process may end.
   */
  async fill(): Promise<void> {
    while (!this.#encodeSlice()) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Like `fill` and `take`, in one go: for a process that ends. */
  buildNow(): Batch {
    while (!this.#encodeSlice());
    return this.take();
  }

  /** What is encoded so far. */
  take(): Batch {
    this.#closeSlice();
    const [first] = this.#buffers;
    const content = first && this.#buffers.length === 1 ? first : Buffer.concat(this.#buffers);
    const batch = new Batch(content, this.#sequence);
    this.#buffers = [];
    this.#sequence = [];
    this.#bytes = 0;
    return batch;
  }

  /** True when the batch is full or nothing is left. */
  #encodeSlice(): boolean {
    const startedAt = performance.now();
    let unmeasured = 0;
    while (this.#hasRoomForNext()) {
      unmeasured += this.#encodeNext();
      if (unmeasured < BYTES_PER_CLOCK_READ) continue;
      unmeasured = 0;
      if (performance.now() - startedAt < SLICE_MS) continue;
      this.#closeSlice();
      this.#events.onSlice(performance.now() - startedAt);
      return false;
    }
    this.#events.onSlice(performance.now() - startedAt);
    return true;
  }

  #hasRoomForNext(): boolean {
    const next = this.#queue.peek();
    if (!next || this.count >= MAX_BATCH_ITEMS) return false;
    return this.count === 0 || this.#bytes + next.bytes <= MAX_BATCH_BYTES;
  }

  #encodeNext(): number {
    const sequence = this.#queue.headSequence;
    const record = this.#queue.shift() as CallRecord; // `hasRoomForNext` saw it.
    try {
      const text = recordText(record);
      this.#texts.push(text);
      this.#sequence.push(sequence);
      this.#bytes += text.length;
      return text.length;
    } catch (error) {
      this.#events.onUnencodable(sequence, record.kind === 'start' ? record.start.id : record.end.id, error);
      return 0;
    }
  }

  /** Strings that live until the batch is full would be copied by the collector again and again. */
  #closeSlice(): void {
    if (this.#texts.length === 0) return;
    this.#buffers.push(Buffer.from(this.#texts.join(ITEM_END) + ITEM_END));
    this.#texts = [];
  }
}
