import { TracingError } from '../../../protocol/error.ts';
import type { NewRow } from '../../contract/tables.ts';
import type { DatabaseSync, Statement } from '../driver.ts';
import type { Names } from './names.ts';
import type { WrittenTable } from '../../packed/packed-table.ts';
import { numberOf } from '../read/text.ts';

/** Writes tables and their rows; runs inside the transaction of the writer. Of a million rows it keeps none in memory. */
export class DatasetTables {
  readonly #database: DatabaseSync;
  readonly #names: Names;
  readonly #find: Statement;
  readonly #insert: Statement;
  readonly #findRow: Statement;
  readonly #insertRow: Statement;
  readonly #insertItem: Statement;
  readonly #setSize: Statement;

  constructor(database: DatabaseSync, names: Names) {
    this.#database = database;
    this.#names = names;
    this.#find = database.prepare('SELECT pk FROM dataset WHERE project = ? AND digest = ?');
    this.#insert = database.prepare(
      'INSERT INTO dataset(project, digest, row_count, size_bytes) VALUES (?, ?, 0, 0) RETURNING pk',
    );
    this.#findRow = database.prepare(
      'SELECT pk, length(val) AS bytes FROM dataset_row WHERE project = ? AND digest = ?',
    );
    this.#insertRow = database.prepare('INSERT INTO dataset_row(project, digest, val) VALUES (?, ?, ?)');
    this.#insertItem = database.prepare('INSERT INTO dataset_item(dataset, position, row) VALUES (?, ?, ?)');
    this.#setSize = database.prepare('UPDATE dataset SET row_count = ?, size_bytes = ? WHERE pk = ?');
  }

  /** Refuses a table of which a row is neither stored nor given; then nothing of it is written. */
  createTable({ project_id: projectId, digest, row_digests: rowDigests, rows }: WrittenTable): void {
    const project = this.#names.project(projectId);
    if (this.#find.get(project, digest) !== undefined) return;
    this.#database.exec('SAVEPOINT new_table');
    try {
      for (const row of rows) this.#storeRow(project, row);
      this.#storeTable(project, digest, rowDigests);
    } catch (error) {
      // Of some errors, as of a full disk, the whole transaction has ended already.
      if (error instanceof TracingError) this.#database.exec('ROLLBACK TO new_table; RELEASE new_table');
      throw error;
    }
    this.#database.exec('RELEASE new_table');
  }

  #storeRow(project: number, { digest, val }: NewRow): void {
    if (this.#findRow.get(project, digest) === undefined) this.#insertRow.run(project, digest, val);
  }

  #storeTable(project: number, digest: string, rowDigests: Iterable<string>): void {
    const table = numberOf(this.#insert.get(project, digest)?.['pk']);
    let count = 0;
    let bytes = 0;
    for (const rowDigest of rowDigests) {
      const row = this.#findRow.get(project, rowDigest);
      if (row === undefined) {
        throw new TracingError('not_found', `Cannot create the table: no row "${rowDigest}"`);
      }
      this.#insertItem.run(table, count++, numberOf(row['pk']));
      // The text of a row is ASCII, so its length is its bytes.
      bytes += numberOf(row['bytes']) ?? 0;
    }
    this.#setSize.run(count, bytes, table);
  }
}
