import type { CallOutline } from '../../contract/overviews.ts';
import type { Sql } from '../../sql/sql.ts';
import { MAX_PARSED_BYTES, outlineOf, previewsOf } from '../../values/overviews/call-outline.ts';
import { MAX_LOOKED_AT } from '../../values/overviews/call-preview.ts';
import type { DatabaseSync } from '../driver.ts';
import { rowListsOfKeys } from './iterate.ts';
import { shortAttributes, shortSummary } from './short-bodies.ts';

/** Calls that are read together; their bodies may be large where previews are made of them. */
const CALLS_AT_ONCE = 250;
const PREVIEWS_AT_ONCE = 20;

/** The calls of keys in their order. What is large is cut where it is. */
export function* selectOutlines(database: DatabaseSync, keys: Sql, hasPreviews: boolean): Generator<CallOutline> {
  const many = database.prepare(printOutlines(hasPreviews));
  for (const rows of rowListsOfKeys(database, keys, many, hasPreviews ? PREVIEWS_AT_ONCE : CALLS_AT_ONCE)) {
    // The columns are those of the statement.
    for (const row of JSON.parse(rows) as readonly OutlineRow[]) yield outlineOfRow(row);
  }
}

/** A call as the statement gives it. */
export type OutlineRow = readonly [
  id: string,
  traceId: string,
  parentId: string | null,
  threadId: string | null,
  opName: string,
  displayName: string | null,
  startedAt: number,
  endedAt: number | null,
  exception: string | null,
  attributes: string | null,
  summary: string | null,
  input?: string | null,
  isInputLong?: 0 | 1 | null,
  output?: string | null,
  isOutputLong?: 0 | 1 | null,
];

/** Of an exception its beginning is read. */
export const EXCEPTION_BYTES = 4 * MAX_LOOKED_AT;

const COLUMNS: readonly string[] = [
  'c.id',
  'c.trace_id',
  'c.parent_id',
  'c.thread_id',
  'o.name',
  "nullif(c.display_name, '')",
  'c.started_at',
  'c.ended_at',
  // Bytes: the beginning of a text would end at a NUL.
  `CAST(substr(CAST(c.exception AS BLOB), 1, ${EXCEPTION_BYTES}) AS TEXT)`,
  shortAttributes,
  shortSummary,
];

const PREVIEWS: readonly string[] = [
  beginning('s.inputs'),
  isLong('s.inputs'),
  beginning('e.output'),
  isLong('e.output'),
];

/** Takes the list of keys. What would be JSON among JSON is a plain text once it is joined with nothing. */
export function printOutlines(hasPreviews: boolean): string {
  const columns = hasPreviews ? [...COLUMNS, ...PREVIEWS] : COLUMNS;
  const row = columns.map((column) =>
    column === shortAttributes || column === shortSummary ? `(${column}) || ''` : column,
  );
  return `SELECT json_group_array(json_array(${row.join(', ')})) AS rows
FROM json_each(?) k CROSS JOIN calls c ON c.pk = k.value CROSS JOIN op o ON o.pk = c.op
CROSS JOIN body_start s ON s.pk = c.pk LEFT JOIN body_end e ON e.pk = c.pk`;
}

function beginning(body: string): string {
  return `CASE WHEN ${isLong(body)} THEN substr(${body}, 1, ${MAX_LOOKED_AT}) ELSE ${body} END`;
}

/** The size stands in the row: nothing is read to find it out. */
function isLong(body: string): string {
  return `octet_length(${body}) > ${MAX_PARSED_BYTES}`;
}

export function outlineOfRow(row: OutlineRow): CallOutline {
  const [id, trace_id, parent_id, thread_id, op_name, display_name, started_at, ended_at, ...texts] = row;
  const [exception, attributes, summary, input = null, isInputLong, output = null, isOutputLong] = texts;
  const times = { started_at, ended_at };
  const call = { id, trace_id, parent_id, thread_id, op_name, display_name, ...times, exception, attributes, summary };
  const shownInput = { text: input, isLong: isInputLong === 1 };
  return outlineOf(call, previewsOf(shownInput, { text: output, isLong: isOutputLong === 1 }));
}
