import type PQueue from 'p-queue';
import type { CallRecord } from '../protocol/record.ts';
import type { Spool } from '../spool/spool.ts';
import type { Batch } from './batch.ts';
import { deliverBatch, refusalMessage } from './batch-delivery.ts';
import { Batcher, MAX_BATCH_BYTES, MAX_BATCH_ITEMS } from './batcher.ts';
import type { Connection } from './connection.ts';
import { Ledger } from './ledger.ts';
import { type Report, reportUnwritable } from './problem.ts';
import { Queue, type QueueLimits } from './queue.ts';

export interface CallLaneOptions {
  readonly spool: Spool;
  readonly report: Report;
  readonly limits?: QueueLimits;
  /** A connection worth trying, or `undefined`: then records go to the spool. */
  readonly connect: () => Promise<Connection | undefined>;
  readonly openQueue: () => Promise<PQueue>;
}

/** Starts and ends of calls on their way: queue → batch → service or spool. Each is in exactly one place. */
export class CallLane {
  readonly ledger = new Ledger();
  readonly #options: CallLaneOptions;
  readonly #queue: Queue;
  readonly #batcher: Batcher;
  /** Batches the service was asked to take. */
  readonly #underway = new Set<Batch>();
  /** Batches that neither service nor disk would take. */
  #stranded: Batch[] = [];
  #dueUpTo = 0;
  #longestEncodeMs = 0;

  constructor(options: CallLaneOptions) {
    this.#options = options;
    this.#queue = new Queue(options.limits);
    this.#batcher = new Batcher(this.#queue, {
      onUnencodable: (sequence, id, error) => this.#dropUnencodable(sequence, id, error),
      onSlice: (milliseconds) => {
        this.#longestEncodeMs = Math.max(this.#longestEncodeMs, milliseconds);
      },
    });
  }

  /** Records that are in memory, counted where they are. */
  get count(): number {
    const batches = [...this.#underway, ...this.#stranded];
    return batches.reduce((total, { count }) => total + count, this.#queue.length + this.#batcher.count);
  }

  get bytes(): number {
    return this.#queue.bytes;
  }

  get longestEncodeMs(): number {
    return this.#longestEncodeMs;
  }

  get hasFullBatch(): boolean {
    return this.#queue.length >= MAX_BATCH_ITEMS || this.#queue.bytes >= MAX_BATCH_BYTES;
  }

  get isStuck(): boolean {
    return this.#stranded.length > 0;
  }

  write(record: CallRecord): void {
    const sequence = this.ledger.record();
    if (this.#queue.isFull) this.#makeRoom();
    this.#queue.push(record, sequence);
  }

  /** From now on all that is recorded until now is to be sent, not only full batches. */
  makeDue(): void {
    this.#dueUpTo = this.ledger.recorded;
  }

  /** Hands over what is due; resolves when it is on its way, not when it has arrived. */
  async pump(): Promise<void> {
    while (this.#hasWork()) {
      const connection = await this.#options.connect();
      const isMoving = connection ? await this.#send(connection) : await this.#spoolNext();
      if (!isMoving) return;
    }
  }

  /** Writes all there is to the spool, synchronously; what the disk does not take is counted as lost. */
  spoolNow({ isEnd }: { isEnd: boolean }): void {
    const batches = [...this.#stranded, ...(isEnd ? this.#underway : [])];
    this.#stranded = [];
    if (isEnd) this.#underway.clear();
    while (this.#queue.length + this.#batcher.count > 0) batches.push(this.#batcher.buildNow());
    for (const batch of batches) this.#toSpool(batch);
    if (!isEnd) return;
    for (const batch of this.#stranded) this.ledger.drop(batch.sequence, 'exit');
    this.#stranded = [];
  }

  /** Writes what waits to the spool as long as the disk takes it; the rest waits on. */
  writeAhead(): void {
    for (let batch = this.#next(); batch; batch = this.#next()) if (!this.#toSpool(batch)) return;
  }

  #next(): Batch | undefined {
    const isEmpty = this.#queue.length + this.#batcher.count === 0;
    return this.#stranded.shift() ?? (isEmpty ? undefined : this.#batcher.buildNow());
  }

  #hasWork(): boolean {
    if (this.#stranded.length > 0 || this.hasFullBatch) return true;
    return this.#queue.length > 0 && this.#queue.headSequence <= this.#dueUpTo;
  }

  async #send(connection: Connection): Promise<boolean> {
    const queue = await this.#options.openQueue();
    await queue.onSizeLessThan(1);
    const batch = this.#stranded.shift() ?? (await this.#batcher.build());
    this.#underway.add(batch);
    queue
      .add(() => this.#deliver(connection, batch))
      .catch((cause: unknown) => {
        this.#options.report('internal', 'Delivery of a batch failed', { count: batch.count, cause });
      });
    return true;
  }

  async #deliver(connection: Connection, batch: Batch): Promise<void> {
    const parts: [Batch, () => void][] = [];
    await deliverBatch(connection, batch, {
      sent: (part) => parts.push([part, () => this.ledger.settle(part.sequence, 'sent')]),
      refused: (part, reason) => parts.push([part, () => this.#dropRefused(part, reason)]),
      unreachable: (part) => parts.push([part, () => this.#toSpool(part)]),
    });
    // Whoever spooled the batch meanwhile, because the process ends, has settled it.
    if (!this.#underway.delete(batch)) return;
    for (const [, settle] of parts) settle();
  }

  async #spoolNext(): Promise<boolean> {
    const batch = this.#stranded.shift() ?? (await this.#batcher.build());
    return this.#toSpool(batch);
  }

  /** False when the disk does not take it; then it waits in memory. */
  #toSpool(batch: Batch): boolean {
    if (batch.count === 0) return true;
    const isWritten = this.#options.spool.append(batch.lines(), { calls: batch.count, objects: 0 });
    if (isWritten) this.ledger.settle(batch.sequence, 'spooled');
    else this.#strand(batch);
    return isWritten;
  }

  #strand(batch: Batch): void {
    this.#stranded.push(batch);
    reportUnwritable(this.#options.report, this.#options.spool.lastError);
  }

  /** The oldest records go to disk in the caller's turn: that is the back-pressure of a burst without a pause. */
  #makeRoom(): void {
    const batch = this.#stranded.shift() ?? this.#batcher.buildNow();
    if (this.#toSpool(batch)) return;
    if (!this.#queue.isFull) return;
    const dropped = this.#queue.dropLeastValuable();
    this.ledger.drop(dropped, 'queue-full');
    this.#options.report('queue-full', 'Records were lost: the queue is full and the disk takes nothing', {
      count: dropped.length,
    });
  }

  #dropRefused(part: Batch, reason: string): void {
    this.ledger.drop(part.sequence, 'refused');
    this.#options.report('record-refused', refusalMessage(part, reason), { count: part.count });
  }

  #dropUnencodable(sequence: number, id: string | undefined, cause: unknown): void {
    this.ledger.drop([sequence], 'unencodable');
    this.#options.report('unencodable', `Cannot make JSON of a record of call "${id}"`, { count: 1, cause });
  }
}
