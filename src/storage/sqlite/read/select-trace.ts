import type { CallOutline } from '../../contract/overviews.ts';
import type { TraceColumns } from '../../contract/trace-columns.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { TraceColumnsMaker } from '../../values/overviews/trace-columns.ts';
import type { DatabaseSync } from '../driver.ts';
import { withNames } from './named-values.ts';
import { EXCEPTION_BYTES, outlineOfRow, type OutlineRow, printOutlines } from './select-outlines.ts';

/** Calls that are read together, and bytes of them; one call alone is always read. */
const CALLS_AT_ONCE = 1000;
const BYTES_AT_ONCE = 1024 * 1024;

/** About what a call takes without its texts. */
const CALL_BYTES = 300;

/**
 * The calls of keys in their order, in columns. All keys are read at once, as one text: row by row they take the driver
 * three times as long, and there are no more of them than one trace has calls.
 */
export function* selectTrace(database: DatabaseSync, keys: Sql): Generator<TraceColumns> {
  const all = keysOf(database, keys);
  const many = database.prepare(printOutlines(false));
  const sizes = database.prepare(SIZES);
  const maker = new TraceColumnsMaker();
  for (let index = 0; index < all.length; index += CALLS_AT_ONCE) {
    const portion = all.slice(index, index + CALLS_AT_ONCE);
    const bytes = JSON.parse(String(sizes.get(JSON.stringify(portion))?.['sizes'])) as readonly number[];
    for (const fitting of fittingParts(portion, bytes)) {
      const rows = JSON.parse(String(many.get(JSON.stringify(fitting))?.['rows'])) as readonly OutlineRow[];
      yield maker.take(rows.map((row): CallOutline => outlineOfRow(row)));
    }
  }
}

/** The sizes stand in the rows: of what is large nothing is read to find them out. */
const SIZES = `SELECT json_group_array(min(coalesce(octet_length(c.exception), 0), ${EXCEPTION_BYTES})
  + coalesce(octet_length(s.attributes), 0) + coalesce(octet_length(e.summary), 0) + ${CALL_BYTES}) AS sizes
FROM json_each(?) k CROSS JOIN calls c ON c.pk = k.value
CROSS JOIN body_start s ON s.pk = c.pk LEFT JOIN body_end e ON e.pk = c.pk`;

/** The keys one behind the other, in parts that may be read together. */
function* fittingParts(keys: readonly number[], sizes: readonly number[]): Generator<readonly number[]> {
  let start = 0;
  let total = 0;
  for (const [index, size] of sizes.entries()) {
    if (index > start && total + size > BYTES_AT_ONCE) {
      yield keys.slice(start, index);
      start = index;
      total = 0;
    }
    total += size;
  }
  yield keys.slice(start);
}

function keysOf(database: DatabaseSync, keys: Sql): readonly number[] {
  const { text, values } = withNames(sql`SELECT json_group_array(pk) AS keys FROM (${keys})`);
  return JSON.parse(String(database.prepare(text).get(values)?.['keys'])) as readonly number[];
}
