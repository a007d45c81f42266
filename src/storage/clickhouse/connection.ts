import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { randomUUID } from 'node:crypto';
import type { ReadOptions } from '../contract/reads.ts';
import { raw, type Sql } from '../sql/sql.ts';
import { codeOf, failureOfRead, failureOfWrite } from './failure.ts';
import { statementOf } from './statement.ts';

/** A row as it is inserted or read; columns that are left out have their defaults. */
export type Row = Readonly<Record<string, unknown>>;

/** A statement within our limits may be megabytes, with all of its values. */
const LARGE: ClickHouseSettings = {
  max_query_size: String(64 * 1024 * 1024),
  max_ast_elements: '10000000',
  max_expanded_ast_elements: '10000000',
};

/** Settings of every read: a call is one row in one partition, and nobody who has left is worked for. */
const READING: ClickHouseSettings = {
  do_not_merge_across_partitions_select_final: 1,
  use_skip_indexes_if_final: 1,
  // Rows that hide others have nothing that is looked for by an index.
  use_skip_indexes_if_final_exact_mode: 1,
  // What is to be removed is not there any more, however long that takes.
  apply_mutations_on_fly: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  // Without it a statement that is posted is none of those.
  readonly: '2',
  timeout_overflow_mode: 'throw',
  output_format_json_quote_64bit_integers: 0,
  // A text that is a number is the nearest double.
  precise_float_parsing: 1,
  ...LARGE,
};

const WRITING: ClickHouseSettings = {
  // A profile may say otherwise, and what is answered would be in memory only.
  async_insert: 0,
  wait_for_async_insert: 1,
  // An import of years is one insert.
  max_partitions_per_insert_block: '0',
  // What a row does not say is the default of its column.
  input_format_null_as_default: 1,
  // Blocks of any shape, as rows of few columns, are whole in one part.
  input_format_parallel_parsing: 0,
};

/** A server that reads or copies says so, as a statement may take longer than the driver waits for one that says nothing. */
const SHOWING_PROGRESS: ClickHouseSettings = {
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '20000',
};

const COMMANDING: ClickHouseSettings = { ...LARGE, ...SHOWING_PROGRESS };

/** A removal is noted, and carried out when nobody waits for it. */
const NOTED: ClickHouseSettings = { lightweight_deletes_sync: '0' };

/** All settings that reads say, which the profile of the user must leave to us. */
export function settingsOfReads(maxMemoryBytes: number): ClickHouseSettings {
  // What stands in a statement itself is left to us in the same way.
  return { ...READING, ...SHOWING_PROGRESS, ...boundOf(ALL_MS), ...memoryOf(maxMemoryBytes), max_threads: 1 };
}

/** The same of all statements. */
export function settingsOfStatements(maxMemoryBytes: number): ClickHouseSettings {
  const writing = { ...WRITING, insert_deduplication_token: 'any text', ...NOTED };
  return { ...writing, ...settingsOfReads(maxMemoryBytes) };
}

/** As long may a read of all rows take whose reader says nothing, in milliseconds. */
const ALL_MS = 60_000;

/** Narrow rows that are held for a reader: a few megabytes. */
const MAX_HELD_ROWS = 10_000;

interface ConnectionOptions {
  /** Bounds each read in the server; 0 leaves that to its own settings. @default 0 */
  readonly maxMemoryBytes?: number;
  /** For streams without a bound, which hold a connection as long as their reader likes. @default the client of all else */
  readonly streams?: ClickHouseClient;
  /** Waits for a server that says nothing for long. @default the client of all else */
  readonly patient?: ClickHouseClient;
}

/** One database of a server, over HTTP. What fails rejects with a `TracingError`. */
export class Connection {
  readonly #client: ClickHouseClient;
  readonly #streams: ClickHouseClient;
  readonly #patient: ClickHouseClient;
  readonly #maxMemoryBytes: number;

  constructor(client: ClickHouseClient, options: ConnectionOptions = {}) {
    const { maxMemoryBytes = 0, streams = client, patient = client } = options;
    this.#client = client;
    this.#streams = streams;
    this.#patient = patient;
    this.#maxMemoryBytes = maxMemoryBytes;
  }

  /**
   * Rows of a statement as they come, for who takes them at once, and asks this connection for nothing else meanwhile: as many as
   * there are connections would wait for one more each. Leaving the loop early ends it in the server, too.
   */
  rows<Found = Row>(sql: Sql, options: ReadOptions = {}): AsyncGenerator<readonly Found[], void> {
    return this.#read<Found>(this.#client, sql, options);
  }

  /**
   * The rows of a statement for a reader who may be slow. Where it has few at most they are held here, and hold no connection
   * meanwhile; where it may have more they have one of those for streams.
   */
  async *stream<Found = Row>(
    sql: Sql,
    options: ReadOptions = {},
    maxRows = Infinity,
  ): AsyncGenerator<readonly Found[], void> {
    if (maxRows > MAX_HELD_ROWS) return yield* this.#read<Found>(this.#streams, sql, options);
    const all = await this.all<Found>(sql, options);
    if (all.length > 0) yield all;
  }

  /** All rows of a statement that has few. Its deadline is that of the last one. @default deadlineMs 60 s */
  async all<Found = Row>(sql: Sql, options: ReadOptions = {}): Promise<Found[]> {
    const all: Found[] = [];
    const { deadlineMs = ALL_MS } = options;
    const bound = { settings: boundOf(deadlineMs), isToItsEnd: true };
    const found = this.#read<Found>(this.#client, sql, { ...options, deadlineMs }, bound);
    for await (const rows of found) for (const row of rows) all.push(row);
    return all;
  }

  async *#read<Found>(
    client: ClickHouseClient,
    sql: Sql,
    options: ReadOptions,
    { settings, isToItsEnd }: Bound = UNBOUNDED,
  ): AsyncGenerator<readonly Found[], void> {
    const wait = new Wait(options);
    try {
      const request = { ...statementOf(sql), ...this.#reading(wait.signal, settings) };
      const found = await onceMore(() => client.query(request), wait.signal);
      const stream = found.stream();
      // The driver listens until the answer begins.
      const abort = () => stream.destroy(new Error('Nobody waits for the answer'));
      wait.signal.addEventListener('abort', abort);
      if (wait.signal.aborted) abort();
      try {
        for await (const rows of stream) {
          wait.goesOn(isToItsEnd);
          yield (rows as readonly { json: () => Found }[]).map((row) => row.json());
        }
      } finally {
        stream.destroy();
      }
    } catch (error) {
      throw wait.failureOf(error);
    } finally {
      wait.end();
    }
  }

  /** Resolves when the rows are stored; sent once more, they are taken for the same. Past a deadline nobody knows what became of them. */
  async insert(
    table: string,
    rows: readonly Row[],
    { deadlineMs }: Pick<ReadOptions, 'deadlineMs'> = {},
  ): Promise<void> {
    if (rows.length === 0) return;
    const settings = { ...WRITING, insert_deduplication_token: randomUUID() };
    const late = lateAfter(deadlineMs);
    const { columns, values } = tabled(rows);
    const options = { format: 'JSONCompactEachRow', clickhouse_settings: settings, ...late } as const;
    try {
      await onceMore(() => this.#client.insert({ table, columns, values, ...options }), late.abort_signal);
    } catch (error) {
      throw failureOfWrite(error);
    }
  }

  /** Runs an `INSERT … SELECT`, which must be harmless when it is carried out twice. Past a deadline nobody knows what became of it. */
  async command(sql: Sql | string, { deadlineMs }: Pick<ReadOptions, 'deadlineMs'> = {}): Promise<void> {
    await this.#run(this.#client, sql, lateAfter(deadlineMs));
  }

  /** The same of one that counts by when it is carried out: after a lost connection nobody knows whether it was. */
  async commandOnce(sql: Sql | string, { deadlineMs }: Pick<ReadOptions, 'deadlineMs'> = {}): Promise<void> {
    await this.#run(this.#client, sql, { ...lateAfter(deadlineMs), isOnce: true });
  }

  /** Changes tables. While the parts of one are changed a server tells of no progress. */
  async alter(sql: Sql | string): Promise<void> {
    await this.#run(this.#patient, sql, { isOnce: true });
  }

  /**
   * Has rows removed: resolves when reads of ours find none of them, which may be long before they are gone. It is not done once
   * more after a lost connection: the first attempt may have been noted, and the next would remove what was written anew meanwhile.
   * After an abort nobody knows whether it was noted.
   */
  async remove(sql: Sql, { signal }: Pick<ReadOptions, 'signal'> = {}): Promise<void> {
    const asked = signal === undefined ? {} : { abort_signal: signal };
    await this.#run(this.#client, sql, { isOnce: true, settings: { ...COMMANDING, ...NOTED }, ...asked });
  }

  async #run(
    client: ClickHouseClient,
    sql: Sql | string,
    { isOnce = false, settings = COMMANDING, ...late }: Run,
  ): Promise<void> {
    try {
      const statement = statementOf(typeof sql === 'string' ? raw(sql) : sql);
      const request = { ...statement, clickhouse_settings: settings, ...late };
      await (isOnce ? client.command(request) : onceMore(() => client.command(request), late.abort_signal));
    } catch (error) {
      throw failureOfWrite(error);
    }
  }

  async close(): Promise<void> {
    await this.#streams.close();
    await this.#patient.close();
    await this.#client.close();
  }

  #reading(signal: AbortSignal, more: ClickHouseSettings) {
    const settings = { ...READING, ...more, ...memoryOf(this.#maxMemoryBytes) };
    return { format: 'JSONEachRow', abort_signal: signal, clickhouse_settings: settings } as const;
  }
}

function memoryOf(maxBytes: number): ClickHouseSettings {
  return maxBytes > 0 ? { max_memory_usage: String(maxBytes) } : {};
}

interface Late {
  readonly abort_signal?: AbortSignal;
}

interface Run extends Late {
  readonly isOnce?: boolean;
  readonly settings?: ClickHouseSettings;
}

function lateAfter(deadlineMs: number | undefined): Late {
  return deadlineMs === undefined ? {} : { abort_signal: AbortSignal.timeout(deadlineMs) };
}

/** A server closes connections that nobody has used for some seconds, also the one that is used at that moment. */
const RESET = /^(?:ECONNRESET|EPIPE)$/;

/** Whether the first attempt was carried out does not matter: reads change nothing, and what is written twice counts once. */
async function onceMore<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!RESET.test(codeOf(error))) throw error;
    // The driver hears only of an abort that comes while it asks.
    signal?.throwIfAborted();
    return await attempt();
  }
}

interface Bound {
  readonly settings: ClickHouseSettings;
  /** Does the deadline hold until the last row? */
  readonly isToItsEnd: boolean;
}

const UNBOUNDED: Bound = { settings: SHOWING_PROGRESS, isToItsEnd: false };

/** The server ends what our own deadline has not ended, a second later. */
function boundOf(deadlineMs: number): ClickHouseSettings {
  return deadlineMs === Infinity ? SHOWING_PROGRESS : { max_execution_time: Math.ceil(deadlineMs / 1000) + 1 };
}

interface Tabled {
  readonly columns: [string, ...string[]];
  readonly values: readonly (readonly unknown[])[];
}

/** Names of columns are as long as what a row says: they are sent once. */
function tabled(rows: readonly Row[]): Tabled {
  const [first, ...others] = Object.keys(rows[0] ?? {});
  if (first === undefined) throw new TypeError('Rows without columns cannot be inserted');
  const columns: Tabled['columns'] = [first, ...others];
  if (rows.every((row) => hasColumns(row, columns))) return { columns, values: rows.map((row) => Object.values(row)) };
  for (const column of new Set(rows.flatMap((row) => Object.keys(row)))) {
    if (!columns.includes(column)) columns.push(column);
  }
  return { columns, values: rows.map((row) => columns.map((column) => row[column] ?? null)) };
}

/** Most rows of an insert are made by one literal. */
function hasColumns(row: Row, columns: readonly string[]): boolean {
  const own = Object.keys(row);
  return own.length === columns.length && own.every((column, index) => column === columns[index]);
}

/** How long a read may take until its first rows, or its last one, and whether anybody waits for it. */
class Wait {
  readonly #controller = new AbortController();
  readonly #options: ReadOptions;
  readonly #timer: NodeJS.Timeout | undefined;
  #isLate = false;

  constructor(options: ReadOptions) {
    this.#options = options;
    const { deadlineMs, signal } = options;
    signal?.throwIfAborted();
    signal?.addEventListener('abort', this.#abort);
    if (deadlineMs === undefined || deadlineMs === Infinity) return;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      this.#abort();
    }, deadlineMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Rows have come: the time of all of them goes on, that of the first ones is over. */
  goesOn(isToItsEnd: boolean): void {
    if (!isToItsEnd) clearTimeout(this.#timer);
    this.#options.signal?.throwIfAborted();
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener('abort', this.#abort);
  }

  failureOf(error: unknown): unknown {
    if (this.#options.signal?.aborted) return this.#options.signal.reason;
    return failureOfRead(error, this.#isLate ? this.#options.deadlineMs : undefined);
  }

  readonly #abort = () => {
    this.#controller.abort();
  };
}
