import { Date } from '../host/clock.ts';
import { clearTimeout, setTimeout } from '../host/timers.ts';
import type { CallRecord, FileRecord, ObjectRecord, TableRecord } from '../protocol/record.ts';
import { Spool } from '../spool/spool.ts';
import { nameAnswer } from './transport/answer-name.ts';
import { MAX_BATCH_ITEMS } from './batch/batcher.ts';
import { CallLane } from './call-lane.ts';
import type { ServiceClient } from './transport/service-client.ts';
import { DeliveryEnd } from './end/delivery-end.ts';
import { FlushTimer } from './queue/flush-timer.ts';
import type { DeliveryOptions, FlushOptions } from './delivery-options.ts';
import { countsOf, type DeliveryStats } from './queue/delivery-stats.ts';
import { laneOpener } from './queue/lanes.ts';
import type { FlushResult } from './queue/ledger.ts';
import { ObjectDelivery } from './objects/object-delivery.ts';
import { ObjectLane } from './objects/object-lane.ts';
import type { Publication } from './objects/publication.ts';
import { type Pump, Pumps } from './queue/pumps.ts';
import { ServiceWatch } from './spooled/service-watch.ts';
import { type IsAcknowledgement, judge } from './transport/retry.ts';
import { Route } from './transport/route.ts';
import { SpoolDrain } from './spooled/spool-drain.ts';
import { SpoolFates } from './spooled/spool-fates.ts';
import { TurnWatch } from './queue/turn-watch.ts';

export type { DeliveryOptions } from './delivery-options.ts';
export type { DeliveryStats } from './queue/delivery-stats.ts';

/** From records to the service, or to the disk until there is one. Never throws, never waits for the network. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #spool: Spool;
  readonly #route: Route;
  readonly #objectDelivery = new ObjectDelivery();
  readonly #calls: CallLane;
  readonly #objects: ObjectLane;
  readonly #timer: FlushTimer;
  readonly #drain: SpoolDrain;
  /** Only where records are written ahead. */
  #turns: TurnWatch | undefined;
  readonly #pumps: Pumps;
  readonly #serviceWatch: ServiceWatch;
  readonly #end: DeliveryEnd;
  readonly #fates: SpoolFates;
  /** Has a call been recorded? */
  #hasBegun = false;
  /** Records of calls that were written ahead since the last time that what was written was sent. */
  #writtenItems = 0;

  constructor(options: DeliveryOptions) {
    const { home, segmentTarget, report, run, spoolBytes, limits } = options;
    const openLane = laneOpener();
    this.#options = options;
    this.#spool = new Spool({
      home,
      target: () => segmentTarget,
      run: () => run?.text(),
      ...(spoolBytes === undefined ? {} : { budgetBytes: spoolBytes }),
      onWritten: () => this.#watchSpool(),
      onEvicted: (lost) => this.#fates.addEvicted(lost),
    });
    this.#route = new Route({ ...options, keptIn: () => this.#end.keptIn });
    const lane = { spool: this.#spool, report, connect: () => this.#connect(), openLane };
    this.#calls = new CallLane({ ...lane, run, ...(limits ? { limits } : {}) });
    this.#objects = new ObjectLane({
      ...lane,
      delivery: this.#objectDelivery,
      ...(limits?.bytes === undefined ? {} : { limits: { bytes: limits.bytes } }),
    });
    this.#fates = new SpoolFates({ calls: this.#calls, objects: this.#objects, report });
    this.#drain = new SpoolDrain({
      home,
      spool: this.#spool,
      segmentTarget,
      objects: this.#objectDelivery,
      openLane,
      report,
      onSettled: (fate) => this.#fates.settle(fate),
      onDamaged: (segment) => this.#fates.addDamaged(segment),
    });
    this.#serviceWatch = new ServiceWatch({
      spool: this.#spool,
      find: () => this.#route.find(),
      drain: this.#drain,
      onError: (cause) => this.#reportFailure(cause),
    });
    this.#end = new DeliveryEnd({
      ...options,
      calls: this.#calls,
      objects: this.#objects,
      spool: this.#spool,
      route: this.#route,
      drain: this.#drain,
      onError: (cause) => this.#reportFailure(cause),
    });
    if (options.isWrittenAhead) this.#turns = new TurnWatch(() => this.#writeAhead());
    this.#pumps = new Pumps([this.#objects, this.#calls, this.#writtenPump()], {
      onRest: () => this.#lookAfterRest(),
      onError: (cause) => this.#keepAfterFailure(cause),
    });
    this.#timer = new FlushTimer({ onDue: () => this.#sendAll(), onFull: () => this.#sendFull() });
  }

  writeCall(record: CallRecord): void {
    if (!this.#hasBegun) this.#begin();
    this.#calls.write(record);
    if (this.#end.hasCome) return this.#end.keepLate();
    this.#turns?.record(record.bytes);
    if (this.#calls.isUrgent) this.#timer.soon();
    this.#timer.later();
  }

  writeObject(object: ObjectRecord): void {
    this.#publish({ kind: 'object', object });
  }

  writeTable(table: TableRecord): void {
    this.#publish({ kind: 'table', table });
  }

  writeFile(file: FileRecord): void {
    this.#publish({ kind: 'file', file });
  }

  /** Is anything in memory that has neither arrived nor been written to disk? */
  get hasUnsettled(): boolean {
    return this.#calls.count + this.#objects.count > 0;
  }

  /** Does the service take nothing now, so that records go to disk? False while nobody has asked it. */
  get isCutOff(): boolean {
    return this.#route.current?.isUsable === false;
  }

  /** Does anything wait on disk that this process wrote, or is anything on its way that ended programs left there? */
  get hasSpooled(): boolean {
    return !this.#spool.isEmpty || this.#drain.hasOrphansUnderway;
  }

  /**
   * Resolves when all that was recorded before has arrived or is on disk, or after `timeoutMs`. Keeps the process
   * alive that long. What is still under way then is in none of the three counts. Never rejects.
   */
  async flush(options: FlushOptions): Promise<FlushResult> {
    const calls = this.#calls.ledger.watch();
    const objects = this.#objects.ledger.watch();
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, options.timeoutMs);
    });
    const flushed = this.#flush(Promise.all([calls.done, objects.done]), options);
    await Promise.race([flushed.catch((cause: unknown) => this.#reportFailure(cause)), deadline]);
    clearTimeout(timer);
    calls.cancel();
    objects.cancel();
    return { ...calls.result };
  }

  /** Resolves when the service has acknowledged all calls or objects recorded before, however long that takes. */
  acknowledged(what: 'calls' | 'objects'): Promise<void> {
    const { ledger } = what === 'calls' ? this.#calls : this.#objects;
    this.#sendAll();
    return ledger.acknowledged();
  }

  /** Sends one request that is not worth keeping; the service's word against it, or its silence, is the rejection. */
  async sendOnce(path: string, value: unknown, isAcknowledgement: IsAcknowledgement): Promise<void> {
    const service = await this.#route.find({ isUrgent: true });
    if (!service) throw new Error('There is no trace service');
    const answer = await service.ask(path, Buffer.from(JSON.stringify(value)));
    if (judge(answer, isAcknowledgement, Date.now()).kind !== 'accepted') throw new Error(nameAnswer(answer));
  }

  /**
   * Writes what is in memory to disk, synchronously, what is under way included. With `isEnding` all that is recorded from
   * now on is written ahead.
   */
  spoolNow({ isEnding = false } = {}): void {
    if (isEnding) this.#turns ??= new TurnWatch(() => this.#writeAhead());
    try {
      this.#calls.spoolNow({ isEnd: false });
      this.#objects.spoolNow({ isEnd: false });
    } catch (cause) {
      // Such as memory that cannot be had: then the records stay where they are.
      this.#reportFailure(cause);
    }
  }

  /**
   * The last thing a process does, synchronously: what is in memory goes to disk, and from there to the service if that
   * is known to be there, within `deliverMs`. What is recorded after that goes to disk at once.
   */
  end({ deliverMs }: { readonly deliverMs: number }): void {
    this.#end.come(deliverMs);
  }

  /** Delivers what a thread of this process left on disk, which has ended. */
  takeOver(threadId: number): void {
    if (!this.#end.hasCome && this.#drain.takeOver(threadId)) this.#seekNow();
  }

  /** Somebody else of this process left something on disk. */
  seekOrphans(): void {
    this.#drain.wantOrphans();
    if (!this.#end.hasCome) this.#seekNow();
  }

  stats(): DeliveryStats {
    const calls = this.#calls;
    return {
      ...countsOf(calls),
      droppedByReason: calls.ledger.droppedByReason(),
      objects: countsOf(this.#objects),
      queuedBytes: calls.bytes,
      longestEncodeMs: calls.longestEncodeMs,
      evicted: this.#fates.evicted,
      damaged: this.#fates.damaged,
      lastError: this.#route.current?.lastError,
      url: this.#route.current?.target.url,
    };
  }

  /** Spools what is left and lets go of the service and timers. Idempotent. */
  close(): void {
    this.#timer.close();
    this.#turns?.close();
    this.#serviceWatch.stop();
    this.#end.close();
    this.#route.close();
  }

  #begin(): void {
    this.#hasBegun = true;
    this.#options.run?.begin();
  }

  #publish(publication: Publication): void {
    this.#objects.write(publication);
    if (this.#end.hasCome) return this.#end.keepLate();
    this.#turns?.record(0);
    this.#timer.later();
  }

  /** From now on only losing the disk loses what was recorded until now. What the disk does not take is sent as usual. */
  #writeAhead(): void {
    if (!this.#turns) return;
    const before = this.#calls.count;
    this.#calls.writeAhead();
    this.#objects.writeAhead();
    this.#writtenItems += before - this.#calls.count;
    if (this.#writtenItems >= MAX_BATCH_ITEMS) this.#timer.soon();
  }

  #sendAll(): void {
    this.#calls.makeDue();
    this.#start();
  }

  #sendFull(): void {
    if (this.#calls.hasFullBatch || this.#writtenItems >= MAX_BATCH_ITEMS) this.#start();
    this.#inBackground(this.#calls.relieve(this.#route.current));
  }

  /** In the background. What is to be written ahead is on disk before anything of it is sent. */
  #start(): void {
    this.#writeAhead();
    this.#pumps.start();
  }

  async #flush(settled: Promise<unknown>, { timeoutMs, withOrphans = false }: FlushOptions): Promise<void> {
    const known = this.#hasBegun ? this.#options.run?.known(timeoutMs) : undefined;
    const service = await this.#route.find({ isUrgent: true });
    await known;
    service?.breaker.wake();
    this.#calls.makeDue();
    this.#writeAhead();
    await this.#pumps.run();
    if (!service && (this.#calls.isStuck || this.#objects.isStuck)) return;
    await settled;
    if (service?.isUsable) await this.#drain.drainAll(service);
    await Promise.all([this.#calls.keptAnswered(), this.#objects.keptAnswered()]);
    if (service && withOrphans) await this.#drain.drainOrphans(service);
  }

  /** For what is written ahead, from the start or since a signal. */
  #writtenPump(): Pump {
    const count = () => (this.#turns === undefined || this.#spool.isEmpty ? 0 : 1);
    return {
      get count() {
        return count();
      },
      pump: () => this.#sendWritten(),
    };
  }

  /** Records that are written ahead are sent from the disk, so that they never are in memory only. */
  async #sendWritten(): Promise<void> {
    this.#writtenItems = 0;
    const service = await this.#connect();
    if (service) await this.#drain.drain(service);
  }

  /** Records that came meanwhile are sent in a while. */
  #lookAfterRest(): void {
    if (this.#end.hasCome) return;
    const service = this.#route.current;
    const isWritten = this.#turns !== undefined && this.#spool.segment !== undefined;
    if (this.hasUnsettled || (isWritten && service?.isUsable)) this.#timer.later();
    if (service?.isUsable) this.#inBackground(this.#drain.drainOrphans(service));
  }

  #seekNow(): void {
    this.#serviceWatch.watch();
    this.#inBackground(this.#serviceWatch.look());
  }

  async #connect(): Promise<ServiceClient | undefined> {
    const service = await this.#route.find();
    if (!service && !this.#route.current) this.#options.onNoService?.();
    return service;
  }

  #watchSpool(): void {
    if (!this.#end.hasCome) this.#serviceWatch.watch();
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((cause: unknown) => this.#reportFailure(cause));
  }

  #reportFailure(cause: unknown): void {
    this.#options.report('internal', 'Delivery failed', { cause });
  }

  /** Whatever it was, it may happen again: then the disk is the better place. */
  #keepAfterFailure(cause: unknown): void {
    this.#reportFailure(cause);
    this.spoolNow();
  }
}
