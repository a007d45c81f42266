import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { TracingError } from '../../../protocol/error.ts';
import { bind, raw, type Sql, sql } from '../../sql/sql.ts';
import type { Connection } from '../connection.ts';
import { codeOf, reasonOf } from '../failure.ts';

/** Milliseconds between looks at what is left, from the first to the longest: the server prints all removals that it keeps for each. */
const FIRST_MS = 50;
const LONGEST_MS = 4000;

/** The same between looks for a removal that a server of a cluster has taken: who writes waits for that. */
const FIRST_SHOWN_MS = 10;
const LONGEST_SHOWN_MS = 500;
/** How long all removals of a step may take together to be there. */
const SHOWN_MS = 5000;
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
  /** Milliseconds in which a server of a cluster shows what it has taken in a step. @default 5000 */
  readonly shownMs?: number;
}

/** Removals that belong together, carried out while no group is written. */
export interface RemovalStep {
  /** Resolves when reads find none of the rows. Rejects where nobody waits any more: it may be noted then. */
  note(table: string, condition: Sql): Promise<void>;
}

/**
 * Removes rows. A server notes at once what is to go, and reads find nothing of it from then on (`apply_mutations_on_fly`); it
 * changes parts for as long as it takes, and only those that were there before, so what is inserted meanwhile stays.
 */
export class Removals {
  readonly #connection: Connection;
  readonly #hasCopies: boolean;
  readonly #shownMs: number;
  readonly #closing = new AbortController();

  constructor(connection: Connection, { hasCopies = false, shownMs = SHOWN_MS }: RemovalsOptions = {}) {
    this.#connection = connection;
    this.#hasCopies = hasCopies;
    this.#shownMs = shownMs;
  }

  /** Removals from now on, for as long as somebody waits for them. */
  step(asked?: AbortSignal): RemovalStep {
    const end = performance.now() + this.#shownMs;
    const signal = this.#signalOf(asked);
    return {
      note: async (table, condition) => {
        signal.throwIfAborted();
        await this.#note(table, condition, { signal, end });
      },
    };
  }

  async #note(table: string, condition: Sql, shown: Shown): Promise<void> {
    const removal = (rows: Sql) => sql`DELETE FROM ${raw(table)} WHERE ${rows}`;
    if (!this.#hasCopies) return await this.#connection.remove(removal(condition));
    const mark = randomUUID();
    // True, and what the removal is known by.
    const marked = removal(sql`${condition} AND ${bind(mark)} != ''`);
    await inTime(shown, (signal) => this.#connection.remove(marked, { signal }));
    await this.#untilShown(table, mark, shown);
  }

  /** With copies a removal is answered when Keeper has it: the server itself hears of it from there, like all others. */
  async #untilShown(table: string, mark: string, shown: Shown): Promise<void> {
    const removal = sql`SELECT 1 AS one FROM system.mutations
      WHERE database = currentDatabase() AND table = ${bind(table)} AND position(command, ${bind(mark)}) > 0 LIMIT 1`;
    await inTime(shown, async (signal) => {
      for (let waitMs = FIRST_SHOWN_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_SHOWN_MS)) {
        if ((await this.#connection.all(removal, { signal })).length > 0) return;
        await setTimeout(waitMs, undefined, { signal });
      }
    });
  }

  /**
   * Resolves with true when the server has carried out all removals, and with false when nobody waits for that any more: it goes on
   * by itself. Rejects with what the server could not do, which it tries again.
   */
  async ended(asked?: AbortSignal): Promise<boolean> {
    const signal = this.#signalOf(asked);
    try {
      for (let waitMs = FIRST_MS; await this.areLeft(signal); waitMs = Math.min(2 * waitMs, LONGEST_MS)) {
        await setTimeout(waitMs, undefined, { signal });
      }
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      throw error;
    }
  }

  /** Rejects where nobody waits any more, too. */
  async untilEnded(asked?: AbortSignal): Promise<void> {
    if (!(await this.ended(asked))) this.#signalOf(asked).throwIfAborted();
  }

  /** Rejects with what the server could not remove, or where its user may not see that. */
  async check(asked?: AbortSignal): Promise<void> {
    if (!this.#closing.signal.aborted) await this.areLeft(this.#signalOf(asked));
  }

  /** Nobody waits any more. */
  async close(): Promise<void> {
    this.#closing.abort(new TracingError('unavailable', 'Cannot remove what is old: the storage is closed'));
  }

  #signalOf(asked: AbortSignal | undefined): AbortSignal {
    return asked === undefined ? this.#closing.signal : AbortSignal.any([this.#closing.signal, asked]);
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

/** For whom a server has to show what it has taken, and until when. */
interface Shown {
  readonly signal: AbortSignal;
  /** By the clock of this process. */
  readonly end: number;
}

/** Ends what a server is asked for when its time is over, or when nobody waits any more. */
async function inTime(shown: Shown, ask: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const late = AbortSignal.timeout(Math.max(0, Math.ceil(shown.end - performance.now())));
  try {
    await ask(AbortSignal.any([shown.signal, late]));
  } catch (error) {
    shown.signal.throwIfAborted();
    if (!late.aborted) throw error;
    throw new TracingError('unavailable', `Cannot remove what is old: ${LATE}`, { cause: error });
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
