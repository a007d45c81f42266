import type { DatabaseSync } from '../driver.ts';
import { EXCEPTION_BYTES } from '../read/select-outlines.ts';
import { shortAttributes, shortSummary } from '../read/short-bodies.ts';
import { SEGMENT_CALLS } from './segment-columns.ts';

/**
 * A visible call as columns need it. Attributes are JSON texts, null where they are absent; the others and the
 * summary are there where they tell of usage, the summary where it tells of chunks, too.
 */
export type SegmentRow = readonly [
  key: number,
  project: number,
  startedAt: number,
  endedAt: number | null,
  isError: 0 | 1,
  hasChildErrors: 0 | 1 | null,
  isRoot: 0 | 1,
  parent: number | null,
  op: string,
  thread: string | null,
  user: string | null,
  run: string | null,
  kind: string | null,
  userAttribute: string | null,
  exception: string | null,
  attributes: string | null,
  summary: string | null,
  process: string | null,
];

/** A call that is too large to be read with others. */
type LargeRow = readonly [key: number];

/** Numbers of calls that are read together, and bytes that one of them may have. */
const CALLS_AT_ONCE = 512;
const SHORT_BYTES = 8192;

/**
 * The calls of a segment. Many are read at once, as one text: row by row they take the driver five times as long, and that
 * is while others write.
 */
export function* segmentRows(database: DatabaseSync, number: number): Generator<SegmentRow> {
  const many = database.prepare(ROWS);
  const whole = database.prepare(WHOLE_ROW);
  const first = number * SEGMENT_CALLS;
  for (let key = first; key < first + SEGMENT_CALLS; key += CALLS_AT_ONCE) {
    for (const row of rowsIn(many.get(key, key + CALLS_AT_ONCE - 1)?.['rows'])) {
      if (isLarge(row)) yield* rowsIn(whole.get(row[0])?.['rows']) as SegmentRow[];
      else yield row;
    }
  }
}

function rowsIn(text: unknown): (SegmentRow | LargeRow)[] {
  return JSON.parse(String(text)) as (SegmentRow | LargeRow)[];
}

function isLarge(row: SegmentRow | LargeRow): row is LargeRow {
  return row.length === 1;
}

const COLUMNS: readonly string[] = [
  'c.pk',
  'c.project',
  'c.started_at',
  'c.ended_at',
  'c.exception IS NOT NULL',
  'c.has_child_errors',
  'c.parent_id IS NULL',
  'p.pk',
  'o.name',
  'c.thread_id',
  'c.user',
  'c.run',
  asText("s.attributes -> '$.kind'"),
  asText("s.attributes -> '$.user'"),
  `CAST(substr(CAST(c.exception AS BLOB), 1, ${EXCEPTION_BYTES}) AS TEXT)`,
  asText(`CASE WHEN ${says('usage')} THEN ${shortAttributes} END`),
  asText(`CASE WHEN ${says('usage')} OR ${says('stream')} THEN ${shortSummary} END`),
  '(SELECT r.id FROM process_run r WHERE r.pk = c.process)',
];

/** A value that would be JSON among JSON is a plain text once it is joined with nothing. */
function asText(json: string): string {
  return `(${json}) || ''`;
}

function says(member: string): string {
  return `instr(e.summary, '"${member}"')`;
}

const ROW = `json_array(${COLUMNS.join(', ')})`;

const BYTES = `coalesce(octet_length(e.summary), 0) + octet_length(s.attributes)`;

const FROM = `FROM calls c CROSS JOIN op o ON o.pk = c.op CROSS JOIN body_start s ON s.pk = c.pk LEFT JOIN body_end e ON e.pk = c.pk
LEFT JOIN calls p ON p.project = c.project AND p.id = c.parent_id AND p.started_at IS NOT NULL`;

// A CASE of arrays is JSON to SQLite, too.
const ROWS = `SELECT json_group_array(CASE WHEN ${BYTES} > ${SHORT_BYTES} THEN json_array(c.pk) ELSE ${ROW} END) AS rows
${FROM} WHERE c.pk BETWEEN ? AND ? AND c.project > 0 AND c.started_at IS NOT NULL AND spoor_go_on(c.pk)`;

const WHOLE_ROW = `SELECT json_group_array(${ROW}) AS rows ${FROM} WHERE c.pk = ?`;
