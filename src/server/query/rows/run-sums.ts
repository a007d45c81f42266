import { TracingError } from '../../../protocol/error.ts';
import type { Expression } from '../../../protocol/query.ts';
import type { RunStore, RunSums, StoredRun } from '../../../storage/contract/runs.ts';
import { openPrices } from '../read/call-costs.ts';
import type { ReadContext } from '../read/read-calls.ts';
import { modelsOf } from './call-stats.ts';
import { countNeverEnded } from './never-ended.ts';
import type { RowSources } from './row-sources.ts';

/** Runs of more microseconds are added up last: their times may have the calls of many others, too. */
const LONG_RUN = 3_600_000_000;

/** Runs whose running calls are looked at side by side. */
const AT_ONCE = 4;

/** The sums of a run as lists tell them. */
export interface ShownSums {
  readonly calls: number;
  readonly errors: number;
  readonly running: number;
  readonly never_ended: number;
  readonly tokens: number;
  readonly cost: number | null;
  readonly unpriced_models: readonly string[];
}

/** The sums of runs, by their ids; `null`: of this run no call is left. Absent are those that take too long. */
type SumsOfRuns = ReadonlyMap<string, ShownSums | null>;

interface SummedSources extends RowSources {
  readonly runs: RunStore;
}

/** Adds up the calls of runs, within the time that a list has for that: of what is not added up by then sums are unknown. */
export class ListSums {
  readonly #sources: SummedSources;
  readonly #projectId: string;
  readonly #context: ReadContext;
  readonly #until: number;

  constructor(sources: SummedSources, projectId: string, context: ReadContext) {
    this.#sources = sources;
    this.#projectId = projectId;
    this.#context = context;
    this.#until = performance.now() + Math.min(context.limits.sums_ms, context.limits.read_ms);
  }

  /** Each group of runs in one pass, those that have no long time first. */
  async of(runs: readonly StoredRun[]): Promise<SumsOfRuns> {
    const sums = new Map<string, ShownSums | null>();
    const isLong = (run: StoredRun) => run.last_at - run.first_at > LONG_RUN;
    for (const some of [runs.filter((run) => !isLong(run)), runs.filter(isLong)]) {
      for (const [id, sum] of (await inTime(this.#of(some), this.#context)) ?? []) sums.set(id, sum);
    }
    return sums;
  }

  async #of(runs: readonly StoredRun[]): Promise<SumsOfRuns> {
    const ids = runs.map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const options = { deadlineMs: this.#leftMs(), signal: this.#context.signal };
    const [found, findPrice] = await Promise.all([
      this.#sources.runs.sums({ projectId: this.#projectId, ids }, options),
      openPrices(this.#sources.costs, this.#projectId, this.#sources.defaultPrices),
    ]);
    const neverEnded = await this.#neverEnded(found);
    const sums = new Map<string, ShownSums | null>(ids.map((id) => [id, null]));
    for (const { id, count, errors, running, tokens, models } of found) {
      const { cost, unpriced_models } = modelsOf(models, findPrice);
      const ofNone = Math.min(running, neverEnded.get(id) ?? 0);
      const counts = { calls: count, errors, running: running - ofNone, never_ended: ofNone };
      sums.set(id, { ...counts, tokens: tokens.total, cost, unpriced_models });
    }
    return sums;
  }

  /** Of the calls that run, as far as is known, by run. */
  async #neverEnded(found: readonly RunSums[]): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    const running = found.filter((sums) => sums.running > 0);
    for (let from = 0; from < running.length; from += AT_ONCE) {
      await Promise.all(
        running.slice(from, from + AT_ONCE).map(async ({ id }) => {
          const $expr: Expression = { $eq: [{ $getField: 'process_run' }, { $literal: id }] };
          const limits = { ...this.#context.limits, read_ms: this.#leftMs() };
          const request = { project_id: this.#projectId, query: { $expr } };
          const context = { ...this.#context, limits };
          // Unknown are those that take too long: they count as running.
          counts.set(id, (await inTime(countNeverEnded(this.#sources, request, context), context)) ?? 0);
        }),
      );
    }
    return counts;
  }

  /** A deadline of nothing would be none to some. */
  #leftMs(): number {
    return Math.max(1, Math.round(this.#until - performance.now()));
  }
}

/** Undefined where it takes too long: a list without some sums is better than none. */
async function inTime<T>(sums: Promise<T>, { signal }: ReadContext): Promise<T | undefined> {
  try {
    return await sums;
  } catch (error) {
    if (!(error instanceof TracingError) || error.code !== 'query_timeout' || signal.aborted) throw error;
    return undefined;
  }
}
