import type { CallRecord, FileRecord, ObjectRecord, TableRecord } from '../protocol/record.ts';
import type { SegmentTarget } from '../spool/segment-format.ts';
import { Spool, type SpooledCount } from '../spool/spool.ts';
import type { QueueLimits } from './backlog.ts';
import { CallLane } from './call-lane.ts';
import type { Connection } from './connection.ts';
import { FlushTimer } from './flush-timer.ts';
import { type Lanes, openLanes } from './lanes.ts';
import type { DropReason, FlushResult } from './ledger.ts';
import { ObjectDelivery } from './object-delivery.ts';
import { ObjectLane } from './object-lane.ts';
import type { Report } from './problem.ts';
import type { Publication } from './publication.ts';
import { type Pump, Pumps } from './pumps.ts';
import { Route } from './route.ts';
import { SpoolDrain } from './spool-drain.ts';
import type { OpenBlockingTransport, OpenTransport, TransportTarget } from './transport.ts';
import { TurnWatch } from './turn-watch.ts';

export interface DeliveryOptions {
  /** The state folder; `undefined` when there is none. */
  readonly home: string | undefined;
  /** The service now; `undefined` while there is none. */
  readonly resolveTarget: () => TransportTarget | undefined;
  /** Whose records the spool holds: named in segments, and left-overs of the same target are delivered too. */
  readonly segmentTarget: SegmentTarget;
  readonly openTransport: OpenTransport;
  /** For the end of the process; without it records of which the service has no word by then stay on disk. */
  readonly openBlockingTransport?: OpenBlockingTransport;
  readonly report: Report;
  /** Called when records go to the spool because there is no service. */
  readonly onNoService?: () => void;
  readonly limits?: QueueLimits;
  readonly spoolBytes?: number;
  /** Writes records to disk at the end of each turn of the event loop, before they are sent. @default false */
  readonly isWrittenAhead?: boolean;
  readonly random?: () => number;
}

export interface Counts {
  readonly recorded: number;
  readonly queued: number;
  readonly sent: number;
  readonly spooled: number;
  readonly dropped: number;
}

export interface DeliveryStats extends Counts {
  readonly droppedByReason: Partial<Record<DropReason, number>>;
  /** Objects, counted apart from the records of calls. */
  readonly objects: Counts;
  readonly queuedBytes: number;
  readonly longestEncodeMs: number;
  /** Records of earlier processes that the spool's limit cost. */
  readonly evicted: number;
  readonly lastError: string | undefined;
  /** Address of the service in use. */
  readonly url: string | undefined;
}

/** How often a process with records on disk looks for a service. */
const RECOVERY_INTERVAL_MS = 2000;

/** From records to the service, or to the disk until there is one. Never throws, never waits for the network. */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #spool: Spool;
  readonly #route: Route;
  readonly #objectDelivery = new ObjectDelivery();
  readonly #calls: CallLane;
  readonly #objects: ObjectLane;
  readonly #timer: FlushTimer;
  #lanes: Promise<Lanes> | undefined;
  readonly #drain: SpoolDrain;
  /** Only where records are written ahead. */
  readonly #turns: TurnWatch | undefined;
  readonly #pumps: Pumps;
  #recovery: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #evicted = 0;

  constructor(options: DeliveryOptions) {
    const { home, segmentTarget, report, spoolBytes, limits } = options;
    this.#options = options;
    this.#spool = new Spool({
      home,
      target: () => segmentTarget,
      ...(spoolBytes === undefined ? {} : { budgetBytes: spoolBytes }),
      onEvicted: (lost) => this.#countEvicted(lost),
    });
    this.#route = new Route(options);
    const lane = { spool: this.#spool, report, connect: () => this.#connect() };
    const openQueue = async (name: keyof Lanes) => (await (this.#lanes ??= openLanes()))[name];
    this.#calls = new CallLane({ ...lane, openQueue: () => openQueue('calls'), ...(limits ? { limits } : {}) });
    this.#objects = new ObjectLane({
      ...lane,
      openQueue: () => openQueue('objects'),
      delivery: this.#objectDelivery,
      ...(limits?.bytes === undefined ? {} : { limits: { bytes: limits.bytes } }),
    });
    this.#drain = new SpoolDrain({
      home,
      spool: this.#spool,
      segmentTarget,
      objects: this.#objectDelivery,
      openQueue: () => openQueue('calls'),
      report,
      onDelivered: (delivered, refused) => this.#settleSpooled(delivered, refused),
    });
    if (options.isWrittenAhead) this.#turns = new TurnWatch(() => this.#writeAhead());
    const written = pumpOf(this.#spool, () => this.#sendWritten());
    this.#pumps = new Pumps([this.#objects, this.#calls, ...(options.isWrittenAhead ? [written] : [])], {
      onRest: () => this.#rest(),
      onError: (cause) => this.#reportFailure(cause),
    });
    this.#timer = new FlushTimer({ onDue: () => this.#sendAll(), onFull: () => this.#sendFull() });
  }

  writeCall(record: CallRecord): void {
    this.#calls.write(record);
    if (this.#hasEnded) return this.#spoolAll();
    this.#turns?.record(record.bytes);
    if (this.#calls.hasFullBatch) this.#timer.soon();
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

  /** Does anything wait on disk that this process wrote? */
  get hasSpooled(): boolean {
    return !this.#spool.isEmpty;
  }

  /**
   * Resolves when all that was recorded before has arrived or is on disk, or after `timeoutMs`. Keeps the process
   * alive that long. What is still under way then is in none of the three counts.
   */
  async flush({ timeoutMs }: { readonly timeoutMs: number }): Promise<FlushResult> {
    const calls = this.#calls.ledger.watch();
    const objects = this.#objects.ledger.watch();
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, timeoutMs);
    });
    await Promise.race([this.#flush(Promise.all([calls.done, objects.done])), deadline]);
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
  async sendOnce(path: string, value: unknown): Promise<void> {
    const connection = await this.#route.find({ isUrgent: true });
    if (!connection) throw new Error('There is no trace service');
    const { status, body } = await connection.ask(path, Buffer.from(JSON.stringify(value)));
    if (status !== 200) throw new Error(`The service answered ${status}: ${body.slice(0, 200)}`);
  }

  /** Writes what waits in memory to disk, synchronously. What is under way stays there. */
  spoolNow(): void {
    this.#calls.spoolNow({ isEnd: false });
    this.#objects.spoolNow({ isEnd: false });
  }

  /**
   * The last thing a process does, synchronously: what is in memory goes to disk, and from there to the service if that
   * is known to be there, within `deliverMs`. What is recorded after that goes to disk at once.
   */
  end({ deliverMs }: { readonly deliverMs: number }): void {
    this.#hasEnded = true;
    const connection = this.#route.current;
    // A short program ends before the breaker has opened and said so.
    if (this.hasUnsettled && connection?.lastError !== undefined) connection.reportUnreachable();
    this.#spoolAll();
    if (deliverMs > 0 && !this.#spool.isEmpty) this.#deliverNow(performance.now() + deliverMs);
    this.#spool.release();
  }

  /** Delivers what a thread of this process left on disk, which has ended. */
  takeOver(threadId: number): void {
    if (!this.#hasEnded && this.#drain.takeOver(threadId)) this.#inBackground(this.#recover());
  }

  stats(): DeliveryStats {
    const calls = this.#calls;
    return {
      ...countsOf(calls),
      droppedByReason: calls.ledger.droppedByReason(),
      objects: countsOf(this.#objects),
      queuedBytes: calls.bytes,
      longestEncodeMs: calls.longestEncodeMs,
      evicted: this.#evicted,
      lastError: this.#route.current?.lastError,
      url: this.#route.current?.target.url,
    };
  }

  /** Spools what is left and lets go of connections and timers. Idempotent. */
  close(): void {
    this.#timer.close();
    this.#turns?.close();
    clearInterval(this.#recovery);
    this.#recovery = undefined;
    this.end({ deliverMs: 0 });
    this.#route.close();
  }

  #publish(publication: Publication): void {
    this.#objects.write(publication);
    if (this.#hasEnded) return this.#spoolAll();
    this.#turns?.record(0);
    this.#timer.later();
  }

  /** What is under way included. */
  #spoolAll(): void {
    this.#calls.spoolNow({ isEnd: true });
    this.#objects.spoolNow({ isEnd: true });
  }

  /** From now on only losing the disk loses what was recorded until now. What the disk does not take is sent as usual. */
  #writeAhead(): void {
    if (!this.#turns) return;
    this.#calls.writeAhead();
    this.#objects.writeAhead();
  }

  #deliverNow(deadline: number): void {
    const connection = this.#route.findNow();
    if (!connection) return;
    try {
      const transport = this.#options.openBlockingTransport?.(connection.target, deadline);
      if (!transport) return;
      this.#drain.drainNow(connection, transport);
      transport.close();
    } catch (cause) {
      this.#options.report('internal', 'Cannot deliver at the end of the process; records are kept on disk', { cause });
    }
  }

  #sendAll(): void {
    this.#calls.makeDue();
    this.#start();
  }

  #sendFull(): void {
    this.#start();
    this.#inBackground(this.#calls.relieve(this.#route.current));
  }

  /** In the background. What is to be written ahead is on disk before anything of it is sent. */
  #start(): void {
    this.#writeAhead();
    this.#pumps.start();
  }

  async #flush(settled: Promise<unknown>): Promise<void> {
    const connection = await this.#route.find({ isUrgent: true });
    connection?.breaker.wake();
    this.#calls.makeDue();
    this.#writeAhead();
    await this.#pumps.run();
    if (!connection && (this.#calls.isStuck || this.#objects.isStuck)) return;
    await settled;
    if (connection?.isUsable) await this.#drain.drainAll(connection);
  }

  /** What is written ahead is sent from the disk, so that it never is in memory only. */
  async #sendWritten(): Promise<void> {
    const connection = await this.#connect();
    if (connection) await this.#drain.drain(connection);
  }

  /** A record that came meanwhile, or lies on disk, is looked after. */
  #rest(): void {
    if (this.#hasEnded) return;
    const connection = this.#route.current;
    this.#watchSpool();
    if (this.hasUnsettled || (this.#turns && connection?.isUsable && this.#spool.segment !== undefined))
      this.#timer.later();
    if (connection?.isUsable && !this.#drain.hasSoughtLeftOvers) this.#inBackground(this.#drain.drain(connection));
  }

  async #connect(): Promise<Connection | undefined> {
    const connection = await this.#route.find();
    if (!connection && !this.#route.current) this.#options.onNoService?.();
    return connection;
  }

  /** As long as this process has records on disk it looks for a service that takes them. */
  #watchSpool(): void {
    if (this.#spool.isEmpty || this.#hasEnded) return;
    this.#recovery ??= setInterval(() => this.#inBackground(this.#recover()), RECOVERY_INTERVAL_MS).unref();
  }

  async #recover(): Promise<void> {
    const connection = await this.#route.find();
    if (connection) await this.#drain.drain(connection);
    if (!this.#spool.isEmpty) return;
    clearInterval(this.#recovery);
    this.#recovery = undefined;
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((cause: unknown) => this.#reportFailure(cause));
  }

  #reportFailure(cause: unknown): void {
    this.#options.report('internal', 'Delivery failed', { cause });
  }

  #settleSpooled(delivered: SpooledCount, refused: SpooledCount): void {
    settle(this.#calls, delivered.calls, refused.calls);
    settle(this.#objects, delivered.objects, refused.objects);
  }

  #countEvicted({ own, foreign }: { own: { calls: number; objects: number }; foreign: number }): void {
    this.#calls.ledger.dropSpooled(own.calls, 'spool-full');
    this.#objects.ledger.dropSpooled(own.objects, 'spool-full');
    if (own.objects > 0) this.#objects.forgetKept();
    this.#evicted += foreign;
    this.#options.report('spool-full', 'The oldest records on disk were removed: the state folder is full', {
      count: own.calls + own.objects + foreign,
    });
  }
}

/** For what is written ahead. */
function pumpOf(spool: Spool, pump: () => Promise<void>): Pump {
  return {
    get count() {
      return spool.isEmpty ? 0 : 1;
    },
    pump,
  };
}

function countsOf({ ledger, count }: CallLane | ObjectLane): Counts {
  return { recorded: ledger.recorded, queued: count, ...ledger.total };
}

function settle({ ledger }: CallLane | ObjectLane, count: number, refused: number): void {
  ledger.deliverSpooled(count - refused);
  ledger.dropSpooled(refused, 'refused');
}
