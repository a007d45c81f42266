import type { AggregatePlan, CallAggregate, Histogram, ModelUsage } from '../../contract/overviews.ts';
import { FacetTally } from './facet-tally.ts';
import { GrowingNumbers } from './growing-numbers.ts';
import { quantilesMs } from './quantile.ts';
import { UsageTally } from './usage-tally.ts';

/** A call as sums see it; times in microseconds. */
export interface TalliedCall {
  readonly id: string;
  readonly parentId: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly isError: boolean;
  readonly usages: readonly ModelUsage[];
  /** The value of each facet of the plan. */
  readonly values: readonly (string | null)[];
}

/** Adds up calls, in whatever order they come, for all engines that do so themselves. */
export class CallTally {
  readonly usage = new UsageTally();
  readonly #plan: AggregatePlan;
  readonly #facets: readonly FacetTally[];
  readonly #starts = new GrowingNumbers();
  readonly #failedStarts = new GrowingNumbers();
  readonly #latencies = new GrowingNumbers();
  #running = 0;

  constructor(plan: AggregatePlan) {
    this.#plan = plan;
    this.#facets = (plan.facets ?? []).map(() => new FacetTally());
  }

  add({ id, parentId, startedAt, endedAt, isError, usages, values }: TalliedCall): void {
    this.addTimes(startedAt, endedAt ?? Number.NaN, isError);
    if (usages.length > 0) this.usage.add({ id, parentId, startedAt, usages });
    for (const [index, value] of values.entries()) this.addValue(index, value, 1);
  }

  /** One of the things that make a call, for those that add them up apart; NaN is no end. */
  addTimes(startedAt: number, endedAt: number, isError: boolean): void {
    this.#starts.push(startedAt);
    if (isError) this.#failedStarts.push(startedAt);
    if (Number.isNaN(endedAt)) this.#running += 1;
    else this.#latencies.push(Math.max(0, endedAt - startedAt));
  }

  /** The value that so many calls have for a facet of the plan. */
  addValue(facet: number, value: string | null, count: number): void {
    this.#facets[facet]?.add(value, count);
  }

  /** Parents that `usage` asks for have been told, unless its sums are given. */
  finish(sums = this.usage.sums()): CallAggregate {
    const starts = this.#starts.all;
    const failedStarts = this.#failedStarts.all;
    const [first, last] = rangeOf(starts);
    const histogram = histogramOf(this.#plan, { starts, failedStarts, first, last });
    return {
      count: starts.length,
      errors: failedStarts.length,
      running: this.#running,
      latency: latencyOf(this.#latencies.all),
      ...sums,
      firstStartedAt: first,
      lastStartedAt: last,
      ...(histogram && { histogram }),
      facets: this.#facets.map((facet, index) => facet.counts(this.#plan.facets?.[index]?.limit ?? 0)),
    };
  }
}

function rangeOf(numbers: Float64Array): [least: number | null, greatest: number | null] {
  const [head = null] = numbers;
  let [least, greatest] = [head, head];
  // By index: a million numbers are gone through in a tenth of the time.
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    if (least === null || number < least) least = number;
    if (greatest === null || number > greatest) greatest = number;
  }
  return [least, greatest];
}

function latencyOf(latencies: Float64Array): CallAggregate['latency'] {
  const [p50 = null, p95 = null, p99 = null] = quantilesMs(latencies, [50, 95, 99]);
  return p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 };
}

interface Starts {
  readonly starts: Float64Array;
  readonly failedStarts: Float64Array;
  readonly first: number | null;
  readonly last: number | null;
}

/** Widths are whole numbers, so the last bucket may reach beyond the end. */
function histogramOf(plan: AggregatePlan, { starts, failedStarts, first, last }: Starts): Histogram | undefined {
  const buckets = bucketsOf(plan, first, last);
  if (buckets === undefined) return undefined;
  const { from, width } = buckets;
  return { from, width, counts: countIn(buckets, starts), errors: countIn(buckets, failedStarts) };
}

/** The buckets of a plan, given the first and the last start of its calls; undefined where it has none. */
export function bucketsOf(
  { startedAfter, startedBefore, histogram }: AggregatePlan,
  first: number | null,
  last: number | null,
): Buckets | undefined {
  const from = startedAfter ?? first;
  const to = startedBefore ?? (last === null ? null : last + 1);
  if (histogram === undefined || from === null || to === null) return undefined;
  const { buckets } = histogram;
  return { from, width: Math.max(1, Math.ceil((to - from) / buckets)), buckets };
}

/** Widths are in microseconds. */
interface Buckets {
  readonly from: number;
  readonly width: number;
  readonly buckets: number;
}

function countIn({ from, width, buckets }: Buckets, times: Float64Array): number[] {
  const counts = Array.from({ length: buckets }, () => 0);
  for (let place = 0; place < times.length; place++) {
    const index = Math.floor(((times[place] ?? 0) - from) / width);
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}
