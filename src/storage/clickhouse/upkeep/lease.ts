import { randomUUID } from 'node:crypto';
import { bind, raw, sql, type Sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';

/** Who ends, or is asked for its health, waits for no engine that does not answer. */
const ANSWER_MS = 5000;

interface Held {
  readonly holder: string;
  readonly isHeld: number;
  readonly ver: number;
}

/** Clocks of services differ: the time of a lease is that of the database. */
const NOW = 'toUnixTimestamp64Milli(now64(3))';

/**
 * One of several services is to do a work, which must be harmless when two do it: who asks first has it until its time is
 * over. There is no comparing and swapping here, so two that ask at one moment may both have it once.
 */
export class Lease {
  readonly #connection: Connection;
  readonly #name: string;
  readonly #holder = randomUUID();

  constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.#name = name;
  }

  /** Is it ours for so many milliseconds? Who has it says so again before they are over. */
  async take(ms: number): Promise<boolean> {
    const known = await this.#read();
    if (known !== undefined && known.holder !== this.#holder && known.isHeld === 1) return false;
    await this.#write(sql`${raw(NOW)} + ${bind(ms)}`, known);
    return (await this.#read())?.holder === this.#holder;
  }

  /** Is it another one's? Ours is given back. */
  async isOfAnother(): Promise<boolean> {
    const known = await this.#read();
    if (known === undefined || known.isHeld === 0) return false;
    if (known.holder !== this.#holder) return true;
    await this.#write(sql`${bind(0)}`, known);
    return false;
  }

  /** Another one has it at once; does nothing where it is not ours. Rejects where that cannot be said: it ends by itself then. */
  async release(): Promise<void> {
    const known = await this.#read();
    if (known?.holder !== this.#holder || known.isHeld === 0) return;
    await this.#write(sql`${bind(0)}`, known);
  }

  /** Replaces whoever has it now. */
  async #write(until: Sql, known: Held | undefined): Promise<void> {
    await this.#connection.commandOnce(
      sql`INSERT INTO leases (name, holder, until, ver) SELECT ${bind(this.#name)}, ${bind(this.#holder)}, ${until},
        greatest(toUInt64(${raw(NOW)} * 1000), toUInt64(${bind((known?.ver ?? 0) + 1)}))`,
      { deadlineMs: ANSWER_MS },
    );
  }

  async #read(): Promise<Held | undefined> {
    const [row] = await this.#connection.all<Held>(
      sql`SELECT holder, until > ${raw(NOW)} AS isHeld, ver FROM leases FINAL WHERE name = ${bind(this.#name)}`,
      { deadlineMs: ANSWER_MS },
    );
    return row;
  }
}

/** Leases by their names, as a service asks for them. */
export class Leases {
  readonly #connection: Connection;
  readonly #leases = new Map<string, Lease>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  readonly take = async (name: string, ms: number): Promise<boolean> => await this.#leaseOf(name).take(ms);

  readonly isOfAnother = async (name: string): Promise<boolean> => await this.#leaseOf(name).isOfAnother();

  #leaseOf(name: string): Lease {
    const lease = this.#leases.get(name) ?? new Lease(this.#connection, name);
    this.#leases.set(name, lease);
    return lease;
  }

  /** Gives back those that are held. */
  async close(): Promise<void> {
    // The engine may be away: they end by themselves.
    await Promise.allSettled([...this.#leases.values()].map(async (lease) => await lease.release()));
  }
}
