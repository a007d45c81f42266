import type PQueue from 'p-queue';
import type { ObjectRecord } from '../protocol/record.ts';
import type { Spool } from '../spool/spool.ts';
import type { Connection } from './connection.ts';
import { Ledger } from './ledger.ts';
import { linesOf, type ObjectDelivery, objectRefusalMessage } from './object-delivery.ts';
import type { Report } from './problem.ts';
import { Ring } from './ring.ts';

const MAX_OBJECTS = 10_000;

export interface ObjectLaneOptions {
  readonly spool: Spool;
  readonly report: Report;
  readonly delivery: ObjectDelivery;
  readonly connect: () => Promise<Connection | undefined>;
  readonly openQueue: () => Promise<PQueue>;
}

interface Entry {
  readonly object: ObjectRecord;
  readonly sequence: readonly number[];
}

/** Objects with their files on their way: queue → service or spool. */
export class ObjectLane {
  readonly ledger = new Ledger();
  readonly #options: ObjectLaneOptions;
  readonly #waiting = new Ring<Entry>();
  readonly #underway = new Set<Entry>();
  #isStuck = false;

  constructor(options: ObjectLaneOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#waiting.length + this.#underway.size;
  }

  get isStuck(): boolean {
    return this.#isStuck;
  }

  write(object: ObjectRecord): void {
    const entry = { object, sequence: [this.ledger.record()] };
    if (this.#waiting.length < MAX_OBJECTS) return this.#waiting.push(entry);
    this.ledger.drop(entry.sequence, 'queue-full');
    this.#options.report('queue-full', `Lost object "${object.objectId}": too many wait`, { count: 1 });
  }

  /** Hands over what there is; resolves when it is on its way, not when it has arrived. */
  async pump(): Promise<void> {
    this.#isStuck = false;
    while (this.#waiting.length > 0 && !this.#isStuck) {
      const connection = await this.#options.connect();
      const queue = await this.#options.openQueue();
      if (connection) await queue.onSizeLessThan(1);
      const entry = this.#waiting.shift();
      if (!entry) return;
      this.#underway.add(entry);
      if (!connection) {
        this.#toSpool(entry);
        continue;
      }
      queue
        .add(() => this.#deliver(connection, entry))
        .catch((cause: unknown) => {
          this.#options.report('internal', 'Delivery of an object failed', { count: 1, cause });
        });
    }
  }

  /** Writes all there is to the spool, synchronously; what the disk does not take is counted as lost. */
  spoolNow({ isEnd }: { isEnd: boolean }): void {
    if (isEnd) for (const entry of this.#underway) this.#toSpool(entry);
    for (const entry of this.#waiting.drain()) this.#toSpool(entry);
    if (!isEnd) return;
    for (const { sequence } of this.#waiting.drain()) this.ledger.drop(sequence, 'exit');
  }

  async #deliver(connection: Connection, entry: Entry): Promise<void> {
    const result = await this.#options.delivery.deliver(connection, entry.object);
    if (!this.#underway.has(entry)) return;
    if (result.kind === 'unreachable') return this.#toSpool(entry);
    this.#underway.delete(entry);
    if (result.kind === 'accepted') return this.ledger.settle(entry.sequence, 'sent');
    this.ledger.drop(entry.sequence, 'refused');
    this.#options.report('object-refused', objectRefusalMessage(entry.object.objectId, result.reason), { count: 1 });
  }

  #toSpool(entry: Entry): void {
    this.#underway.delete(entry);
    if (this.#options.spool.append(linesOf(entry.object), { calls: 0, objects: 1 })) {
      this.ledger.settle(entry.sequence, 'spooled');
      return;
    }
    this.#isStuck = true;
    this.#waiting.push(entry);
  }
}
