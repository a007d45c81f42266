import type { CallsStatsRequest, CallsStatsResponse, Facet } from '../../../protocol/page/calls-stats.ts';
import { opNameOf } from '../../../protocol/ref.ts';
import { compareCodePoints } from '../../../protocol/values/canonical-json.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import type {
  AggregatePlan,
  CallAggregate,
  FacetCounts,
  Histogram,
  ModelSum,
} from '../../../storage/contract/overviews.ts';
import { facetLimit, planStats } from '../plan/plan-overview.ts';
import { openPrices, type PriceFinder } from '../read/call-costs.ts';
import { openSelection } from './pick-calls.ts';
import { type PickedSums, sumPicked } from './picked-sums.ts';
import type { RowSources } from './row-sources.ts';
import { overviewsIn } from '../read/overviews-in.ts';
import { type ReadContext, readOptions } from '../read/read-calls.ts';
import { countNeverEnded } from './never-ended.ts';
import { costOfUsage, sumOfCosts } from '../read/usage-cost.ts';

/** The sums of the calls of a selection. */
export async function readStats(
  sources: RowSources,
  asked: CallsStatsRequest,
  context: ReadContext,
): Promise<CallsStatsResponse> {
  const { request, pick } = await openSelection(sources, asked, context);
  const plan = planStats(request, context.limits);
  const [{ found, neverEnded }, findPrice] = await Promise.all([
    pick === undefined ? sumAll(sources, plan, request, context) : sumPicked(sources, plan, pick, context),
    openPrices(sources.costs, request.project_id, sources.defaultPrices),
  ]);
  return {
    ...totalsOf(found, neverEnded),
    ...modelsOf(found.models, findPrice),
    ...(request.histogram && found.histogram && { histogram: histogramOf(found.histogram) }),
    ...(request.facets && {
      facets: request.facets.map((facet, index) => facetOf(facet, found.facets[index] ?? NO_COUNTS, neverEnded)),
    }),
  };
}

async function sumAll(
  sources: RowSources,
  plan: AggregatePlan,
  request: CallsStatsRequest,
  context: ReadContext,
): Promise<PickedSums> {
  const found = await overviewsIn(sources).aggregate(plan, readOptions(context));
  // It is counted a moment later, when more may run.
  const neverEnded =
    found.running === 0 ? 0 : Math.min(found.running, await countNeverEnded(sources, request, context));
  return { found, neverEnded };
}

function totalsOf(found: CallAggregate, neverEnded: number) {
  const { tokens } = found;
  return {
    count: found.count,
    errors: found.errors,
    running: found.running - neverEnded,
    never_ended: neverEnded,
    latency_ms: found.latency,
    tokens: {
      input: tokens.plainPrompt,
      output: tokens.plainCompletion,
      cache_read: tokens.cacheRead,
      cache_write: tokens.cacheWrite,
      reasoning: tokens.reasoning,
      total: tokens.total,
    },
    first_started_at: instantOf(found.firstStartedAt),
    last_started_at: instantOf(found.lastStartedAt),
  };
}

/** Prices are those that were in force when a model was used last. */
export function modelsOf(sums: readonly ModelSum[], findPrice: PriceFinder) {
  const costs = sums.map((sum) => [sum.model, costOfUsage(sum, sum.lastStartedAt, findPrice)] as const);
  // Whose tokens are in the sum of a call above may be named there with another provider, which has a price.
  const { cost, unpriced } = sumOfCosts(costs.filter(([, amount], index) => amount !== null || hasTokens(sums[index])));
  const models = new Map<string, CallsStatsResponse['models'][number]>();
  for (const [index, { model, calls, tokens }] of sums.entries()) {
    const known = models.get(model) ?? { model, calls: 0, tokens: 0, cost: null };
    const own = costs[index]?.[1] ?? null;
    models.set(model, {
      model,
      calls: known.calls + calls,
      tokens: known.tokens + tokens.total,
      cost: own === null ? known.cost : (known.cost ?? 0) + own,
    });
  }
  return { cost, unpriced_models: [...unpriced], models: [...models.values()] };
}

function hasTokens(sum: ModelSum | undefined): boolean {
  return sum !== undefined && Object.values(sum.tokens).some((count) => count > 0);
}

function histogramOf({ from, width, counts, errors }: Histogram) {
  return {
    from: formatDateTime(from),
    to: formatDateTime(Math.ceil(from + width * counts.length)),
    bucket_ms: width / 1000,
    counts: [...counts],
    errors: [...errors],
  };
}

const NO_COUNTS: FacetCounts = { values: [], other: 0, none: 0, distinct: 0 };

type AskedFacet = NonNullable<CallsStatsRequest['facets']>[number];

function facetOf(asked: AskedFacet, counts: FacetCounts, neverEnded: number): Facet {
  const { field } = asked;
  if (field === 'op') return regrouped(asked, counts, mergedOps(counts.values));
  if (field === 'state') return regrouped(asked, counts, withNeverEnded(counts.values, neverEnded));
  const { values, other, distinct } = counts;
  return { field, values: [...values], other, distinct };
}

/** A facet whose values are named otherwise than they are stored: all were asked for, and only now some are left out. */
function regrouped(asked: AskedFacet, { values, other, distinct }: FacetCounts, shown: Facet['values']): Facet {
  const limit = facetLimit(asked);
  const sorted = shown
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count || compareCodePoints(left.value, right.value));
  return {
    field: asked.field,
    values: sorted.slice(0, limit),
    other: sorted.slice(limit).reduce((sum, { count }) => sum + count, other),
    distinct: distinct - values.length + sorted.length,
  };
}

/** Versions of an op have one name. */
function mergedOps(values: FacetCounts['values']): Facet['values'] {
  const counts = new Map<string, number>();
  for (const { value, count } of values) counts.set(opNameOf(value), (counts.get(opNameOf(value)) ?? 0) + count);
  return [...counts].map(([value, count]) => ({ value, count }));
}

function withNeverEnded(values: FacetCounts['values'], neverEnded: number): Facet['values'] {
  const shown = values.map(({ value, count }) => ({ value, count: value === 'running' ? count - neverEnded : count }));
  return [...shown, { value: 'never_ended', count: neverEnded }];
}

function instantOf(micros: number | null): string | null {
  return micros === null ? null : formatDateTime(micros);
}
