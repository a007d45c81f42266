import type { CallsListener } from '../../contract/storage.ts';
import type { Connection } from '../connection.ts';
import type { CallWriter } from '../write/call-writer.ts';
import { grouped } from '../write/grouped.ts';
import type { Leases } from './lease.ts';
import { type FoundHalf, joinHalves } from './reconcile.ts';

/** Milliseconds between two looks; as long may a call be shown as running that has ended in another service. */
const INTERVAL_MS = 10_000;

/**
 * Joins halves of calls now and then, in one service of all on a database. Each takes away what it has itself written of calls that
 * another one has started at the same moment.
 */
export class Reconciler {
  readonly #connection: Connection;
  readonly #writer: CallWriter;
  readonly #leases: Leases;
  readonly #timer: NodeJS.Timeout;
  readonly #listeners: CallsListener[] = [];
  #work: Promise<void> | undefined;
  #failure: unknown;

  constructor(connection: Connection, writer: CallWriter, leases: Leases) {
    this.#connection = connection;
    this.#writer = writer;
    this.#leases = leases;
    this.#timer = setInterval(() => void this.#lookAgain(), INTERVAL_MS);
    this.#timer.unref();
  }

  /** Tells a listener of the calls that are joined here from now on. */
  readonly watch = (listener: CallsListener): void => {
    this.#listeners.push(listener);
  };

  /** Looks again where the last look has failed, and rejects with the reason where this one does, too. */
  async check(): Promise<void> {
    if (this.#failure !== undefined) await this.#lookAgain();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#work;
  }

  /** One look at a time, however many ask. */
  #lookAgain(): Promise<void> {
    this.#work ??= this.#look().finally(() => (this.#work = undefined));
    return this.#work;
  }

  async #look(): Promise<void> {
    try {
      await this.#joinAndSettle();
      this.#failure = undefined;
    } catch (error) {
      // Told by the health of the storage, until a look goes well.
      this.#failure = error;
    }
  }

  /** One of both does not keep the other from being done. */
  async #joinAndSettle(): Promise<void> {
    try {
      if (await this.#leases.take('reconcile', 3 * INTERVAL_MS)) await this.#joinAll();
    } finally {
      await this.#writer.settle();
    }
  }

  async #joinAll(): Promise<void> {
    for (;;) {
      const joined = await this.#writer.alone((groups) => joinHalves(this.#connection, groups));
      if (joined.length === 0) return;
      this.#tell(joined);
    }
  }

  #tell(joined: readonly FoundHalf[]): void {
    for (const [projectId, halves] of grouped(joined, (half) => half.project_id)) {
      const ids = [...new Set(halves.map(({ id }) => id))];
      for (const listener of this.#listeners) listener(projectId, ids);
    }
  }
}
