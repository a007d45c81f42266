// docs/decisions/0022-who-never-pauses-encodes.md says why.
import { setImmediate } from '../../host/timers.ts';
import type { CallRecord } from '../../protocol/record.ts';
import type { Batch } from '../batch/batch.ts';
import { Batcher, type BatcherEvents, MAX_BATCH_ITEMS } from '../batch/batcher.ts';
import { Queue } from './queue.ts';

export interface QueueLimits {
  /** @default 64 MiB, by the estimate of the walk that copied the values, or as JSON text where that is made */
  readonly bytes?: number;
  /** @default 300,000 records */
  readonly items?: number;
}

const DEFAULT_LIMITS = { bytes: 64 * 1024 * 1024, items: 300_000 };
/** Records beyond this are encoded in the next turn: the collector copies what lives on, but never looks at bytes. */
const MAX_UNENCODED_BYTES = 64 * 1024;
/** Beyond this whoever records encodes as he goes: a program that never pauses would else fill the queue. */
const MAX_BACKGROUND_BYTES = 4 * 1024 * 1024;
/** So much goes at once, however few records it is. */
const WORTH_SENDING_BYTES = 1024 * 1024;

/** Records that wait, in memory and bounded: the newer ones as they are, the older ones as batches. */
export class Backlog {
  readonly #limits: Required<QueueLimits>;
  readonly #queue = new Queue();
  readonly #batcher: Batcher;
  /** The oldest first. */
  readonly #batches: Batch[] = [];
  #batchBytes = 0;
  #batchItems = 0;
  #building: Promise<void> | undefined;

  constructor(limits: QueueLimits, events: BatcherEvents) {
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#batcher = new Batcher(this.#queue, events);
  }

  get count(): number {
    return this.#queue.length + this.#batcher.count + this.#batchItems;
  }

  get bytes(): number {
    return this.#queue.bytes + this.#batcher.bytes + this.#batchBytes;
  }

  /** Is the next record one too many? */
  get isFull(): boolean {
    return this.bytes >= this.#limits.bytes || this.count >= this.#limits.items;
  }

  /** Is there enough for a request that is worth making at once? */
  get hasFullBatch(): boolean {
    const items = this.#queue.length + this.#batcher.count;
    const bytes = this.#queue.bytes + this.#batcher.bytes;
    return this.#batches.length > 0 || items >= MAX_BATCH_ITEMS || bytes >= WORTH_SENDING_BYTES;
  }

  get isWorthEncoding(): boolean {
    return this.#queue.bytes > MAX_UNENCODED_BYTES;
  }

  /** Number of the oldest record that is in no batch; `undefined` when there is none. */
  get headSequence(): number | undefined {
    return this.#batcher.headSequence ?? (this.#queue.length > 0 ? this.#queue.headSequence : undefined);
  }

  push(record: CallRecord, sequence: number): void {
    this.#queue.push(record, sequence);
  }

  /** Makes the JSON text of about as many bytes as were recorded last, where more waits than turns will be had for. */
  keepUp(bytes: number): void {
    for (let left = bytes; left > 0 && this.#queue.bytes > MAX_BACKGROUND_BYTES;) {
      if (this.#batcher.isFull) this.#add(this.#batcher.take());
      left -= this.#batcher.encodeOne();
    }
  }

  /** The next batch, encoded now and in one go where none is ready; `undefined` when nothing waits. */
  takeNow(): Batch | undefined {
    if (this.#batches.length === 0) this.#add(this.#batcher.buildNow());
    return this.takeReady();
  }

  /** Makes a batch ready, and gives the event loop a turn every few milliseconds. */
  async prepare(): Promise<void> {
    if (this.#batches.length === 0) await this.#build();
  }

  /** The next batch that is ready, now the caller's, who must know at once where it is. */
  takeReady(): Batch | undefined {
    const batch = this.#batches.shift();
    if (batch) this.#count(batch, -1);
    return batch;
  }

  /** First in line again. */
  putBack(batch: Batch): void {
    this.#batches.unshift(batch);
    this.#count(batch, 1);
  }

  /**
   * Makes the JSON text of what waits, for some milliseconds, however long the service takes. True when there is more that is
   * worth it.
   */
  encodeAhead(): boolean {
    if (!this.isWorthEncoding) return false;
    this.#batcher.encodeSlice();
    if (this.#batcher.isFull) this.#add(this.#batcher.take());
    return this.isWorthEncoding;
  }

  /** Loses a tenth of what is in no batch, what hurts least first. Returns the numbers of the records that went. */
  dropLeastValuable(): number[] {
    return this.#queue.dropLeastValuable();
  }

  /** One batch at a time, whoever asks. */
  #build(): Promise<void> {
    this.#building ??= this.#buildOnce().finally(() => {
      this.#building = undefined;
    });
    return this.#building;
  }

  /** Somebody else may make the batch meanwhile, or take everything. */
  async #buildOnce(): Promise<void> {
    while (this.#batches.length === 0 && !this.#batcher.encodeSlice()) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (this.#batches.length === 0) this.#add(this.#batcher.take());
  }

  #add(batch: Batch | undefined): void {
    if (batch === undefined) return;
    this.#batches.push(batch);
    this.#count(batch, 1);
  }

  #count({ size, count }: Batch, sign: 1 | -1): void {
    this.#batchBytes += sign * size;
    this.#batchItems += sign * count;
  }
}
