import type { CallStatus } from '../../protocol/call.ts';
import type { CallPlan, CallSelection, JsonColumn, TextColumn } from './plan.ts';
import type { ReadOptions } from './reads.ts';
import type { TraceColumns } from './trace-columns.ts';
import type { CallTraits, TraitPlan } from './traits.ts';

/** Calls as pages show them: many of them at a glance, without their bodies. */
export interface OverviewReader {
  /** The sums of a selection; of one moment with `snapshots`. */
  aggregate(plan: AggregatePlan, options?: ReadOptions): Promise<CallAggregate>;
  /**
   * Calls of a plan in its order, each in a few hundred bytes, in chunks of bounded size; of one moment with
   * `snapshots`. Leaving the loop early MUST release everything the read holds.
   */
  outlines(plan: OutlinePlan, options?: ReadOptions): AsyncIterable<readonly CallOutline[]>;
  /**
   * The calls of a trace in the order in which they started, of equal ones by their ids, in chunks of
   * columns; of one moment with `snapshots`. Leaving the loop early releases everything the read holds.
   */
  trace(plan: TracePlan, options?: ReadOptions): AsyncIterable<TraceColumns>;
  /** The traits of calls of a selection: the same of the same calls, whatever the engine. */
  traits(plan: TraitPlan, options?: ReadOptions): Promise<CallTraits>;
}

export interface TracePlan {
  readonly projectId: string;
  readonly traceId: string;
}

/** A text that calls are counted by. */
export type FacetField =
  | { readonly kind: 'text'; readonly column: Exclude<TextColumn, 'project_id'> }
  | { readonly kind: 'json'; readonly column: JsonColumn; readonly path: readonly string[] }
  /** The text of an exception before its first colon or line end. */
  | { readonly kind: 'exceptionType' }
  /** The model with most tokens in the summary of a call; of equal ones the first. */
  | { readonly kind: 'model' };

export interface Facet {
  readonly field: FacetField;
  /** Values to name. */
  readonly limit: number;
}

/** The facts to find out about a selection; times in microseconds. */
export interface AggregatePlan extends CallSelection {
  /** Calls that started then or later. */
  readonly startedAfter?: number | undefined;
  /** Calls that started earlier. */
  readonly startedBefore?: number | undefined;
  /** Buckets of equal width between the two times, or where one is absent the first and last start. */
  readonly histogram?: { readonly buckets: number } | undefined;
  readonly facets?: readonly Facet[] | undefined;
}

/**
 * - Percentiles are exact: of the sorted latencies of calls that have ended, on the straight line between neighbours.
 * - Usage is that of the calls above which no call of the selection has any: clients add it up to the root. The way
 *   up goes through all stored calls.
 */
export interface CallAggregate {
  readonly count: number;
  /** Calls with an exception of their own. */
  readonly errors: number;
  /** Calls that have not ended, as far as is known. */
  readonly running: number;
  /** Milliseconds, with fraction; null where nothing has ended. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number } | null;
  readonly tokens: TokenSums;
  /** Most tokens first. */
  readonly models: readonly ModelSum[];
  /** Microseconds; null where there are no calls. */
  readonly firstStartedAt: number | null;
  readonly lastStartedAt: number | null;
  /** Absent where it was not asked for, and where there are neither calls nor times. */
  readonly histogram?: Histogram;
  /** In the order of the plan. */
  readonly facets: readonly FacetCounts[];
}

/** Tokens by what they are charged as, which share none; `total` as producers have summed them up. */
export type TokenSums = Record<
  'plainPrompt' | 'cacheRead' | 'cacheWrite' | 'plainCompletion' | 'reasoning' | 'requests' | 'total',
  number
>;

/** The use of a model, and whom its requests went to as far as that is known. */
export interface ModelUsage {
  readonly model: string;
  readonly provider: string | null;
  readonly host: string | null;
  readonly tokens: TokenSums;
}

/** Tokens are those of selected calls above which no other selected call has usage. */
export interface ModelSum extends ModelUsage {
  /**
   * Selected calls that asked the model themselves: without those that have, next below them among the selected calls with
   * usage, one of the same model. They count here also where their tokens count in the sum of a call above them.
   */
  readonly calls: number;
  /** Microseconds: when the first and the last of all that count here started. */
  readonly firstStartedAt: number;
  readonly lastStartedAt: number;
}

/** Times in microseconds; a call is in the bucket of its start. */
export interface Histogram {
  readonly from: number;
  readonly width: number;
  readonly counts: readonly number[];
  /** Those with an exception of their own. */
  readonly errors: readonly number[];
}

export interface FacetCounts {
  /** Those of most calls, of equal ones in the order of code points. Texts are cut to 200 characters. */
  readonly values: readonly { readonly value: string; readonly count: number }[];
  /** Calls with other values. */
  readonly other: number;
  /** Calls without a value. */
  readonly none: number;
  readonly distinct: number;
}

export interface OutlinePlan extends Omit<CallPlan, 'bodies'> {
  /** Calls behind this one in the order of the plan, which must be by `started_at` and `id`, in one direction. */
  readonly after?: { readonly startedAt: number; readonly id: string } | undefined;
  /** Are input and output wanted? */
  readonly hasPreviews: boolean;
}

/** One call in a few hundred bytes; times in microseconds. */
export interface CallOutline {
  readonly id: string;
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly thread_id: string | null;
  readonly op_name: string;
  readonly display_name: string | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly status: CallStatus;
  /** First line of the exception, at most 200 characters. */
  readonly error: string | null;
  readonly error_type: string | null;
  /** `attributes.kind` where it is a text. */
  readonly kind: string | null;
  /** Milliseconds until the first chunk of a stream. */
  readonly first_chunk_ms: number | null;
  /** As the summary says, which is with all calls below where the client adds up; at most 100 models. */
  readonly usages: readonly ModelUsage[];
  /** One line of at most 200 characters; null where there is none or it was not asked for. */
  readonly input: string | null;
  readonly output: string | null;
}
