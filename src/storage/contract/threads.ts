import type { ThreadPlan } from './plan.ts';
import type { ReadOptions } from './reads.ts';

/** A conversation: what its turns say together, in microseconds where nothing else is said. */
export interface StoredThread {
  readonly thread_id: string;
  readonly turn_count: number;
  readonly start_time: number;
  readonly last_updated: number;
  readonly first_turn_id: string;
  readonly last_turn_id: string;
  /** Milliseconds, with a fraction; null while no turn has ended. */
  readonly p50_turn_duration_ms: number | null;
  readonly p99_turn_duration_ms: number | null;
}

/**
 * Reads threads. A turn is a visible call with a thread that is its own turn (`turn_id` = `id`); a thread without
 * turns does not exist.
 */
export interface ThreadReader {
  /** Threads of a plan in its order, in chunks of bounded size; of the moment in which the read begins with `snapshots`. */
  query(plan: ThreadPlan, options?: ReadOptions): AsyncIterable<readonly StoredThread[]>;
}
