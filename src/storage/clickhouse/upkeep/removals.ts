import { setTimeout } from 'node:timers/promises';
import { TracingError } from '../../../protocol/error.ts';
import { bind, raw, type Sql, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { codeOf, reasonOf } from '../failure.ts';

/** Milliseconds between looks at what is left: from the first to the longest. */
const FIRST_MS = 20;
const LONGEST_MS = 2000;
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

/**
 * Removes rows. A server notes at once what is to go, and reads find nothing of it from then on (`apply_mutations_on_fly`); it
 * changes parts for as long as it takes, and only those that were there before, so what is inserted meanwhile stays.
 */
export class Removals {
  readonly #connection: Connection;
  readonly #closing = new AbortController();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Resolves when reads find none of the rows. */
  async note(table: string, condition: Sql): Promise<void> {
    await this.#connection.remove(sql`DELETE FROM ${raw(table)} WHERE ${condition}`);
  }

  /**
   * Resolves with true when the server has carried out all removals, and with false when nobody waits for that any more: it goes on
   * by itself. Rejects with what the server could not do, which it tries again.
   */
  async ended(asked?: AbortSignal): Promise<boolean> {
    const signal = asked === undefined ? this.#closing.signal : AbortSignal.any([this.#closing.signal, asked]);
    try {
      for (let waitMs = FIRST_MS; await this.#areLeft(signal); waitMs = Math.min(2 * waitMs, LONGEST_MS)) {
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
    if (!this.#closing.signal.aborted) await this.#areLeft(this.#closing.signal);
  }

  /** Nobody waits any more. */
  async close(): Promise<void> {
    this.#closing.abort();
  }

  async #areLeft(signal: AbortSignal): Promise<boolean> {
    const left = await this.#connection.all<Left>(raw(LEFT), { signal }).catch(explained);
    const failed = left.find(({ reason }) => reason !== '');
    if (failed === undefined) return left.length > 0;
    throw new Error(`ClickHouse cannot remove rows of the table "${failed.table}" for now: ${reasonOf(failed.reason)}`);
  }
}

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
