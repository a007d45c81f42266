import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { CallTraits } from '../../contract/traits.ts';
import { bind, raw, type Sql, sql } from '../../sql/sql.ts';
import {
  MAX_LOOKED_INTO_BYTES,
  MAX_TRAIT_BYTES,
  type TraitedCall,
  TraitMaker,
} from '../../values/overviews/trait-maker.ts';
import type { DatabaseSync } from '../driver.ts';
import { withNames } from './named-values.ts';
import { EXCEPTION_BYTES } from './select-outlines.ts';
import { shortSummary } from './short-bodies.ts';

/** Calls that are read together. */
const CALLS_AT_ONCE = 250;

/** The calls of keys, but for some, of which so many are looked at. */
export interface TraitQuery {
  readonly keys: Sql;
  readonly without: Sql | undefined;
  readonly limit: number;
}

/** Finds the traits of calls; inside a transaction, so that it is one moment. */
export function selectTraits(database: DatabaseSync, { keys, without, limit }: TraitQuery): CallTraits {
  const { total, chosen } = sampleOf(database, { keys, without, limit });
  const maker = new TraitMaker(total);
  const many = database.prepare(ROWS);
  const goOn = database.prepare('SELECT spoor_go_on(0)');
  let bytes = 0;
  for (let place = 0; place < chosen.length && bytes < MAX_TRAIT_BYTES; place += CALLS_AT_ONCE) {
    goOn.get();
    const rows = many.get(JSON.stringify(chosen.slice(place, place + CALLS_AT_ONCE)))?.['rows'];
    const text = typeof rows === 'string' ? rows : '';
    bytes += text.length;
    // The columns are those of the statement.
    for (const row of JSON.parse(`[${text}]`) as readonly TraitRow[]) maker.add(traitedCall(row));
  }
  return maker.finish();
}

/** How many calls there are, and so many of them as one text: row by row they take the driver ten times as long. */
function sampleOf(database: DatabaseSync, { keys, without, limit }: TraitQuery): Sample {
  const but = without === undefined ? sql`` : sql` WHERE pk NOT IN (SELECT pk FROM (${without}))`;
  const { text, values } = withNames(sql`WITH wanted AS MATERIALIZED (SELECT pk FROM (${keys})${but})
SELECT (SELECT count(*) FROM wanted) AS total, (SELECT json_group_array(pk) FROM (${raw(CHOSEN)} LIMIT ${bind(limit)})) AS chosen`);
  const row = database.prepare(text).get(values);
  return { total: Number(row?.['total'] ?? 0), chosen: JSON.parse(String(row?.['chosen'] ?? '[]')) as number[] };
}

interface Sample {
  readonly total: number;
  readonly chosen: readonly number[];
}

// By a hash of the key, each step of which stays below 2^63: a product alone would choose keys that are equally far apart.
const CHOSEN = `SELECT pk FROM (
  SELECT pk, (mixed | (mixed >> 16)) - (mixed & (mixed >> 16)) AS folded FROM (
    SELECT pk, ((pk & 2147483647) * 2654435761) & 4294967295 AS mixed FROM wanted)
) ORDER BY (folded * 1540483477) & 4294967295, pk`;

/** A call as the statement gives it. */
type TraitRow = readonly [
  narrow: readonly [
    traceId: string,
    opName: string,
    isRoot: 0 | 1,
    hasThread: 0 | 1,
    startedAt: number,
    endedAt: number | null,
    exception: string | null,
    inputBytes: number,
  ],
  attributes: JsonValue,
  inputs: JsonValue,
  summary: JsonValue,
];

const NARROW: readonly string[] = [
  'c.trace_id',
  'o.name',
  'c.parent_id IS NULL',
  'c.thread_id IS NOT NULL',
  'c.started_at',
  'c.ended_at',
  // Bytes: the beginning of a text would end at a NUL.
  `CAST(substr(CAST(c.exception AS BLOB), 1, ${EXCEPTION_BYTES}) AS TEXT)`,
  'octet_length(s.inputs)',
];

// Bodies are JSON already, and put among JSON as they are: to have them read and written again takes longer than all else.
const ROW = [
  `json_array(${NARROW.join(', ')})`,
  lookedInto('s.attributes'),
  lookedInto('s.inputs'),
  `coalesce(${shortSummary}, 'null')`,
].join(` || ',' || `);

const ROWS = `SELECT group_concat('[' || ${ROW} || ']', ',') AS rows
FROM json_each(?) k CROSS JOIN calls c ON c.pk = k.value CROSS JOIN op o ON o.pk = c.op
CROSS JOIN body_start s ON s.pk = c.pk LEFT JOIN body_end e ON e.pk = c.pk`;

function lookedInto(body: string): string {
  return `CASE WHEN octet_length(${body}) > ${MAX_LOOKED_INTO_BYTES} THEN 'null' ELSE ${body} END`;
}

function traitedCall([narrow, attributes, inputs, summary]: TraitRow): TraitedCall {
  const [traceId, opName, isRoot, hasThread, startedAt, endedAt, exception, inputBytes] = narrow;
  return {
    traceId,
    opName,
    isRoot: isRoot === 1,
    hasThread: hasThread === 1,
    startedAt,
    endedAt,
    exception,
    attributes,
    inputs,
    inputBytes,
    summary,
  };
}
