import { setImmediate } from '../host/timers.ts';
import type { CallRecord } from '../protocol/record.ts';
import type { OwnSegment, Spool } from '../spool/spool.ts';
import { Backlog, type QueueLimits } from './queue/backlog.ts';
import type { Batch } from './batch/batch.ts';
import type { OwnRun } from './own-run.ts';
import { deliverBatch, divideRefused, refusalMessage } from './batch/batch-delivery.ts';
import { BlockedParts } from './transport/blocked-parts.ts';
import type { ServiceClient, DeliveryResult } from './transport/service-client.ts';
import type { OpenLane } from './queue/lanes.ts';
import { Ledger } from './queue/ledger.ts';
import { type Report, reportUnwritable } from './problem.ts';

/** More than this does not wait in memory for a service that may not come back soon. */
const MAX_BYTES_OF_STRUGGLING = 8 * 1024 * 1024;

/** So much may wait in memory that never gets through. */
const MAX_BLOCKED_BYTES = 8 * 1024 * 1024;

/** Sent side by side by who waits for the answers. */
const BATCHES_AT_ONCE = 4;

export interface CallLaneOptions {
  readonly spool: Spool;
  readonly report: Report;
  readonly limits?: QueueLimits;
  /** A service worth trying, or `undefined`: then records go to the spool. */
  readonly connect: () => Promise<ServiceClient | undefined>;
  readonly openLane: OpenLane;
  readonly run?: OwnRun | undefined;
}

interface KeptFate {
  readonly refused: readonly { readonly part: Batch; readonly reason: string }[];
  /** Has the service spoken about all of it? */
  readonly isComplete: boolean;
}

/** Starts and ends of calls on their way: backlog → service or spool. Each is in exactly one place. */
export class CallLane {
  readonly ledger = new Ledger();
  readonly #options: CallLaneOptions;
  readonly #backlog: Backlog;
  /** Batches the service was asked to take. */
  readonly #underway = new Set<Batch>();
  /** Others that it was asked to take, and that are on disk as well: the process may be killed at any time. */
  readonly #kept = new Map<Batch, OwnSegment>();
  /** Single records, mostly, that do not get through while others do, and that the disk does not take. */
  readonly #blocked = new BlockedParts<Batch>();
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
    const batches = [...this.#underway, ...this.#blocked.parts];
    return batches.reduce((total, { count }) => total + count, this.#backlog.count);
  }

  get bytes(): number {
    return this.#backlog.bytes + this.#blockedBytes;
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
    for (const part of [...this.#blocked.takeDue()].reverse()) this.#backlog.putBack(part);
    while (this.#hasWork()) {
      const service = await this.#options.connect();
      const isMoving = service ? await this.#send(service) : await this.#spoolNext();
      if (!isMoving) return;
      // Neither a disk nor a service that keeps up makes a pause, and a long queue would stop the program for as long.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Lets what waits take less memory while the lane is busy: on disk where the service struggles, else as text. */
  async relieve(service: ServiceClient | undefined): Promise<void> {
    if (this.#isRelieving) return;
    this.#isRelieving = true;
    try {
      while (await this.#relieveOnce(service)) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      this.#isRelieving = false;
    }
  }

  /** False when there is no need, or no way. */
  async #relieveOnce(service: ServiceClient | undefined): Promise<boolean> {
    if (this.#isStuck) return false;
    const isMuch = this.#backlog.bytes > MAX_BYTES_OF_STRUGGLING;
    // Who answers, though late, empties memory too: nothing on disk is given up for it.
    const isForDisk = service?.isAway === true || (service?.isStruggling === true && this.#options.spool.hasRoom);
    return isMuch && isForDisk ? this.#spoolNext() : this.#backlog.encodeAhead();
  }

  /** Writes all there is to the spool, synchronously; at the end nobody waits any more for what is under way. */
  spoolNow({ isEnd }: { isEnd: boolean }): void {
    const batches = isEnd ? [...this.#underway] : [];
    if (isEnd) this.#underway.clear();
    else this.#keepUnderway();
    for (let batch = this.#backlog.takeNow(); batch; batch = this.#backlog.takeNow()) batches.push(batch);
    const left = batches.filter((batch) => !this.#append(batch));
    for (const batch of [...left].reverse()) this.#strand(batch);
    for (const part of this.#blocked.parts) if (this.#append(part)) this.#blocked.remove(part);
  }

  /** Resolves when the service has spoken about all that is both under way and on disk. */
  async keptAnswered(): Promise<void> {
    if (this.#kept.size > 0) await (await this.#options.openLane('calls')).onIdle();
  }

  /** Sends what waits, some batches at a time, until the service answers no more. No bad record takes a good one with it. */
  sendNow(send: (batches: readonly Batch[]) => readonly DeliveryResult[]): void {
    for (let batches = this.#takeSome(); batches.length > 0; batches = this.#takeSome()) {
      const results = send(batches);
      const left = batches.flatMap((batch, index) => this.#settleNow(batch, results[index]));
      for (const batch of [...left].reverse()) this.#backlog.putBack(batch);
      if (results.some((result) => result.kind === 'unreachable' && !result.isBlocked)) return;
    }
  }

  /** Parts that are worth sending again. */
  #settleNow(batch: Batch, result: DeliveryResult | undefined): readonly Batch[] {
    if (result?.kind === 'accepted') this.ledger.settle(batch.sequence, 'sent');
    else if (result?.kind === 'refused') {
      const { refused, again } = divideRefused(batch, result);
      for (const { part, reason } of refused) this.#dropRefused(part, reason);
      return again;
    } else if (!result?.isBlocked) return [batch];
    else if (batch.count > 1) return batch.split();
    else this.#blocked.add(batch);
    return [];
  }

  /** Counts what neither disk nor service has taken as lost. */
  dropAll(): void {
    for (let batch = this.#backlog.takeNow(); batch; batch = this.#backlog.takeNow()) {
      this.ledger.drop(batch.sequence, 'exit');
    }
    for (const part of this.#blocked.takeAll()) this.ledger.drop(part.sequence, 'exit');
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

  async #send(service: ServiceClient): Promise<boolean> {
    const queue = await this.#options.openLane('calls');
    await queue.onSizeLessThan(1);
    await this.#backlog.prepare();
    const batch = this.#backlog.takeReady();
    if (!batch) return true;
    this.#isStuck = false;
    this.#underway.add(batch);
    queue
      .add(() => this.#deliver(service, batch))
      .catch((cause: unknown) => {
        this.#options.report('internal', 'Delivery of a batch failed', { count: batch.count, cause });
      });
    return true;
  }

  async #deliver(service: ServiceClient, batch: Batch): Promise<void> {
    // While it waited for its turn the process may have begun to end, and it was written to disk.
    if (!this.#underway.has(batch) && !this.#kept.has(batch)) return;
    const sent: Batch[] = [];
    const refused: { readonly part: Batch; readonly reason: string }[] = [];
    const unreachable: Batch[] = [];
    await deliverBatch(service, batch, {
      run: this.#options.run?.text(),
      sent: (part) => void sent.push(part),
      refused: (part, reason) => void refused.push({ part, reason }),
      unreachable: (part) => void unreachable.push(part),
    });
    const segment = this.#kept.get(batch);
    if (segment) this.#settleKept(batch, segment, { refused, isComplete: unreachable.length === 0 });
    // Whoever spooled the batch meanwhile, because the process ends, has settled it.
    if (!this.#underway.delete(batch)) return;
    for (const part of sent) this.ledger.settle(part.sequence, 'sent');
    for (const { part, reason } of refused) this.#dropRefused(part, reason);
    for (const part of unreachable) {
      if (service.isUsable) this.#hold(part);
      else this.#toSpool(part);
    }
    if (sent[0] === batch) batch.release('answered');
  }

  #keepUnderway(): void {
    for (const batch of this.#underway) {
      const segment = this.#options.spool.keep(batch.content, { calls: batch.count, objects: 0 });
      if (!segment) return;
      this.#kept.set(batch, segment);
      this.#underway.delete(batch);
      this.ledger.settle(batch.sequence, 'spooled');
    }
  }

  /** One that did not get through as a whole is sent again from the disk, which is harmless. */
  #settleKept(batch: Batch, segment: OwnSegment, { refused, isComplete }: KeptFate): void {
    const { spool } = this.#options;
    this.#kept.delete(batch);
    if (!isComplete) return spool.putBack(segment);
    if (!spool.remove(segment)) return;
    this.ledger.deliverSpooled(batch.count - refused.length);
    this.ledger.dropSpooled(refused.length, 'refused');
    for (const { part, reason } of refused) this.#reportRefused(part, reason);
  }

  #takeSome(): Batch[] {
    const batches: Batch[] = [];
    for (let left = BATCHES_AT_ONCE; left > 0; left--) {
      const batch = this.#backlog.takeNow();
      if (batch) batches.push(batch);
    }
    return batches;
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

  get #blockedBytes(): number {
    return this.#blocked.parts.reduce((total, { size }) => total + size, 0);
  }

  /** It did not get through to a service that takes others, so these must not wait for it. */
  #hold(part: Batch): void {
    if (this.#append(part)) return;
    const { report, spool } = this.#options;
    reportUnwritable(report, spool.lastError);
    if (this.#blockedBytes + part.size <= MAX_BLOCKED_BYTES) return this.#blocked.add(part);
    this.ledger.drop(part.sequence, 'queue-full');
    const message = 'Records were lost: they do not get through, and the disk takes nothing';
    report('queue-full', message, { count: part.count });
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

  #dropRefused(part: Batch, reason: string): void {
    this.ledger.drop(part.sequence, 'refused');
    this.#reportRefused(part, reason);
  }

  #reportRefused(part: Batch, reason: string): void {
    this.#options.report('record-refused', refusalMessage(part, reason), { count: part.count });
  }

  #dropUnencodable(sequence: number, id: string | undefined, cause: unknown): void {
    this.ledger.drop([sequence], 'unencodable');
    this.#options.report('unencodable', `Cannot make JSON of a record of call "${id}"`, { count: 1, cause });
  }
}
