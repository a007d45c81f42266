import type { AggregatePlan, CallAggregate, FacetCounts, FacetField, Histogram } from '../../contract/overviews.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import { bind, raw, type Sql, sql } from '../../sql/sql.ts';
import { bucketsOf } from '../../values/overviews/call-tally.ts';
import { FacetTally } from '../../values/overviews/facet-tally.ts';
import { quantileOf } from '../../values/overviews/quantile.ts';
import type { Connection } from '../connection.ts';
import { clickhouseDialect } from './dialect.ts';
import { type PrintedSelection, printRows, printSelection } from './select-calls.ts';
import { readUsageOfTree, USE_SUMS, type UseSums, USES, USES_KEY, usageOfSums } from './usage-of-calls.ts';

const PERCENTS = [50, 95, 99] as const;

/** Has what calls are counted by a column? */
export function isCounted({ kind }: FacetField): boolean {
  return kind !== 'json';
}

/** Adds up calls in the database, all sums in one pass; uses of models are added up here where they depend on what is above. */
export async function aggregateCalls(
  connection: Connection,
  selection: PrintedSelection,
  plan: AggregatePlan,
  options: ReadOptions,
): Promise<CallAggregate> {
  const from = printSelection(selection);
  const asked = { connection, projectId: selection.projectId, options };
  const [{ ended, ranks, first, last, uses, ...counts }, usageOfTree, ...facets] = await Promise.all([
    readSums(connection, from, options),
    readUsageOfTree(asked, { calls: from, rows: printRows(selection) }),
    ...(plan.facets ?? []).map(({ field, limit }) => readFacet(connection, { field, limit, from }, options)),
  ]);
  const [firstStartedAt, lastStartedAt] = counts.count === 0 ? [null, null] : [first, last];
  const histogram = await readHistogram(connection, { plan, from, firstStartedAt, lastStartedAt }, options);
  const latency = latencyOf({ ended, ranks });
  return {
    ...counts,
    latency,
    ...(usageOfTree ?? usageOfSums(uses)),
    firstStartedAt,
    lastStartedAt,
    ...(histogram && { histogram }),
    facets,
  };
}

interface Sums {
  readonly count: number;
  readonly errors: number;
  readonly running: number;
  readonly ended: number;
  readonly first: number;
  readonly last: number;
  /** Latencies at the ranks below and above each percentile. */
  readonly ranks: readonly number[];
  readonly uses: UseSums;
}

interface SumsRow extends Omit<Sums, 'uses' | 'first' | 'last'>, UseSums {
  readonly least: number;
  readonly greatest: number;
}

const LATENCIES = 'groupArrayIf(greatest(0, assumeNotNull(c.ended_at) - c.started_at), c.ended_at IS NOT NULL)';

/** Groups are as many as there are sets of models. */
async function readSums(connection: Connection, from: Sql, options: ReadOptions): Promise<Sums> {
  const ranks = PERCENTS.flatMap((percent) => [
    `latencies[1 + intDiv(${percent} * (ended - 1), 100)]`,
    `latencies[1 + intDiv(${percent} * (ended - 1) + 99, 100)]`,
  ]);
  const [row] = await connection.all<SumsRow>(
    sql`SELECT * EXCEPT latencies, if(ended = 0, [], [${raw(ranks.join(', '))}]) AS ranks FROM (
      SELECT sum(calls) AS count, sum(failed) AS errors, sum(open) AS running, min(first) AS least, max(last) AS greatest,
        arraySort(groupArrayArray(took)) AS latencies, toInt64(length(latencies)) AS ended, ${raw(USE_SUMS)}
      FROM (
        SELECT count() AS calls, countIf(c.exception != '') AS failed, countIf(c.ended_at IS NULL) AS open,
          min(c.started_at) AS first, max(c.started_at) AS last, ${raw(LATENCIES)} AS took, ${raw(USES)}
        FROM ${from} GROUP BY ${raw(USES_KEY)}))`,
    options,
  );
  if (row === undefined) throw new TypeError('A statement that counts has given no row');
  const { count, errors, running, ended, least, greatest, ranks: found, ...uses } = row;
  return { count, errors, running, ended, first: least, last: greatest, ranks: found, uses };
}

function latencyOf({ ended, ranks }: Pick<Sums, 'ended' | 'ranks'>): CallAggregate['latency'] {
  const [p50 = null, p95 = null, p99 = null] = PERCENTS.map((percent, index) => {
    const lower = Math.floor((percent * (ended - 1)) / 100);
    return quantileOf(ended, percent, (rank) => ranks[2 * index + (rank === lower ? 0 : 1)] ?? 0);
  });
  return p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 };
}

interface HistogramOptions {
  readonly plan: AggregatePlan;
  readonly from: Sql;
  readonly firstStartedAt: number | null;
  readonly lastStartedAt: number | null;
}

async function readHistogram(
  connection: Connection,
  { plan, from, firstStartedAt, lastStartedAt }: HistogramOptions,
  options: ReadOptions,
): Promise<Histogram | undefined> {
  const buckets = bucketsOf(plan, firstStartedAt, lastStartedAt);
  if (buckets === undefined) return undefined;
  const until = buckets.from + buckets.buckets * buckets.width;
  // Others may have started since the first and the last were found.
  const rows = await connection.all<{ bucket: number; count: number; errors: number }>(
    sql`SELECT intDiv(c.started_at - ${bind(buckets.from)}, ${bind(buckets.width)}) AS bucket, count() AS count,
      countIf(c.exception != '') AS errors
      FROM ${from} AND c.started_at >= ${bind(buckets.from)} AND c.started_at < ${bind(until)} GROUP BY bucket`,
    options,
  );
  const counts = Array.from({ length: buckets.buckets }, () => 0);
  const errors = [...counts];
  for (const row of rows) {
    counts[row.bucket] = row.count;
    errors[row.bucket] = row.errors;
  }
  return { from: buckets.from, width: buckets.width, counts, errors };
}

interface FacetOptions {
  readonly field: FacetField;
  readonly limit: number;
  readonly from: Sql;
}

async function readFacet(
  connection: Connection,
  { field, limit, from }: FacetOptions,
  options: ReadOptions,
): Promise<FacetCounts> {
  const tally = new FacetTally();
  const values = sql`SELECT ${columnOf(field)} AS value, count() AS count FROM ${from} GROUP BY value`;
  for await (const rows of connection.rows<{ value: string | null; count: number }>(values, options)) {
    for (const { value, count } of rows) tally.add(value, count);
  }
  return tally.counts(limit);
}

function columnOf(field: FacetField): Sql {
  switch (field.kind) {
    case 'text':
      return clickhouseDialect.text(field.column);
    case 'exceptionType':
      return raw('c.error_type');
    case 'model':
      return raw('c.model');
    case 'json':
      throw new TypeError('A value of a body has no column');
  }
}
