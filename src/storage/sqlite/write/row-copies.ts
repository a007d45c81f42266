import type { RowRun } from '../../contract/tables.ts';
import { checkCopied, noBase } from '../../values/derived-tables.ts';
import type { DatabaseSync, Statement } from '../driver.ts';
import { boundText, numberOf } from '../read/text.ts';

/** Rows that one statement copies: SQLite keeps them in memory, as they come from the table that they go to. */
const MAX_ROWS = 10_000;

/** A table that another one is made of. */
export interface BaseTable {
  readonly pk: number;
  readonly count: number;
  readonly bytes: number;
}

/** The place of rows in the table that they are copied to. */
interface Place {
  readonly table: number | null;
  readonly position: number;
}

/** Copies rows from one table to another inside the database; runs inside the transaction of the writer. */
export class RowCopies {
  readonly #findBase: Statement;
  readonly #copy: Statement;
  readonly #sumBytes: Statement;

  constructor(database: DatabaseSync) {
    this.#findBase = database.prepare(
      'SELECT pk, row_count, size_bytes FROM dataset WHERE project = ? AND digest = CAST(? AS TEXT)',
    );
    this.#copy = database.prepare(`INSERT INTO dataset_item(dataset, position, row)
      SELECT ?, position + ?, row FROM dataset_item WHERE dataset = ? AND position >= ? AND position < ?`);
    this.#sumBytes = database.prepare(`SELECT sum(length(r.val)) AS bytes FROM dataset_item i
      CROSS JOIN dataset_row r ON r.pk = i.row WHERE i.dataset = ? AND i.position >= ? AND i.position < ?`);
  }

  /** Throws `not_found` where there is no such table. */
  base(project: number, digest: string): BaseTable {
    const row = this.#findBase.get(project, boundText(digest));
    if (row === undefined) throw noBase(digest);
    const numberAt = (column: string) => numberOf(row[column]) ?? 0;
    return { pk: numberAt('pk'), count: numberAt('row_count'), bytes: numberAt('size_bytes') };
  }

  copy(base: BaseTable, { from, count }: RowRun, { table, position }: Place): void {
    let copied = 0;
    for (let start = from; start < from + count; start += MAX_ROWS) {
      const end = Math.min(start + MAX_ROWS, from + count);
      copied += Number(this.#copy.run(table, position - from, base.pk, start, end).changes);
    }
    checkCopied(copied, { from, count });
  }

  /** Bytes of the rows from one position up to, not including, another. */
  bytesOf({ pk }: BaseTable, from: number, end: number): number {
    return from === end ? 0 : (numberOf(this.#sumBytes.get(pk, from, end)?.['bytes']) ?? 0);
  }
}
