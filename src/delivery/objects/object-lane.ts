import type { OwnSegment, Spool } from '../../spool/spool.ts';
import type { QueueLimits } from '../queue/backlog.ts';
import { BlockedParts } from '../transport/blocked-parts.ts';
import type { ServiceClient, DeliveryResult } from '../transport/service-client.ts';
import type { Lane, OpenLane } from '../queue/lanes.ts';
import { type DropReason, Ledger } from '../queue/ledger.ts';
import { type ObjectDelivery, objectRefusalMessage } from './object-delivery.ts';
import { type Report, reportUnwritable } from '../problem.ts';
import { KnownPlaces } from './known-places.ts';
import { bytesOf, linesOf, nameOf, type Publication } from './publication.ts';
import { Ring } from '../queue/ring.ts';
import { SentBefore } from './sent-before.ts';

const MAX_ITEMS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

export interface ObjectLaneOptions {
  readonly spool: Spool;
  readonly report: Report;
  readonly delivery: ObjectDelivery;
  /** @default 64 MiB and 10,000 items */
  readonly limits?: QueueLimits;
  readonly connect: () => Promise<ServiceClient | undefined>;
  readonly openLane: OpenLane;
}

interface Entry {
  readonly publication: Publication;
  readonly sequence: readonly number[];
  readonly bytes: number;
}

/** Objects with their files, tables and files on their way: queue → service or spool. */
export class ObjectLane {
  readonly ledger = new Ledger();
  readonly #options: ObjectLaneOptions;
  readonly #maxItems: number;
  readonly #maxBytes: number;
  readonly #waiting = new Ring<Entry>();
  readonly #underway = new Set<Entry>();
  /** Others under way that are on disk as well: the process may be killed at any time. */
  readonly #keptUnderway = new Map<Entry, OwnSegment>();
  /** Others that do not get through while others do, and that the disk does not take. */
  readonly #blocked = new BlockedParts<Entry>();
  readonly #places = new KnownPlaces();
  readonly #sentBefore = new SentBefore();
  #bytes = 0;
  #isStuck = false;

  constructor(options: ObjectLaneOptions) {
    this.#options = options;
    this.#maxItems = options.limits?.items ?? MAX_ITEMS;
    this.#maxBytes = options.limits?.bytes ?? MAX_BYTES;
  }

  get count(): number {
    return this.#waiting.length + this.#underway.size + this.#blocked.parts.length;
  }

  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** The oldest go to disk in the caller's turn when too much waits. A file that waits already is left out. */
  write(publication: Publication): void {
    if (publication.kind === 'file') {
      if (this.#places.has(publication)) return;
      this.#places.wait(publication);
    }
    const entry = { publication, sequence: [this.ledger.record()], bytes: bytesOf(publication) };
    this.#makeRoom(entry.bytes);
    if (!this.#isFullWith(entry.bytes)) return this.#push(entry);
    if (this.#append(entry)) return;
    this.#drop(entry, 'queue-full');
    this.#options.report('queue-full', `Lost "${nameOf(publication)}": too much waits`, { count: 1 });
  }

  /** Hands over what there is; resolves when it is on its way, not when it has arrived. */
  async pump(): Promise<void> {
    this.#isStuck = false;
    this.#putBack(this.#blocked.takeDue());
    while (this.#waiting.length > 0 && !this.#isStuck) {
      const service = await this.#options.connect();
      const queue = await this.#options.openLane('objects');
      if (service) await queue.onSizeLessThan(1);
      const entry = this.#shift();
      if (!entry) return;
      if (service) this.#send(service, queue, entry);
      else this.#toSpool(entry);
    }
  }

  /** Writes all there is to the spool, synchronously; at the end nobody waits any more for what is under way. */
  spoolNow({ isEnd }: { isEnd: boolean }): void {
    if (!isEnd) this.#keepUnderway();
    for (const entry of isEnd ? [...this.#underway] : []) {
      this.#finish(entry);
      this.#toSpool(entry);
    }
    if (isEnd) this.#putBack(this.#blocked.takeAll());
    else this.#spoolBlocked();
    for (let count = this.#waiting.length; count > 0; count--) {
      const entry = this.#shift();
      if (entry) this.#toSpool(entry);
    }
  }

  /** Resolves when the service has spoken about all that is both under way and on disk. */
  async keptAnswered(): Promise<void> {
    if (this.#keptUnderway.size > 0) await (await this.#options.openLane('objects')).onIdle();
  }

  /** Sends what waits, until the service answers no more. */
  sendNow(send: (publication: Publication) => DeliveryResult): void {
    for (let entry = this.#waiting.peek(); entry; entry = this.#waiting.peek()) {
      const result = send(entry.publication);
      if (result.kind === 'unreachable' && !result.isBlocked) return;
      this.#shift();
      if (result.kind === 'accepted') this.#settle(entry, 'sent');
      else if (result.kind === 'refused') this.#dropRefused(entry, result.reason);
      else this.#drop(entry, 'exit');
    }
  }

  /** Counts what neither disk nor service has taken as lost. */
  dropAll(): void {
    this.#putBack(this.#blocked.takeAll());
    for (let entry = this.#shift(); entry; entry = this.#shift()) this.#drop(entry, 'exit');
  }

  /** Writes what waits to the spool as long as the disk takes it; the rest waits on, in its order. */
  writeAhead(): void {
    let isWritable = true;
    for (let count = this.#waiting.length; count > 0; count--) {
      const entry = this.#shift();
      if (!entry) return;
      if (isWritable && this.#append(entry)) continue;
      isWritable = false;
      this.#push(entry);
    }
  }

  /** Publications that this process had written to disk are no longer there. */
  forgetKept(): void {
    this.#places.clear();
  }

  #makeRoom(bytes: number): void {
    while (this.#isFullWith(bytes)) {
      const oldest = this.#waiting.peek();
      if (!oldest || !this.#append(oldest)) return;
      this.#shift();
    }
  }

  /** One that is larger than the limit may wait alone. */
  #isFullWith(bytes: number): boolean {
    return this.count >= this.#maxItems || (this.#bytes > 0 && this.#bytes + bytes > this.#maxBytes);
  }

  #push(entry: Entry): void {
    this.#waiting.push(entry);
    this.#bytes += entry.bytes;
  }

  /** Those that were blocked: they have counted as what waits all the time. */
  #putBack(entries: readonly Entry[]): void {
    for (const entry of entries) this.#waiting.push(entry);
  }

  #shift(): Entry | undefined {
    const entry = this.#waiting.shift();
    if (entry) this.#bytes -= entry.bytes;
    return entry;
  }

  #send(service: ServiceClient, queue: Lane, entry: Entry): void {
    this.#underway.add(entry);
    this.#bytes += entry.bytes;
    const before = this.#sentBefore.of(entry.publication);
    const sent = queue
      .add(async () => {
        await before;
        await this.#deliver(service, entry);
      })
      .catch((cause: unknown) => {
        this.#options.report('internal', 'Delivery of an object failed', { count: 1, cause });
      })
      .finally(() => this.#sentBefore.forget(entry.publication, sent));
    this.#sentBefore.note(entry.publication, sent);
  }

  async #deliver(service: ServiceClient, entry: Entry): Promise<void> {
    const result = await deliver(this.#options.delivery, service, entry.publication);
    const segment = this.#keptUnderway.get(entry);
    if (segment) this.#settleKept(entry, segment, result);
    // Whoever spooled it meanwhile, because the process ends, has settled it.
    if (!this.#finish(entry)) return;
    if (result.kind === 'unreachable') return service.isUsable ? this.#hold(entry) : this.#toSpool(entry);
    if (result.kind === 'accepted') return this.#settle(entry, 'sent');
    this.#dropRefused(entry, result.reason);
  }

  #dropRefused(entry: Entry, reason: string): void {
    this.#drop(entry, 'refused');
    this.#reportRefused(entry, reason);
  }

  #spoolBlocked(): void {
    for (const entry of this.#blocked.parts) {
      if (!this.#append(entry)) return;
      this.#blocked.remove(entry);
      this.#bytes -= entry.bytes;
    }
  }

  #keepUnderway(): void {
    for (const entry of this.#underway) {
      // Alone in its segment, which whoever finds it may deliver before all others.
      const isBaseKnown = this.#places.hasBaseArrived(entry.publication);
      const lines = linesOf(entry.publication, { isBaseKnown });
      const segment = this.#options.spool.keep(lines, { calls: 0, objects: 1 });
      if (!segment) return;
      this.#finish(entry);
      this.#keptUnderway.set(entry, segment);
      this.#settle(entry, 'spooled');
    }
  }

  /** One that did not get through is sent again from the disk. */
  #settleKept(entry: Entry, segment: OwnSegment, result: DeliveryResult): void {
    const { spool } = this.#options;
    this.#keptUnderway.delete(entry);
    if (result.kind === 'unreachable') return spool.putBack(segment);
    if (!spool.remove(segment)) return;
    if (result.kind === 'accepted') return this.ledger.deliverSpooled(1);
    this.ledger.dropSpooled(1, 'refused');
    this.#reportRefused(entry, result.reason);
  }

  #reportRefused({ publication }: Entry, reason: string): void {
    const message = objectRefusalMessage(nameOf(publication), reason);
    this.#options.report('object-refused', message, { count: 1 });
  }

  /** False when it is no longer under way. */
  #finish(entry: Entry): boolean {
    if (!this.#underway.delete(entry)) return false;
    this.#bytes -= entry.bytes;
    return true;
  }

  /** An entry that the disk does not take waits in memory, unless it never will. */
  #toSpool(entry: Entry): void {
    const { report, spool } = this.#options;
    if (entry.bytes > spool.budgetBytes) return this.#dropTooLarge(entry);
    const lines = this.#linesOf(entry.publication);
    if (lines.length > spool.budgetBytes) return this.#dropTooLarge(entry);
    if (this.#append(entry, lines)) return;
    this.#isStuck = true;
    this.#push(entry);
    reportUnwritable(report, spool.lastError);
  }

  /** It did not get through to a service that takes others. */
  #hold(entry: Entry): void {
    if (this.#append(entry)) return;
    this.#bytes += entry.bytes;
    this.#blocked.add(entry);
    reportUnwritable(this.#options.report, this.#options.spool.lastError);
  }

  #dropTooLarge(entry: Entry): void {
    this.#drop(entry, 'spool-full');
    const message = `Lost "${nameOf(entry.publication)}": no service takes it now, and it is larger than the spool`;
    this.#options.report('spool-full', message, { count: 1 });
  }

  #linesOf(publication: Publication): Buffer {
    const isBaseKnown = this.#places.isBaseIn(publication, this.#options.spool.segment);
    return linesOf(publication, { isBaseKnown });
  }

  #append(entry: Entry, lines = this.#linesOf(entry.publication)): boolean {
    if (!this.#options.spool.append(lines, { calls: 0, objects: 1 })) return false;
    this.#settle(entry, 'spooled');
    return true;
  }

  #settle({ publication, sequence }: Entry, fate: 'sent' | 'spooled'): void {
    this.#places.settle(publication, fate, this.#options.spool.segment);
    this.ledger.settle(sequence, fate);
  }

  #drop({ publication, sequence }: Entry, reason: DropReason): void {
    this.#places.forget(publication);
    this.ledger.drop(sequence, reason);
  }
}

function deliver(delivery: ObjectDelivery, service: ServiceClient, publication: Publication): Promise<DeliveryResult> {
  if (publication.kind === 'object') return delivery.deliver(service, publication.object);
  if (publication.kind === 'table') return delivery.deliverTable(service, publication.table);
  return delivery.deliverFile(service, publication.file);
}
