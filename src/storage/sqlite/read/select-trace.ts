import type { CallOutline } from '../../contract/overviews.ts';
import type { TraceColumns } from '../../contract/trace-columns.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { TraceColumnsMaker } from '../../values/overviews/trace-columns.ts';
import type { DatabaseSync } from '../driver.ts';
import { withNames } from './named-values.ts';
import { outlineOfRow, type OutlineRow, printOutlines } from './select-outlines.ts';

/** Calls that are read together. */
const CALLS_AT_ONCE = 1000;

/**
 * The calls of keys in their order, in columns. All keys are read at once, as one text: row by row they take the driver
 * three times as long, and there are no more of them than one trace has calls.
 */
export function* selectTrace(database: DatabaseSync, keys: Sql): Generator<TraceColumns> {
  const all = keysOf(database, keys);
  const many = database.prepare(printOutlines(false));
  const maker = new TraceColumnsMaker();
  for (let index = 0; index < all.length; index += CALLS_AT_ONCE) {
    const portion = JSON.stringify(all.slice(index, index + CALLS_AT_ONCE));
    const rows = JSON.parse(String(many.get(portion)?.['rows'])) as readonly OutlineRow[];
    yield maker.take(rows.map((row): CallOutline => outlineOfRow(row)));
  }
}

function keysOf(database: DatabaseSync, keys: Sql): readonly number[] {
  const { text, values } = withNames(sql`SELECT json_group_array(pk) AS keys FROM (${keys})`);
  return JSON.parse(String(database.prepare(text).get(values)?.['keys'])) as readonly number[];
}
