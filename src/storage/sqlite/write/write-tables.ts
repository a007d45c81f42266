import { TracingError } from '../../../protocol/error.ts';
import type { DerivedTable, NewRow } from '../../contract/tables.ts';
import type { DatabaseSync, Statement } from '../driver.ts';
import type { Names } from './names.ts';
import type { WrittenTable } from '../../packed/packed-table.ts';
import type { PlacedRows } from '../../packed/portioned-table.ts';
import { withPages } from '../connection.ts';
import { numberOf } from '../read/text.ts';
import { type BaseTable, RowCopies } from './row-copies.ts';

/** Of more rows the pages that a table changes are not all kept in memory. */
const MANY_ROWS = 20_000;

/** Keys of a table that is being written. */
interface TableKeys {
  readonly project: number;
  readonly table: number | null;
}

interface TableSize {
  readonly count: number;
  readonly bytes: number;
}

/** Writes tables and their rows; runs inside the transaction of the writer. Of a million rows it keeps none in memory. */
export class DatasetTables {
  readonly #database: DatabaseSync;
  readonly #names: Names;
  readonly #copies: RowCopies;
  readonly #find: Statement;
  readonly #insert: Statement;
  readonly #findPk: Statement;
  readonly #findRow: Statement;
  readonly #insertRow: Statement;
  readonly #insertItem: Statement;
  readonly #setSize: Statement;

  constructor(database: DatabaseSync, names: Names) {
    this.#database = database;
    this.#names = names;
    this.#copies = new RowCopies(database);
    this.#find = database.prepare('SELECT pk FROM dataset WHERE project = ? AND digest = ?');
    this.#insert = database.prepare(
      'INSERT INTO dataset(project, digest, row_count, size_bytes) VALUES (?, ?, 0, 0) RETURNING pk',
    );
    // The index alone answers it.
    this.#findPk = database.prepare('SELECT pk FROM dataset_row WHERE project = ? AND digest = ?');
    this.#findRow = database.prepare(
      'SELECT pk, length(val) AS bytes FROM dataset_row WHERE project = ? AND digest = ?',
    );
    this.#insertRow = database.prepare('INSERT INTO dataset_row(project, digest, val) VALUES (?, ?, ?)');
    this.#insertItem = database.prepare('INSERT INTO dataset_item(dataset, position, row) VALUES (?, ?, ?)');
    this.#setSize = database.prepare('UPDATE dataset SET row_count = ?, size_bytes = ? WHERE pk = ?');
  }

  /** Refuses a table of which a row is neither stored nor given; then nothing of it is written. */
  createTable(table: WrittenTable): void {
    const project = this.#names.project(table.project_id);
    if (this.#find.get(project, table.digest) !== undefined) return;
    this.#database.exec('SAVEPOINT new_table');
    try {
      this.#storeTable(project, table);
    } catch (error) {
      // Of some errors, as of a full disk, the whole transaction has ended already.
      if (error instanceof TracingError) this.#database.exec('ROLLBACK TO new_table; RELEASE new_table');
      throw error;
    }
    this.#database.exec('RELEASE new_table');
  }

  /** Refuses a table of which the base is not there, before anything is written. */
  deriveTable({ project_id: projectId, digest, base_digest: baseDigest, pieces }: DerivedTable): void {
    const project = this.#names.project(projectId);
    const base = this.#copies.base(project, baseDigest);
    if (this.#find.get(project, digest) !== undefined) return;
    const table = numberOf(this.#insert.get(project, digest)?.['pk']);
    const { count, bytes } = this.#withPages(base.count, () => this.#storePieces({ project, table }, base, pieces));
    this.#setSize.run(count, bytes, table);
  }

  /** Rows of the base that are in none of the runs went: what is kept need not be read. */
  #storePieces({ project, table }: TableKeys, base: BaseTable, pieces: DerivedTable['pieces']): TableSize {
    let { bytes } = base;
    let count = 0;
    let end = 0;
    for (const piece of pieces) {
      if ('from' in piece) {
        this.#copies.copy(base, piece, { table, position: count });
        bytes -= this.#copies.bytesOf(base, end, piece.from);
        count += piece.count;
        end = piece.from + piece.count;
      } else {
        this.#insertItem.run(table, count++, this.#pkOf(project, piece));
        bytes += piece.val.length;
      }
    }
    return { count, bytes: bytes - this.#copies.bytesOf(base, end, base.count) };
  }

  #storeTable(project: number, { digest, row_digests: rowDigests, rows, by_digest: all }: WrittenTable): void {
    const table = numberOf(this.#insert.get(project, digest)?.['pk']);
    const { count, bytes } = all
      ? this.#storeAll({ project, table }, all)
      : this.#storeSome({ project, table }, rows, rowDigests);
    this.#setSize.run(count, bytes, table);
  }

  #storeAll({ project, table }: TableKeys, { count, rows }: PlacedRows): TableSize {
    return this.#withPages(count, () => {
      const pks = new Float64Array(count);
      let bytes = 0;
      for (const { place, digest, val } of rows) {
        pks[place] = this.#pkOf(project, { digest, val });
        bytes += val.length;
      }
      for (const [position, pk] of pks.entries()) this.#insertItem.run(table, position, pk);
      return { count, bytes };
    });
  }

  /** Of very many rows few pages are changed at a time, and kept in memory. */
  #withPages<Result>(count: number, store: () => Result): Result {
    return withPages(this.#database, count > MANY_ROWS ? 'some' : 'many', store);
  }

  /** Stores the row unless it is there. */
  #pkOf(project: number, { digest, val }: NewRow): number {
    const pk = this.#findPk.get(project, digest)?.['pk'] ?? this.#insertRow.run(project, digest, val).lastInsertRowid;
    return Number(pk);
  }

  #storeSome({ project, table }: TableKeys, rows: Iterable<NewRow>, rowDigests: Iterable<string>): TableSize {
    for (const row of rows) this.#pkOf(project, row);
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
    return { count, bytes };
  }
}
