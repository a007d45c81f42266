import { TracingError } from '../../protocol/error.ts';
import type { TablePlan } from '../contract/plan.ts';
import type { ReadOptions } from '../contract/reads.ts';
import type { DerivedTable, NewRow, NewTable, RowRun, StoredRow, TableStats, TableStore } from '../contract/tables.ts';
import { bind, join, sql, type Sql } from '../sql/sql.ts';
import { checkCopied, deriveWhole, noBase } from '../values/derived-tables.ts';
import { pageOf } from '../values/pages.ts';
import { SortedRows } from '../values/sort-rows.ts';
import type { Connection } from './connection.ts';
import { bindIntegers, bindTexts } from './statement.ts';
import { inParts } from './write/in-parts.ts';
import { mustBeThere } from './write/must-be-there.ts';

/** Rows that are read together. */
const MAX_ROWS = 500;
/** Places of rows that are held at once, a few megabytes: the server reads the whole list of a table for each such window. */
const MAX_PLACES = 20_000;
/** Rows that are inserted together, and characters of their values. */
const MAX_INSERTED = 20_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Pieces of a list that a statement puts together; each is an expression of it. */
const MAX_PIECES = 1000;

/** A place of a table and the row there. */
interface Place {
  readonly position: number;
  readonly digest: string;
}

interface Window {
  readonly offset: number;
  readonly limit: number;
}

/** Tables and their rows never change: a table is a list of digests of rows, which stays in the server but for what is read of it. */
export class ClickhouseTables implements TableStore {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async create({ project_id: projectId, digest, row_digests: rowDigests, rows }: NewTable): Promise<void> {
    const given = new Map(Array.from(rows, (row) => [row.digest, row]));
    const others = [...new Set(rowDigests)].filter((row) => !given.has(row));
    const stored = new Set(await this.#stored(projectId, others));
    const missing = others.find((row) => !stored.has(row));
    if (missing !== undefined) throw new TracingError('not_found', `Cannot create the table: no row "${missing}"`);
    await this.#insertRows(projectId, given.values());
    await this.#connection.insert('tables', [{ project_id: projectId, digest, row_digests: rowDigests }]);
  }

  /** The server puts the list together, unless it would be of more pieces than a statement should have. */
  async derive(table: DerivedTable): Promise<void> {
    const { project_id: projectId, digest, base_digest: base, pieces } = table;
    const lists = listsOf(pieces);
    if (lists.length > MAX_PIECES) return await deriveWhole(this, table);
    const [found] = await this.#connection.all<{ count: number }>(
      sql`SELECT length(row_digests) AS count FROM ${listOf(projectId, base)}`,
    );
    if (found === undefined) throw noBase(base);
    for (const list of lists) if ('from' in list) checkCopied(copiedOf(list, found.count), list);
    await this.#insertRows(projectId, rowsOf(pieces));
    await this.#connection.command(
      sql`INSERT INTO tables (project_id, digest, row_digests)
        SELECT project_id, ${bind(digest)}, arrayConcat(${join([NO_ROWS, ...lists.map(printList)], ', ')})
        FROM ${listOf(projectId, base)} WHERE ${mustBeThere(listOf(projectId, base))} = 0`,
    );
  }

  async getRowDigests(projectId: string, digest: string): Promise<readonly string[] | undefined> {
    const [row] = await this.#connection.all<{ row_digests: string[] }>(
      sql`SELECT row_digests FROM ${listOf(projectId, digest)}`,
    );
    return row?.row_digests;
  }

  /** The deadline is for all that is read until the rows have their order. */
  async *query(plan: TablePlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredRow[]> {
    const rest = restOf(options);
    const { projectId } = plan;
    const windows = plan.sort.length === 0 ? this.#inOrder(plan, rest) : this.#sorted(plan, rest);
    for await (const part of partsOf(windows)) {
      options.signal?.throwIfAborted();
      const values = await this.#values(projectId, part);
      yield part.map(({ position, digest }) => ({
        digest,
        val: values.get(digest) ?? '{}',
        original_index: position,
      }));
    }
  }

  async stats(projectId: string, digests: readonly string[]): Promise<TableStats[]> {
    const stats = await Promise.all(digests.map((digest) => this.#statsOf(projectId, digest)));
    return stats.filter((one) => one !== undefined);
  }

  /** The places of a page in the order of the table. Only those before the first rows have a deadline. */
  async *#inOrder(plan: TablePlan, rest: () => ReadOptions): AsyncGenerator<readonly Place[]> {
    const end = plan.offset + (plan.limit ?? Infinity);
    for (let { offset } = plan; offset < end;) {
      const limit = Math.min(MAX_PLACES, end - offset);
      const isFirst = offset === plan.offset;
      const places = await this.#connection.all<Place>(
        printPlaces(plan, { offset, limit }),
        isFirst ? rest() : unbounded(rest()),
      );
      yield places;
      if (places.length < limit) return;
      offset += limit;
    }
  }

  /** The places of a page in another order: of those before its end no more than the page needs are held. */
  async *#sorted(plan: TablePlan, rest: () => ReadOptions): AsyncGenerator<readonly Place[]> {
    const sorted = new SortedRows(plan.sort, plan.limit === undefined ? undefined : plan.offset + plan.limit);
    for await (const part of partsOf(this.#wanted(plan, rest))) {
      const values = await this.#values(plan.projectId, part, rest());
      sorted.take(part.map(({ position, digest }) => ({ position, val: values.get(digest) ?? '{}' })));
    }
    const positions = pageOf(sorted.positions(), plan);
    for (let index = 0; index < positions.length; index += MAX_PLACES) {
      yield await this.#placesAt(
        plan,
        positions.slice(index, index + MAX_PLACES),
        index === 0 ? rest() : unbounded(rest()),
      );
    }
  }

  /** All places that a plan is about. */
  async *#wanted(plan: TablePlan, rest: () => ReadOptions): AsyncGenerator<readonly Place[]> {
    for (let offset = 0; ; offset += MAX_PLACES) {
      const window = { offset, limit: MAX_PLACES };
      const places = await this.#connection.all<Place>(printPlaces(plan, window), rest());
      yield places;
      if (places.length < MAX_PLACES) return;
    }
  }

  async #placesAt({ projectId, digest }: TablePlan, positions: readonly number[], options: ReadOptions) {
    const found = await this.#connection.all<Place>(
      sql`SELECT place - 1 AS position, row AS digest FROM ${placesOf(projectId, digest)}
        WHERE position IN ${bindIntegers(positions)}`,
      options,
    );
    const digests = new Map(found.map((place) => [place.position, place.digest]));
    return positions.map((position) => ({ position, digest: digests.get(position) ?? '' }));
  }

  async #values(projectId: string, places: readonly Place[], options: ReadOptions = {}): Promise<Map<string, string>> {
    const digests = [...new Set(places.map(({ digest }) => digest))];
    const rows = await this.#connection.all<NewRow>(
      sql`SELECT digest, val FROM table_rows FINAL WHERE project_id = ${bind(projectId)} AND digest IN ${bindTexts(digests)}`,
      options,
    );
    return new Map(rows.map(({ digest, val }) => [digest, val]));
  }

  async #insertRows(projectId: string, rows: Iterable<NewRow>): Promise<void> {
    for (const part of groupsOf(rows)) {
      await this.#connection.insert(
        'table_rows',
        part.map((row) => ({ project_id: projectId, ...row })),
      );
    }
  }

  async #stored(projectId: string, digests: readonly string[]): Promise<string[]> {
    const rows = await inParts(digests, (part) => {
      return this.#connection.all<{ digest: string }>(
        sql`SELECT DISTINCT digest FROM table_rows WHERE project_id = ${bind(projectId)} AND digest IN ${bindTexts(part)}`,
      );
    });
    return rows.map(({ digest }) => digest);
  }

  async #statsOf(projectId: string, digest: string): Promise<TableStats | undefined> {
    const [list] = await this.#connection.all<{ count: number }>(
      sql`SELECT length(row_digests) AS count FROM ${listOf(projectId, digest)}`,
    );
    if (list === undefined) return undefined;
    const rows = sql`SELECT arrayJoin(row_digests) AS digest FROM ${listOf(projectId, digest)}`;
    const [size] = await this.#connection.all<{ bytes: number }>(
      sql`SELECT sum(t.times * r.bytes) AS bytes FROM (SELECT digest, count() AS times FROM (${rows}) GROUP BY digest) AS t
        INNER JOIN (SELECT digest, length(val) AS bytes FROM table_rows FINAL
          WHERE project_id = ${bind(projectId)} AND digest IN (${rows})) AS r ON t.digest = r.digest`,
    );
    return { digest, count: list.count, size_bytes: size?.bytes ?? 0 };
  }
}

function listOf(projectId: string, digest: string): Sql {
  return sql`(SELECT project_id, row_digests FROM tables FINAL
    WHERE project_id = ${bind(projectId)} AND digest = ${bind(digest)})`;
}

/** Every place of a table, counted from 1, and the row there. */
function placesOf(projectId: string, digest: string): Sql {
  return sql`(SELECT place, row FROM ${listOf(projectId, digest)}
    ARRAY JOIN row_digests AS row, arrayEnumerate(row_digests) AS place)`;
}

/** Some of the places that a plan is about, in the order of the table. */
function printPlaces({ projectId, digest, rowDigests }: TablePlan, { offset, limit }: Window): Sql {
  if (rowDigests === undefined) {
    return sql`SELECT ${bind(offset)} + place - 1 AS position, row AS digest FROM
      (SELECT arraySlice(row_digests, ${bind(offset + 1)}, ${bind(limit)}) AS part FROM ${listOf(projectId, digest)})
      ARRAY JOIN part AS row, arrayEnumerate(part) AS place ORDER BY place`;
  }
  return sql`SELECT place - 1 AS position, row AS digest FROM ${placesOf(projectId, digest)}
    WHERE row IN ${bindTexts(rowDigests)} ORDER BY place LIMIT ${bind(limit)} OFFSET ${bind(offset)}`;
}

/** Pieces of a list: runs, and rows that follow one another. */
function listsOf(pieces: DerivedTable['pieces']): (RowRun | string[])[] {
  const lists: (RowRun | string[])[] = [];
  for (const piece of pieces) {
    const last = lists.at(-1);
    if ('from' in piece) lists.push(piece);
    else if (Array.isArray(last)) last.push(piece.digest);
    else lists.push([piece.digest]);
  }
  return lists;
}

const NO_ROWS = sql`emptyArrayString()`;

function printList(list: RowRun | readonly string[]): Sql {
  if (!('from' in list)) return bindTexts(list);
  return sql`arraySlice(row_digests, ${bind(list.from + 1)}, ${bind(list.count)})`;
}

function copiedOf({ from, count }: RowRun, length: number): number {
  return Math.max(0, Math.min(count, length - from));
}

/** Rows that are given, each once. */
function* rowsOf(pieces: DerivedTable['pieces']): Generator<NewRow> {
  const seen = new Set<string>();
  for (const piece of pieces) {
    if ('from' in piece || seen.has(piece.digest)) continue;
    seen.add(piece.digest);
    yield piece;
  }
}

/** The rest of the time of a read, for each of several statements. */
function restOf({ deadlineMs = Infinity, signal }: ReadOptions): () => ReadOptions {
  const until = performance.now() + deadlineMs;
  return () => ({ deadlineMs: Math.max(0, until - performance.now()), ...(signal && { signal }) });
}

/** Of reads after the first rows. */
function unbounded({ signal }: ReadOptions): ReadOptions {
  return signal === undefined ? {} : { signal };
}

/** Places whose rows are read together. */
async function* partsOf(windows: AsyncIterable<readonly Place[]>): AsyncGenerator<readonly Place[]> {
  for await (const places of windows) {
    for (let index = 0; index < places.length; index += MAX_ROWS) yield places.slice(index, index + MAX_ROWS);
  }
}

function* groupsOf(rows: Iterable<NewRow>): Generator<readonly NewRow[]> {
  let part: NewRow[] = [];
  let characters = 0;
  for (const row of rows) {
    part.push(row);
    characters += row.val.length;
    if (characters < MAX_CHARACTERS && part.length < MAX_INSERTED) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}
