import { TracingError } from '../../protocol/error.ts';
import type { TablePlan } from '../contract/plan.ts';
import type { ReadOptions } from '../contract/reads.ts';
import type { DerivedTable, NewRow, NewTable, StoredRow, TableStats, TableStore } from '../contract/tables.ts';
import { bind, sql } from '../sql/sql.ts';
import { deriveWhole } from '../values/derived-tables.ts';
import { pageOf } from '../values/pages.ts';
import { SortedRows } from '../values/sort-rows.ts';
import type { Connection } from './connection.ts';
import { bindTexts } from './statement.ts';
import { inParts } from './write/in-parts.ts';

/** Rows that are read together. */
const MAX_ROWS = 500;
/** Characters of rows that are inserted together. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Tables and their rows never change: a table is a list of digests of rows. */
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
    for (const part of partsOf(given.values())) {
      await this.#connection.insert(
        'table_rows',
        part.map((row) => ({ project_id: projectId, ...row })),
      );
    }
    await this.#connection.insert('tables', [{ project_id: projectId, digest, row_digests: rowDigests }]);
  }

  async derive(table: DerivedTable): Promise<void> {
    await deriveWhole(this, table);
  }

  async getRowDigests(projectId: string, digest: string): Promise<readonly string[] | undefined> {
    return await this.#rowDigests(projectId, digest);
  }

  /** The deadline is for all that is read until the rows have their order. */
  async *query(plan: TablePlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredRow[]> {
    const rest = restOf(options);
    const all = (await this.#rowDigests(plan.projectId, plan.digest, rest())) ?? [];
    const positions = pageOf(await this.#positions(plan, all, rest), plan);
    for (let index = 0; index < positions.length; index += MAX_ROWS) {
      options.signal?.throwIfAborted();
      const part = positions.slice(index, index + MAX_ROWS);
      const values = await this.#values(plan.projectId, [...new Set(part.map((position) => all[position] ?? ''))]);
      yield part.map((position) => {
        const digest = all[position] ?? '';
        return { digest, val: values.get(digest) ?? '{}', original_index: position };
      });
    }
  }

  async stats(projectId: string, digests: readonly string[]): Promise<TableStats[]> {
    const stats = await Promise.all(digests.map((digest) => this.#statsOf(projectId, digest)));
    return stats.filter((one) => one !== undefined);
  }

  async #rowDigests(projectId: string, digest: string, options?: ReadOptions): Promise<string[] | undefined> {
    const [row] = await this.#connection.all<{ row_digests: string[] }>(
      sql`SELECT row_digests FROM tables FINAL WHERE project_id = ${bind(projectId)} AND digest = ${bind(digest)}`,
      options,
    );
    return row?.row_digests;
  }

  /** Places of the wanted rows in their order, of those that are sorted no more than the page needs. */
  async #positions(plan: TablePlan, all: readonly string[], rest: () => ReadOptions): Promise<number[]> {
    const wanted = plan.rowDigests && new Set(plan.rowDigests);
    const kept = [...all.keys()].filter((position) => wanted === undefined || wanted.has(all[position] ?? ''));
    if (plan.sort.length === 0) return kept;
    const sorted = new SortedRows(plan.sort, plan.limit === undefined ? undefined : plan.offset + plan.limit);
    for (let index = 0; index < kept.length; index += MAX_ROWS) {
      const part = kept.slice(index, index + MAX_ROWS);
      const digests = [...new Set(part.map((position) => all[position] ?? ''))];
      const values = await this.#values(plan.projectId, digests, rest());
      sorted.take(part.map((position) => ({ position, val: values.get(all[position] ?? '') ?? '{}' })));
    }
    return sorted.positions();
  }

  async #values(projectId: string, digests: readonly string[], options?: ReadOptions): Promise<Map<string, string>> {
    const rows = await this.#connection.all<NewRow>(
      sql`SELECT digest, val FROM table_rows FINAL WHERE project_id = ${bind(projectId)} AND digest IN ${bindTexts(digests)}`,
      options,
    );
    return new Map(rows.map(({ digest, val }) => [digest, val]));
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
    const all = await this.getRowDigests(projectId, digest);
    if (all === undefined) return undefined;
    const rows = await inParts([...new Set(all)], (part) => {
      return this.#connection.all<{ digest: string; bytes: number }>(
        sql`SELECT digest, length(val) AS bytes FROM table_rows FINAL
          WHERE project_id = ${bind(projectId)} AND digest IN ${bindTexts(part)}`,
      );
    });
    const bytes = new Map(rows.map((row) => [row.digest, row.bytes]));
    return { digest, count: all.length, size_bytes: all.reduce((sum, row) => sum + (bytes.get(row) ?? 0), 0) };
  }
}

/** The rest of the time of a read, for each of several statements. */
function restOf({ deadlineMs = Infinity, signal }: ReadOptions): () => ReadOptions {
  const until = performance.now() + deadlineMs;
  return () => ({ deadlineMs: Math.max(0, until - performance.now()), ...(signal && { signal }) });
}

function* partsOf(rows: Iterable<NewRow>): Generator<readonly NewRow[]> {
  let part: NewRow[] = [];
  let characters = 0;
  for (const row of rows) {
    part.push(row);
    characters += row.val.length;
    if (characters < MAX_CHARACTERS) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}
