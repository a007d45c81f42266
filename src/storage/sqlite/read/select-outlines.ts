import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
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
  kind: JsonValue,
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
  // JSON among JSON.
  "s.attributes -> '$.kind'",
  asText(`CASE WHEN instr(e.summary, '"usage"') THEN ${shortAttributes} END`),
  asText(shortSummary),
];

const PREVIEWS: readonly string[] = [
  beginning('s.inputs'),
  isLong('s.inputs'),
  beginning('e.output'),
  isLong('e.output'),
];

/** A value that would be JSON among JSON is a plain text once it is joined with nothing. */
function asText(json: string): string {
  return `(${json}) || ''`;
}

/** Takes the list of keys. */
export function printOutlines(hasPreviews: boolean): string {
  return printRows(rowOf(hasPreviews ? [...COLUMNS, ...PREVIEWS] : COLUMNS));
}

/** The same without previews, but of a call whose texts have more bytes its number and its bytes. */
export function printShortOutlines(maxBytes: number): string {
  const texts = [
    `min(octet_length(c.exception), ${EXCEPTION_BYTES})`,
    'octet_length(s.attributes)',
    'octet_length(e.summary)',
  ];
  const bytes = texts.map((text) => `coalesce(${text}, 0)`).join(' + ');
  return printRows(`CASE WHEN ${bytes} > ${maxBytes} THEN json_array(c.pk, ${bytes}) ELSE ${rowOf(COLUMNS)} END`);
}

function rowOf(columns: readonly string[]): string {
  return `json_array(${columns.join(', ')})`;
}

function printRows(row: string): string {
  // A CASE of arrays is JSON to SQLite, too; to say so again would cost as much as all else.
  return `SELECT json_group_array(${row}) AS rows
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

/** Written out: spreading costs ten times as long, of a hundred thousand calls a second. */
export function outlineOfRow(row: OutlineRow): CallOutline {
  const call = {
    id: row[0],
    trace_id: row[1],
    parent_id: row[2],
    thread_id: row[3],
    op_name: row[4],
    display_name: row[5],
    started_at: row[6],
    ended_at: row[7],
    exception: row[8],
    kind: row[9],
    attributes: row[10],
    summary: row[11],
  };
  const input = { text: row[12] ?? null, isLong: row[13] === 1 };
  const output = { text: row[14] ?? null, isLong: row[15] === 1 };
  return outlineOf(call, previewsOf(input, output));
}
