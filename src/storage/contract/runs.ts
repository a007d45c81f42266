import type { CallAggregate } from './overviews.ts';
import type { ReadOptions } from './reads.ts';

/** The word of a process on itself; a member that is absent says nothing. */
export interface RunFacts {
  readonly project_id: string;
  readonly id: string;
  /** Microseconds since 1970: when the process began. */
  readonly started_at?: number | undefined;
  readonly pid?: number | undefined;
  readonly host?: string | undefined;
  readonly version?: string | undefined;
  readonly commit?: string | undefined;
  readonly is_dirty?: boolean | undefined;
}

/** A run of which calls are known; times in microseconds, null where nobody has said. */
export interface StoredRun {
  readonly project_id: string;
  readonly id: string;
  /** The name of the op of its first call, without a version. */
  readonly entry_op: string;
  /** When its first call started, and when the last thing happened in any of its calls, also of those that have gone since. */
  readonly first_at: number;
  readonly last_at: number;
  readonly started_at: number | null;
  readonly pid: number | null;
  readonly host: string | null;
  readonly version: string | null;
  readonly commit: string | null;
  readonly is_dirty: boolean | null;
}

/** The runs that are wanted: the one whose first call started last comes first, of equal ones the one with the greater id. */
export interface RunPlan {
  readonly projectId: string;
  /** Never empty. */
  readonly ids?: readonly string[] | undefined;
  readonly entryOp?: string | undefined;
  /** Runs behind this one in the order. */
  readonly after?: { readonly first_at: number; readonly id: string } | undefined;
  readonly limit: number;
}

/** The runs whose calls are added up. */
export interface RunSumsPlan {
  readonly projectId: string;
  /** Never empty, and each once. */
  readonly ids: readonly string[];
}

/** The sums of the calls of a run, each as those of a selection that has these calls. */
export interface RunSums extends Pick<CallAggregate, 'count' | 'errors' | 'running' | 'tokens' | 'models'> {
  readonly id: string;
}

/**
 * Stores runs: the calls that one process has recorded, by `process_run` of their facts.
 *
 * - A run is there as soon as a start of one of its calls was written, whether anything was noted of it or not; its times and its
 *   entry op follow from the facts that were written, in any order, also from those of calls that are deleted. `process_run` of an
 *   end counts for the times only.
 * - A run is of one project: the same id in another one is another run.
 * - Retention removes runs of which no call is left and in which nothing has happened since the time up to which it removes traces;
 *   an engine MAY keep them, and MAY leave out of lists what ended before the first call that is left.
 * - Noting again is harmless, in any order: the earliest start stays, that files were changed, and of two other words that differ
 *   the greater one, as texts by their code points. What is not said stays.
 */
export interface RunStore {
  note(run: RunFacts): Promise<void>;
  list(plan: RunPlan, options?: ReadOptions): Promise<StoredRun[]>;
  /** In any order, each call looked at once however many runs there are; runs of which no call is left are absent. */
  sums(plan: RunSumsPlan, options?: ReadOptions): Promise<RunSums[]>;
}
