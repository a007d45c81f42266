import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { TracingError } from '../../../protocol/error.ts';
import { bind, raw, type Sql, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { codeOf, reasonOf } from '../failure.ts';

/** Milliseconds between looks at what is left, from the first to the longest: the server prints all removals that it keeps for each. */
const FIRST_MS = 500;
const LONGEST_MS = 4000;

/** The same between looks for a removal that a server of a cluster has taken, and how long that may take to be there. */
const FIRST_SHOWN_MS = 10;
const SHOWN_MS = 30_000;
/** The code of an error: rights that the user lacks. */
const NOT_ALLOWED = '497';

/** Removals of rows that the server has noted and not carried out, of this service and of others. */
const LEFT = `SELECT table, latest_fail_reason AS reason FROM system.mutations
  WHERE database = currentDatabase() AND is_done = 0 AND position(command, '_row_exists') > 0`;

interface Left {
  readonly table: string;
  /** Why the last attempt failed; empty where none did. */
  readonly reason: string;
}

interface RemovalsOptions {
  /** Have the tables copies on other servers? @default false */
  readonly hasCopies?: boolean;
  /** Milliseconds in which a server of a cluster shows what it has taken. @default 30,000 */
  readonly shownMs?: number;
  /** Milliseconds from the first look at what is left to the next. @default 500 */
  readonly firstMs?: number;
}

/**
 * Removes rows. A server notes at once what is to go, and reads find nothing of it from then on (`apply_mutations_on_fly`); it
 * changes parts for as long as it takes, and only those that were there before, so what is inserted meanwhile stays.
 */
export class Removals {
  readonly #connection: Connection;
  readonly #hasCopies: boolean;
  readonly #shownMs: number;
  readonly #firstMs: number;
  readonly #closing = new AbortController();

  constructor(connection: Connection, options: RemovalsOptions = {}) {
    const { hasCopies = false, shownMs = SHOWN_MS, firstMs = FIRST_MS } = options;
    this.#connection = connection;
    this.#hasCopies = hasCopies;
    this.#shownMs = shownMs;
    this.#firstMs = firstMs;
  }

  /** Resolves when reads find none of the rows. */
  async note(table: string, condition: Sql): Promise<void> {
    const mark = this.#hasCopies ? randomUUID() : undefined;
    // True, and what the removal is known by.
    const marked = mark === undefined ? condition : sql`${condition} AND ${bind(mark)} != ''`;
    await this.#connection.remove(sql`DELETE FROM ${raw(table)} WHERE ${marked}`);
    if (mark !== undefined) await this.#shown(table, mark);
  }

  /** With copies a removal is answered when Keeper has it: the server itself hears of it from there, like all others. */
  async #shown(table: string, mark: string): Promise<void> {
    const removal = sql`SELECT 1 AS one FROM system.mutations
      WHERE database = currentDatabase() AND table = ${bind(table)} AND position(command, ${bind(mark)}) > 0 LIMIT 1`;
    const end = performance.now() + this.#shownMs;
    for (let waitMs = FIRST_SHOWN_MS; (await this.#connection.all(removal)).length === 0; waitMs *= 2) {
      if (performance.now() > end) throw new TracingError('unavailable', `Cannot remove what is old: ${LATE}`);
      await setTimeout(Math.min(waitMs, FIRST_MS));
    }
  }

  /**
   * Resolves with true when the server has carried out all removals, and with false when nobody waits for that any more: it goes on
   * by itself. Rejects with what the server could not do, which it tries again.
   */
  async ended(asked?: AbortSignal): Promise<boolean> {
    const signal = asked === undefined ? this.#closing.signal : AbortSignal.any([this.#closing.signal, asked]);
    try {
      for (let waitMs = this.#firstMs; await this.areLeft(signal); waitMs = Math.min(2 * waitMs, LONGEST_MS)) {
        await setTimeout(waitMs, undefined, { signal });
      }
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  /** Rejects with what the server could not remove, or where its user may not see that. */
  async check(): Promise<void> {
    if (!this.#closing.signal.aborted) await this.areLeft(this.#closing.signal);
  }

  /** Nobody waits any more. */
  async close(): Promise<void> {
    this.#closing.abort();
  }

  /** Has the server removals to carry out? Rejects with what it could not do, which it tries again. */
  async areLeft(asked?: AbortSignal): Promise<boolean> {
    const options = asked === undefined ? {} : { signal: asked };
    const left = await this.#connection.all<Left>(raw(LEFT), options).catch(explained);
    const failed = left.find(({ reason }) => reason !== '');
    if (failed === undefined) return left.length > 0;
    throw new Error(`ClickHouse cannot remove rows of the table "${failed.table}" for now: ${reasonOf(failed.reason)}`);
  }
}

const LATE = 'ClickHouse does not show yet what it has taken';

/** `system.mutations` is closed to users without a grant (`select_from_system_db_requires_grant`). */
function explained(error: unknown): never {
  if (codeOf((error as Partial<Error>).cause) !== NOT_ALLOWED) throw error;
  throw new TracingError(
    'invalid_configuration',
    'Cannot remove what is old from ClickHouse: the user may not see what is left to remove: GRANT SELECT ON system.mutations',
    { cause: error },
  );
}

/**
 * A list of texts for the condition of a removal, which every read evaluates until it is carried out: one literal is read in a
 * tenth of the time of one for each text.
 */
export function oneOf(texts: readonly string[]): Sql {
  return sql`JSONExtract(${bind(JSON.stringify(texts))}, 'Array(String)')`;
}
