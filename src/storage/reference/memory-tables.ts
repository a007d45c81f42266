import { TracingError } from '../../protocol/error.ts';
import type { TablePlan } from '../contract/plan.ts';
import type { ReadOptions } from '../contract/reads.ts';
import { deriveWhole } from '../values/derived-tables.ts';
import { chunksOf, pageOfRows } from '../values/pages.ts';
import type { DerivedTable, NewTable, StoredRow, TableStats, TableStore } from '../contract/tables.ts';

export class MemoryTables implements TableStore {
  /** Row digests of each table. */
  readonly #tables = new Map<string, readonly string[]>();
  /** Canonical texts of rows. */
  readonly #rows = new Map<string, string>();

  async create({ project_id: projectId, digest, row_digests: rowDigests, rows }: NewTable): Promise<void> {
    const given = new Map(Array.from(rows, (row) => [row.digest, row.val]));
    const missing = rowDigests.find((row) => !given.has(row) && !this.#rows.has(keyOf(projectId, row)));
    if (missing !== undefined) throw new TracingError('not_found', `Cannot create the table: no row "${missing}"`);
    for (const [row, val] of given) this.#rows.set(keyOf(projectId, row), val);
    this.#tables.set(keyOf(projectId, digest), [...rowDigests]);
  }

  async derive(table: DerivedTable): Promise<void> {
    await deriveWhole(this, table);
  }

  async getRowDigests(projectId: string, digest: string): Promise<readonly string[] | undefined> {
    return this.#tables.get(keyOf(projectId, digest))?.slice();
  }

  async *query(plan: TablePlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredRow[]> {
    yield* chunksOf(pageOfRows(this.#rowsOf(plan.projectId, plan.digest), plan, options));
  }

  async stats(projectId: string, digests: readonly string[]): Promise<TableStats[]> {
    const known = digests.filter((digest) => this.#tables.has(keyOf(projectId, digest)));
    return known.map((digest) => {
      const rows = this.#rowsOf(projectId, digest);
      return { digest, count: rows.length, size_bytes: rows.reduce((bytes, { val }) => bytes + val.length, 0) };
    });
  }

  #rowsOf(projectId: string, tableDigest: string): StoredRow[] {
    const digests = this.#tables.get(keyOf(projectId, tableDigest)) ?? [];
    return digests.map((digest, index) => {
      return { digest, val: this.#rows.get(keyOf(projectId, digest)) ?? '{}', original_index: index };
    });
  }
}

function keyOf(projectId: string, digest: string): string {
  return JSON.stringify([projectId, digest]);
}
