import { setImmediate } from '../host/timers.ts';
import type { CallRecord } from '../protocol/record.ts';
import type { Spool } from '../spool/spool.ts';
import { Backlog, type QueueLimits } from './backlog.ts';
import type { Batch } from './batch.ts';
import { deliverBatch, refusalMessage } from './batch-delivery.ts';
import type { Connection } from './connection.ts';
import type { OpenLane } from './lanes.ts';
import { Ledger } from './ledger.ts';
import { type Report, reportUnwritable } from './problem.ts';

/** More than this does not wait in memory for a service that may not come back soon. */
const MAX_BYTES_OF_STRUGGLING = 8 * 1024 * 1024;

export interface CallLaneOptions {
  readonly spool: Spool;
  readonly report: Report;
  readonly limits?: QueueLimits;
  /** A connection worth trying, or `undefined`: then records go to the spool. */
  readonly connect: () => Promise<Connection | undefined>;
  readonly openLane: OpenLane;
}

/** Starts and ends of calls on their way: backlog → service or spool. Each is in exactly one place. */
export class CallLane {
  readonly ledger = new Ledger();
  readonly #options: CallLaneOptions;
  readonly #backlog: Backlog;
  /** Batches the service was asked to take. */
  readonly #underway = new Set<Batch>();
  #isRelieving = false;
  /** Did neither service nor disk take the oldest batch? */
  #isStuck = false;
  #dueUpTo = 0;
  #longestEncodeMs = 0;

  constructor(options: CallLaneOptions) {
    this.#options = options;
    this.#backlog = new Backlog(options.limits ?? {}, {
      onUnencodable: (sequence, id, error) => this.#dropUnencodable(sequence, id, error),
      onSlice: (milliseconds) => {
        this.#longestEncodeMs = Math.max(this.#longestEncodeMs, milliseconds);
      },
    });
  }

  /** Records that are in memory, counted where they are. */
  get count(): number {
    return [...this.#underway].reduce((total, { count }) => total + count, this.#backlog.count);
  }

  get bytes(): number {
    return this.#backlog.bytes;
  }

  get longestEncodeMs(): number {
    return this.#longestEncodeMs;
  }

  get hasFullBatch(): boolean {
    return this.#backlog.hasFullBatch;
  }

  /** Is there something to do that should not wait for the timer? */
  get isUrgent(): boolean {
    return this.#backlog.isWorthEncoding || this.#backlog.hasFullBatch;
  }

  get isStuck(): boolean {
    return this.#isStuck;
  }

  write(record: CallRecord): void {
    const sequence = this.ledger.record();
    if (this.#backlog.isFull) this.#makeRoom();
    this.#backlog.push(record, sequence);
    // What nobody takes stays as it is: in batches one could no longer choose what to lose.
    if (!this.#isStuck) this.#backlog.keepUp(record.bytes);
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
      // Neither a disk nor a service that keeps up makes a pause, and a long queue would stop the program for as long.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Lets what waits take less memory while the lane is busy: on disk where the service struggles, else as text. */
  async relieve(connection: Connection | undefined): Promise<void> {
    if (this.#isRelieving) return;
    this.#isRelieving = true;
    try {
      while (await this.#relieveOnce(connection)) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      this.#isRelieving = false;
    }
  }

  /** False when there is no need, or no way. */
  async #relieveOnce(connection: Connection | undefined): Promise<boolean> {
    if (this.#isStuck) return false;
    const isMuch = this.#backlog.bytes > MAX_BYTES_OF_STRUGGLING;
    // Who answers, though late, empties memory too: nothing on disk is given up for it.
    const isForDisk = connection?.isAway === true || (connection?.isStruggling === true && this.#options.spool.hasRoom);
    return isMuch && isForDisk ? this.#spoolNext() : this.#backlog.encodeAhead();
  }

  /** Writes all there is to the spool, synchronously; at the end what the disk does not take is counted as lost. */
  spoolNow({ isEnd }: { isEnd: boolean }): void {
    const batches = isEnd ? [...this.#underway] : [];
    if (isEnd) this.#underway.clear();
    for (let batch = this.#backlog.takeNow(); batch; batch = this.#backlog.takeNow()) batches.push(batch);
    const left = batches.filter((batch) => !this.#append(batch));
    for (const batch of left.toReversed()) this.#strand(batch);
    if (isEnd) this.#dropAll();
  }

  /** Writes what waits to the spool as long as the disk takes it; the rest waits on. */
  writeAhead(): void {
    for (let batch = this.#backlog.takeNow(); batch; batch = this.#backlog.takeNow()) {
      if (!this.#toSpool(batch)) return;
    }
  }

  #hasWork(): boolean {
    const head = this.#backlog.headSequence;
    return this.hasFullBatch || (head !== undefined && head <= this.#dueUpTo);
  }

  async #send(connection: Connection): Promise<boolean> {
    const queue = await this.#options.openLane('calls');
    await queue.onSizeLessThan(1);
    await this.#backlog.prepare();
    const batch = this.#backlog.takeReady();
    if (!batch) return true;
    this.#isStuck = false;
    this.#underway.add(batch);
    queue
      .add(() => this.#deliver(connection, batch))
      .catch((cause: unknown) => {
        this.#options.report('internal', 'Delivery of a batch failed', { count: batch.count, cause });
      });
    return true;
  }

  async #deliver(connection: Connection, batch: Batch): Promise<void> {
    // While it waited for its turn the process may have begun to end, and it was written to disk.
    if (!this.#underway.has(batch)) return;
    const settlements: (() => void)[] = [];
    let isAnswered = false;
    await deliverBatch(connection, batch, {
      sent: (part) => {
        isAnswered = part === batch;
        settlements.push(() => this.ledger.settle(part.sequence, 'sent'));
      },
      refused: (part, reason) => settlements.push(() => this.#dropRefused(part, reason)),
      unreachable: (part) => settlements.push(() => this.#toSpool(part)),
    });
    // Whoever spooled the batch meanwhile, because the process ends, has settled it.
    if (!this.#underway.delete(batch)) return;
    for (const settle of settlements) settle();
    if (isAnswered) batch.release('answered');
  }

  async #spoolNext(): Promise<boolean> {
    await this.#backlog.prepare();
    const batch = this.#backlog.takeReady();
    return batch === undefined || this.#toSpool(batch);
  }

  /** False when the disk does not take it; then it waits in memory. */
  #toSpool(batch: Batch): boolean {
    const isWritten = this.#append(batch);
    if (!isWritten) this.#strand(batch);
    return isWritten;
  }

  #append(batch: Batch): boolean {
    if (batch.count === 0) return true;
    if (!this.#options.spool.append(batch.content, { calls: batch.count, objects: 0 })) return false;
    this.#isStuck = false;
    this.ledger.settle(batch.sequence, 'spooled');
    batch.release('written');
    return true;
  }

  #strand(batch: Batch): void {
    this.#backlog.putBack(batch);
    this.#isStuck = true;
    reportUnwritable(this.#options.report, this.#options.spool.lastError);
  }

  /** The oldest records go to disk in the caller's turn: that is the back-pressure of a burst without a pause. */
  #makeRoom(): void {
    const batch = this.#backlog.takeNow();
    if (batch && this.#toSpool(batch)) return;
    const dropped = this.#backlog.dropLeastValuable();
    this.ledger.drop(dropped, 'queue-full');
    this.#options.report('queue-full', 'Records were lost: the queue is full and the disk takes nothing', {
      count: dropped.length,
    });
  }

  #dropAll(): void {
    for (let batch = this.#backlog.takeNow(); batch; batch = this.#backlog.takeNow()) {
      this.ledger.drop(batch.sequence, 'exit');
    }
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
