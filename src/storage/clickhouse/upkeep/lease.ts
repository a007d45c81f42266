import { randomUUID } from 'node:crypto';
import { bind, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';

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
  readonly #ms: number;
  readonly #holder = randomUUID();

  /** For so many milliseconds one service does the work of all; it says so again before they are over. */
  constructor(connection: Connection, name: string, ms: number) {
    this.#connection = connection;
    this.#name = name;
    this.#ms = ms;
  }

  /** Is it ours for now? */
  async take(now = Date.now()): Promise<boolean> {
    const known = await this.#read();
    if (known !== undefined && known.holder !== this.#holder && known.until > now) return false;
    // Clocks differ: whoever has it now is replaced.
    const ver = Math.max(now * 1000, (known?.ver ?? 0) + 1);
    const row = { name: this.#name, holder: this.#holder, until: now + this.#ms, ver };
    await this.#connection.insert('leases', [row]);
    return (await this.#read())?.holder === this.#holder;
  }

  async #read(): Promise<Held | undefined> {
    const [row] = await this.#connection.all<Held>(
      sql`SELECT holder, until, ver FROM leases FINAL WHERE name = ${bind(this.#name)}`,
    );
    return row;
  }
}

/** Leases by their names, as services ask for them. */
export function leasesOn(connection: Connection): (name: string, ms: number) => Promise<boolean> {
  const leases = new Map<string, Lease>();
  return async (name, ms) => {
    const lease = leases.get(name) ?? new Lease(connection, name, ms);
    leases.set(name, lease);
    return await lease.take();
  };
}
