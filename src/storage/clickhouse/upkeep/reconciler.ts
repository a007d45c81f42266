import type { CallsListener } from '../../contract/storage.ts';
import type { Connection } from '../connection.ts';
import type { CallWriter } from '../write/call-writer.ts';
import { grouped } from '../write/grouped.ts';
import type { Leases } from './lease.ts';
import { OtherServices } from './other-services.ts';
import { type FoundHalf, joinHalves } from './reconcile.ts';

/** Milliseconds between two looks; as long may a call be shown as running that has ended in another service. */
const INTERVAL_MS = 10_000;
/** As long is a service known that says nothing any more. */
const LEASE_MS = 3 * INTERVAL_MS;

/**
 * Joins halves of calls now and then, in one service of all on a database. Where there are others each takes away what it has itself
 * written of calls that another one has started at the same moment.
 */
export class Reconciler {
  readonly #connection: Connection;
  readonly #writer: CallWriter;
  readonly #leases: Leases;
  readonly #others: OtherServices;
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #listeners: CallsListener[] = [];
  #work: Promise<void> | undefined;
  #failure: unknown;

  constructor(connection: Connection, writer: CallWriter, leases: Leases) {
    this.#connection = connection;
    this.#writer = writer;
    this.#leases = leases;
    this.#others = new OtherServices(leases, LEASE_MS);
    this.#timer = setInterval(() => void this.look(), INTERVAL_MS);
    this.#timer.unref();
  }

  /** Tells a listener of the calls that are joined here from now on. */
  readonly watch = (listener: CallsListener): void => {
    this.#listeners.push(listener);
  };

  /** Looks again where the last look has failed, and rejects with the reason where this one does, too. */
  async check(): Promise<void> {
    if (this.#failure !== undefined) await this.look();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Starts of the last seconds are not looked at any more. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    await this.#work;
  }

  /** Looks now, once at a time, however many ask. It never rejects: what fails is told by `check`. */
  look(): Promise<void> {
    this.#work ??= this.#look().finally(() => (this.#work = undefined));
    return this.#work;
  }

  /** A failure of one of the works keeps the others from nothing. */
  async #look(): Promise<void> {
    let isLeading = false;
    const leading = await failureOf(async () => void (isLeading = await this.#take()));
    // Before halves are joined, which may take longer than others are known.
    let areOthers = false;
    const knowing = await failureOf(async () => void (areOthers = await this.#others.areThere(isLeading)));
    const joining = await failureOf(async () => {
      if (isLeading && !(await this.#joinAll())) areOthers = true;
    });
    const settling = knowing ?? (await failureOf(() => this.#settle(areOthers)));
    // Told by the health of the storage, until a look goes well.
    this.#failure = leading ?? joining ?? settling;
  }

  async #take(): Promise<boolean> {
    return await this.#leases.take('reconcile', LEASE_MS);
  }

  /** Calls that are left when the time of a look is over are for the next one. */
  async #settle(areOthers: boolean): Promise<void> {
    if (!areOthers) return this.#writer.forgetStarted();
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(INTERVAL_MS)]);
    try {
      await this.#writer.settle(signal);
    } catch (error) {
      if (error !== signal.reason) throw error;
    }
  }

  /** Resolves with whether it is still ours: there may be more than are joined in the time of a lease. */
  async #joinAll(): Promise<boolean> {
    while (!this.#closing.signal.aborted) {
      const joined = await this.#writer.alone((groups) => joinHalves(this.#connection, groups));
      if (joined.length === 0) return true;
      this.#tell(joined);
      if (!(await this.#take())) return false;
    }
    return true;
  }

  #tell(joined: readonly FoundHalf[]): void {
    for (const [projectId, halves] of grouped(joined, (half) => half.project_id)) {
      const ids = [...new Set(halves.map(({ id }) => id))];
      for (const listener of this.#listeners) listener(projectId, ids);
    }
  }
}

async function failureOf(work: () => Promise<void>): Promise<unknown> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  }
}
