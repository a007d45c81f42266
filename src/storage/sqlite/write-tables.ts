import { TracingError } from '../../protocol/error.ts';
import type { NewTable } from '../storage.ts';
import type { DatabaseSync, Statement } from './driver.ts';
import type { Names } from './names.ts';
import { numberOf } from './text.ts';

/** A row that is stored, as a table needs it. */
interface Row {
  readonly pk: number;
  readonly bytes: number;
}

/** Writes tables and their rows; runs inside the transaction of the writer. */
export class DatasetTables {
  readonly #names: Names;
  readonly #find: Statement;
  readonly #insert: Statement;
  readonly #findRow: Statement;
  readonly #insertRow: Statement;
  readonly #insertItem: Statement;

  constructor(database: DatabaseSync, names: Names) {
    this.#names = names;
    this.#find = database.prepare('SELECT pk FROM dataset WHERE project = ? AND digest = ?');
    this.#insert = database.prepare(
      'INSERT INTO dataset(project, digest, row_count, size_bytes) VALUES (?, ?, ?, ?) RETURNING pk',
    );
    this.#findRow = database.prepare(
      'SELECT pk, length(val) AS bytes FROM dataset_row WHERE project = ? AND digest = ?',
    );
    this.#insertRow = database.prepare('INSERT INTO dataset_row(project, digest, val) VALUES (?, ?, ?)');
    this.#insertItem = database.prepare('INSERT INTO dataset_item(dataset, position, row) VALUES (?, ?, ?)');
  }

  createTable({ project_id: projectId, digest, row_digests: rowDigests, rows }: NewTable): void {
    const project = this.#names.project(projectId);
    if (this.#find.get(project, digest) !== undefined) return;
    const known = this.#knownRows(project, rowDigests, new Set(rows.map((row) => row.digest)));
    for (const row of rows) {
      if (!known.has(row.digest)) known.set(row.digest, this.#newRow(project, row.digest, row.val));
    }
    this.#insertTable(
      project,
      digest,
      rowDigests.flatMap((row) => known.get(row) ?? []),
    );
  }

  /** Rows that are stored already; refuses a table of which a row is neither stored nor given. */
  #knownRows(project: number, digests: readonly string[], given: ReadonlySet<string>): Map<string, Row> {
    const known = new Map<string, Row>();
    for (const digest of new Set([...digests, ...given])) {
      const row = this.#findRow.get(project, digest);
      // The text of a row is ASCII, so its length is its bytes.
      if (row) known.set(digest, { pk: numberOf(row['pk']) ?? 0, bytes: numberOf(row['bytes']) ?? 0 });
      else if (!given.has(digest)) throw new TracingError('not_found', `Cannot create the table: no row "${digest}"`);
    }
    return known;
  }

  #newRow(project: number, digest: string, val: string): Row {
    // Three times as fast as RETURNING, which counts where a table has many rows.
    return { pk: Number(this.#insertRow.run(project, digest, val).lastInsertRowid), bytes: val.length };
  }

  #insertTable(project: number, digest: string, rows: readonly Row[]): void {
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    const table = numberOf(this.#insert.get(project, digest, rows.length, bytes)?.['pk']);
    for (const [position, { pk }] of rows.entries()) this.#insertItem.run(table, position, pk);
  }
}
