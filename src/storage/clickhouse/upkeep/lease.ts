import { randomUUID } from 'node:crypto';
import { bind, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';

/** Who ends, or is asked for its health, waits for no engine that does not answer. */
const ANSWER_MS = 5000;

interface Held {
  readonly holder: string;
  readonly until: number;
  readonly ver: number;
}

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
  async take(ms: number, now = Date.now()): Promise<boolean> {
    const known = await this.#read();
    if (known !== undefined && known.holder !== this.#holder && known.until > now) return false;
    // Clocks differ: whoever has it now is replaced.
    const ver = Math.max(now * 1000, (known?.ver ?? 0) + 1);
    await this.#write(now + ms, ver);
    return (await this.#read())?.holder === this.#holder;
  }

  /** Another one has it at once; does nothing where it is not ours. Rejects where that cannot be said: it ends by itself then. */
  async release(now = Date.now()): Promise<void> {
    const known = await this.#read();
    if (known?.holder !== this.#holder || known.until <= now) return;
    await this.#write(0, known.ver + 1);
  }

  async #write(until: number, ver: number): Promise<void> {
    const row = { name: this.#name, holder: this.#holder, until, ver };
    await this.#connection.insert('leases', [row], { deadlineMs: ANSWER_MS });
  }

  async #read(): Promise<Held | undefined> {
    const [row] = await this.#connection.all<Held>(
      sql`SELECT holder, until, ver FROM leases FINAL WHERE name = ${bind(this.#name)}`,
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

  readonly take = async (name: string, ms: number): Promise<boolean> => {
    const lease = this.#leases.get(name) ?? new Lease(this.#connection, name);
    this.#leases.set(name, lease);
    return await lease.take(ms);
  };

  /** Gives back those that are held. */
  async close(): Promise<void> {
    // The engine may be away: they end by themselves.
    await Promise.allSettled([...this.#leases.values()].map(async (lease) => await lease.release()));
  }
}
