// docs/decisions/0038-ends-have-revisions.md says why.
import type { JsonText } from './json-text.ts';
import type { CallPlan, CallSelection } from './plan.ts';
import type { ReadOptions } from './reads.ts';

/** A validated start; times in microseconds since 1970. */
export interface StartFact {
  readonly kind: 'start';
  readonly project_id: string;
  readonly id: string;
  readonly op_name: string;
  readonly display_name: string | null;
  /** Null: take the trace of the parent if its start is stored, else `fallback_trace_id`. */
  readonly trace_id: string | null;
  readonly fallback_trace_id: string;
  readonly parent_id: string | null;
  readonly thread_id: string | null;
  readonly turn_id: string | null;
  readonly started_at: number;
  readonly attributes: JsonText;
  readonly inputs: JsonText;
  readonly otel_dump: JsonText | null;
  /** Reference strings found anywhere in the inputs, each once. */
  readonly input_refs: readonly string[];
  readonly svc_user_id: string;
  readonly svc_run_id: string | null;
  readonly svc_run_step: number | null;
  /** The run of the process that has recorded it, where that is known. */
  readonly process_run?: string | undefined;
}

/** A validated end; times in microseconds since 1970. */
export interface EndFact {
  readonly kind: 'end';
  readonly project_id: string;
  readonly id: string;
  readonly ended_at: number;
  /** Null where there is none: an empty text has become null before. */
  readonly exception: string | null;
  /** JSON text, or null for the JSON value null. */
  readonly output: JsonText | null;
  readonly output_refs: readonly string[];
  readonly summary: JsonText;
  /** Of several ends of a call, none replaces one of a higher revision. 0 unless its writer counts them. */
  readonly revision: number;
  /** Null says nothing; `""` clears the name. */
  readonly display_name: string | null;
  readonly svc_run_step_end: number | null;
  /** The run of the process that has recorded it, where that is known. */
  readonly process_run?: string | undefined;
}

export type CallFact = StartFact | EndFact;

/** The stored ids of the call an item of a batch spoke of; `trace_id` is `""` while its start is unknown. */
export interface WrittenCall {
  readonly id: string;
  readonly trace_id: string;
}

/**
 * Stores calls. Implementations must pass `storageConformance`.
 *
 * - Facts about a call arrive in any order, in one batch or in many, more than once; writing one again is harmless.
 * - The first start wins; of the ends with the highest revision the last one wins, and others have no effect; of display names an update's beats an end's, an end's a start's.
 * - A batch MUST be applied in array order. With `atomicBatches` all of it or nothing; without, a part of it MAY be seen
 *   before the others, and MAY stay when the write rejects.
 * - A resolved write MUST NOT be lost while the storage is open; with `durable` it outlives the process. With
 *   `readYourWrites` every later read sees it, without it every read after `catchUp`.
 * - A full write queue MUST reject with `rate_limited`, and nothing of the batch was applied.
 */
export interface CallWriter {
  write(facts: readonly CallFact[]): Promise<WrittenCall[]>;
  /** Sets the display name (`""` clears it); an unknown id is remembered. Rejects with `call_deleted`. */
  rename(projectId: string, callId: string, displayName: string): Promise<void>;
  /** Deletes visible calls and all their descendants for good; returns how many became deleted. `deletedAt` in µs. */
  delete(projectId: string, callIds: readonly string[], deletedAt: number): Promise<number>;
}

/** A visible call: its start is known and it is not deleted. Bodies that a plan leaves out are null. */
export interface StoredCall {
  readonly project_id: string;
  readonly id: string;
  readonly op_name: string;
  /** Never `""`. */
  readonly display_name: string | null;
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly thread_id: string | null;
  readonly turn_id: string | null;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly exception: string | null;
  readonly attributes: JsonText | null;
  readonly inputs: JsonText | null;
  /** Null while running, for the JSON value null, and where left out. */
  readonly output: JsonText | null;
  /** The client's part; null while running and where left out. */
  readonly summary: JsonText | null;
  readonly otel_dump: JsonText | null;
  readonly svc_user_id: string | null;
  readonly svc_run_id: string | null;
  readonly svc_run_step: number | null;
  readonly svc_run_step_end: number | null;
  /** As the start says; absent where it does not, and MAY be where the engine keeps no runs. */
  readonly process_run?: string | undefined;
}

/**
 * Reads calls. With `snapshots` each read sees the moment in which it begins; without, what changes meanwhile MAY be
 * seen or not, while what stays as it is MUST be read once and in order.
 */
export interface CallReader {
  /** The call, or `undefined` when it is unknown, pending or deleted. */
  get(projectId: string, id: string): Promise<StoredCall | undefined>;
  /**
   * Calls of a plan in its order, in chunks of bounded size, read as they are taken. Leaving the loop early
   * releases everything the read holds.
   */
  query(plan: CallPlan, options?: ReadOptions): AsyncIterable<readonly StoredCall[]>;
  /** How many calls a selection has; counting stops at `limit`. */
  count(selection: CallSelection, limit?: number, options?: ReadOptions): Promise<number>;
}
