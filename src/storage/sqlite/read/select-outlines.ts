import { MAX_PARSED_BYTES, outlineOf, previewsOf } from '../../values/call-outline.ts';
import { MAX_LOOKED_AT } from '../../values/call-preview.ts';
import type { CallOutline } from '../../contract/overviews.ts';
import type { Sql } from '../../sql/sql.ts';
import type { DatabaseSync, Row } from '../driver.ts';
import { rowsOfKeys } from './iterate.ts';
import { shortAttributes, shortSummary } from './short-bodies.ts';
import { numberOf, textOf, textOfBlob } from './text.ts';

/** The calls of keys in their order. What is large is cut where it is. */
export function* selectOutlines(database: DatabaseSync, keys: Sql, hasPreviews: boolean): Generator<CallOutline> {
  const one = database.prepare(hasPreviews ? `${COLUMNS}, ${PREVIEWS} ${FROM}` : `${COLUMNS} ${FROM}`);
  for (const row of rowsOfKeys(database, keys, one)) yield outlineOfRow(row);
}

const COLUMNS = `SELECT c.id, c.trace_id, c.parent_id, CAST(c.thread_id AS BLOB) AS thread_id,
  CAST(o.name AS BLOB) AS op_name, CAST(c.display_name AS BLOB) AS display_name, c.started_at, c.ended_at,
  substr(CAST(c.exception AS BLOB), 1, ${4 * MAX_LOOKED_AT}) AS exception,
  ${shortAttributes} AS attributes, ${shortSummary} AS summary`;

const PREVIEWS = `${beginning('s.inputs')} AS inputs, ${isLong('s.inputs')} AS is_input_long,
  ${beginning('e.output')} AS output, ${isLong('e.output')} AS is_output_long`;

const FROM = `FROM calls c JOIN op o ON o.pk = c.op JOIN body_start s ON s.pk = c.pk LEFT JOIN body_end e ON e.pk = c.pk
WHERE c.pk = ?`;

function beginning(body: string): string {
  return `CASE WHEN ${isLong(body)} THEN substr(${body}, 1, ${MAX_LOOKED_AT}) ELSE ${body} END`;
}

/** The size stands in the row: nothing is read to find it out. */
function isLong(body: string): string {
  return `octet_length(${body}) > ${MAX_PARSED_BYTES}`;
}

function outlineOfRow(row: Row): CallOutline {
  const displayName = textOfBlob(row['display_name']);
  const call = {
    id: textOf(row['id']) ?? '',
    trace_id: textOf(row['trace_id']) ?? '',
    parent_id: textOf(row['parent_id']),
    thread_id: textOfBlob(row['thread_id']),
    op_name: textOfBlob(row['op_name']) ?? '',
    display_name: displayName === '' ? null : displayName,
    started_at: numberOf(row['started_at']) ?? 0,
    ended_at: numberOf(row['ended_at']),
    exception: textOfBlob(row['exception']),
    attributes: textOf(row['attributes']),
    summary: textOf(row['summary']),
  };
  const input = { text: textOf(row['inputs']), isLong: row['is_input_long'] === 1 };
  const output = { text: textOf(row['output']), isLong: row['is_output_long'] === 1 };
  return outlineOf(call, previewsOf(input, output));
}
