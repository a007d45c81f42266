import type { TraceColumns } from '../../contract/trace-columns.ts';
import { type Sql, sql } from '../../sql/sql.ts';
import { firstLineOf } from '../../values/overviews/call-outline.ts';
import { type TracedCall, TraceColumnsMaker } from '../../values/overviews/trace-columns.ts';
import type { KeptColumns } from './kept-columns.ts';
import { SEGMENT_CALLS } from './segment-columns.ts';
import { TracedSegments } from './traced-segments.ts';
import type { DatabaseSync, Statement } from '../driver.ts';
import { withNames } from '../read/named-values.ts';
import {
  EXCEPTION_BYTES,
  outlineOfRow,
  type OutlineRow,
  printOutlines,
  printShortOutlines,
} from '../read/select-outlines.ts';

/** Calls that are read together, and bytes of them; one call alone is always read. */
const CALLS_AT_ONCE = 1000;
const BYTES_AT_ONCE = 1024 * 1024;

/** Calls with more are read with no more others than fit: all that have less fit. */
const SHORT_BYTES = BYTES_AT_ONCE / CALLS_AT_ONCE;

/** A call that is too large to be read with all others: its number and its bytes. */
type LargeRow = readonly [key: number, bytes: number];

/** A smaller trace is read as soon as what is kept of its calls would be. */
const LARGE_TRACE = 2000;

/**
 * The calls of keys in their order, in columns. All keys are read at once, as one text: row by row they take the driver
 * three times as long, and there are no more of them than one trace has calls.
 */
export function* selectTrace(database: DatabaseSync, kept: KeptColumns, keys: Sql): Generator<TraceColumns> {
  const all = keysOf(database, keys);
  yield* areColumnsSooner(kept, all) ? byColumns(database, kept, all) : byBodies(database, all);
}

/** To make the columns of a segment takes as long as to read the bodies of half as many calls. */
function areColumnsSooner(kept: KeptColumns, keys: readonly number[]): boolean {
  if (keys.length < LARGE_TRACE) return false;
  const numbers = [...new Set(keys.map((key) => Math.floor(key / SEGMENT_CALLS)))];
  const segments = numbers.map((number) => kept.segmentAt(number));
  const missing = segments.filter((segment) => segment === undefined || !kept.hasColumnsOf(segment)).length;
  // Columns of few calls each are not worth their reading either.
  return missing * (SEGMENT_CALLS / 2) < keys.length && keys.length / numbers.length >= DENSE_CALLS;
}

const DENSE_CALLS = 128;

/** Members that columns do not know are in the rows of the calls, which are short: no body is read. */
function* byColumns(database: DatabaseSync, kept: KeptColumns, keys: readonly number[]): Generator<TraceColumns> {
  const statement = database.prepare(NAMED_ROWS);
  const segments = new TracedSegments(kept);
  const maker = new TraceColumnsMaker();
  for (let index = 0; index < keys.length; index += CALLS_AT_ONCE) {
    const rows = JSON.parse(rowsOf(statement, keys.slice(index, index + CALLS_AT_ONCE))) as readonly NamedRow[];
    for (const calls of bounded(rows.map((row) => tracedCall(row, segments)))) yield maker.take(calls);
  }
}

/** The calls in parts that are not too large: each may use many models with long names. */
function* bounded(calls: readonly TracedCall[]): Generator<readonly TracedCall[]> {
  let start = 0;
  let total = 0;
  for (const [index, { usages }] of calls.entries()) {
    let bytes = 0;
    for (const { model, host } of usages) bytes += USAGE_BYTES + model.length + (host?.length ?? 0);
    if (index > start && total + bytes > BYTES_AT_ONCE) {
      yield calls.slice(start, index);
      start = index;
      total = 0;
    }
    total += bytes;
  }
  if (start < calls.length) yield calls.slice(start);
}

const USAGE_BYTES = 100;

type NamedRow = readonly [
  key: number,
  id: string,
  parentId: string | null,
  opName: string,
  displayName: string | null,
  exception: string | null,
];

const NAMED_ROWS = `SELECT json_group_array(json_array(c.pk, c.id, c.parent_id, o.name, nullif(c.display_name, ''),
  CAST(substr(CAST(c.exception AS BLOB), 1, ${EXCEPTION_BYTES}) AS TEXT))) AS rows
FROM json_each(?) k CROSS JOIN calls c ON c.pk = k.value CROSS JOIN op o ON o.pk = c.op`;

/** Written out, as in `outlineOfRow`. */
function tracedCall(row: NamedRow, segments: TracedSegments): TracedCall {
  const known = segments.callOf(row[0]);
  return {
    id: row[1],
    parent_id: row[2],
    op_name: row[3],
    display_name: row[4],
    error: row[5] === null ? null : firstLineOf(row[5]),
    started_at: known.started_at,
    ended_at: known.ended_at,
    status: known.status,
    kind: known.kind,
    first_chunk_ms: known.first_chunk_ms,
    usages: known.usages,
  };
}

function* byBodies(database: DatabaseSync, all: readonly number[]): Generator<TraceColumns> {
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

/** A row that was counted is there: all of a trace is read at one moment. */
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
