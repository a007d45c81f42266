import type { TraceColumns } from '../../contract/trace-columns.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { TraceColumnsMaker } from '../../values/overviews/trace-columns.ts';
import type { DatabaseSync, Statement } from '../driver.ts';
import { withNames } from './named-values.ts';
import { outlineOfRow, type OutlineRow, printOutlines, printShortOutlines } from './select-outlines.ts';

/** Calls that are read together, and bytes of them; one call alone is always read. */
const CALLS_AT_ONCE = 1000;
const BYTES_AT_ONCE = 1024 * 1024;

/** Calls with more are read with no more others than fit: all that have less fit. */
const SHORT_BYTES = BYTES_AT_ONCE / CALLS_AT_ONCE;

/** A call that is too large to be read with all others: its number and its bytes. */
type LargeRow = readonly [key: number, bytes: number];

/**
 * The calls of keys in their order, in columns. All keys are read at once, as one text: row by row they take the driver
 * three times as long, and there are no more of them than one trace has calls.
 */
export function* selectTrace(database: DatabaseSync, keys: Sql): Generator<TraceColumns> {
  const all = keysOf(database, keys);
  const short = database.prepare(printShortOutlines(SHORT_BYTES));
  const whole = database.prepare(printOutlines(false));
  const maker = new TraceColumnsMaker();
  for (let index = 0; index < all.length; index += CALLS_AT_ONCE) {
    const portion = all.slice(index, index + CALLS_AT_ONCE);
    const rows = JSON.parse(rowsOf(short, portion)) as readonly (OutlineRow | LargeRow)[];
    for (const fitting of fittingParts(rows)) yield maker.take(inFull(fitting, whole).map(outlineOfRow));
  }
}

/** The rows one behind the other, in parts that may be read together. */
function* fittingParts(rows: readonly (OutlineRow | LargeRow)[]): Generator<readonly (OutlineRow | LargeRow)[]> {
  let start = 0;
  let total = 0;
  for (const [index, row] of rows.entries()) {
    const bytes = isLarge(row) ? row[1] : 0;
    if (index > start && total + bytes > BYTES_AT_ONCE) {
      yield rows.slice(start, index);
      start = index;
      total = 0;
    }
    total += bytes;
  }
  if (start < rows.length) yield rows.slice(start);
}

/** The rows with those that were too large. */
function inFull(rows: readonly (OutlineRow | LargeRow)[], whole: Statement): readonly OutlineRow[] {
  const keys = rows.filter(isLarge).map(([key]) => key);
  if (keys.length === 0) return rows as readonly OutlineRow[];
  const read = (JSON.parse(rowsOf(whole, keys)) as readonly OutlineRow[]).values();
  return rows.map((row) => (isLarge(row) ? nextOf(read) : row));
}

/** What was counted is there: all of a trace is read at one moment. */
function nextOf(rows: Iterator<OutlineRow>): OutlineRow {
  const { value, done } = rows.next();
  if (done === true) throw new TypeError('A call that was counted has gone');
  return value;
}

function isLarge(row: OutlineRow | LargeRow): row is LargeRow {
  return row.length === 2;
}

/** The rows of keys as JSON, each with the columns of the statement. */
function rowsOf(statement: Statement, keys: readonly number[]): string {
  return String(statement.get(JSON.stringify(keys))?.['rows']);
}

function keysOf(database: DatabaseSync, keys: Sql): readonly number[] {
  const { text, values } = withNames(sql`SELECT json_group_array(pk) AS keys FROM (${keys})`);
  return JSON.parse(String(database.prepare(text).get(values)?.['keys'])) as readonly number[];
}
