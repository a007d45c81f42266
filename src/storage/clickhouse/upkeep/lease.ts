import { randomUUID } from 'node:crypto';
import { bind, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';

/** Milliseconds for which one service does the work of all; it says so again before they are over. */
const LEASE_MS = 30_000;

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

  /** Is it ours for now? */
  async take(now = Date.now()): Promise<boolean> {
    const known = await this.#read();
    if (known !== undefined && known.holder !== this.#holder && known.until > now) return false;
    const row = { name: this.#name, holder: this.#holder, until: now + LEASE_MS, ver: now * 1000 };
    await this.#connection.insert('leases', [row]);
    return (await this.#read())?.holder === this.#holder;
  }

  async #read(): Promise<{ readonly holder: string; readonly until: number } | undefined> {
    const [row] = await this.#connection.all<{ holder: string; until: number }>(
      sql`SELECT holder, until FROM leases FINAL WHERE name = ${bind(this.#name)}`,
    );
    return row;
  }
}
