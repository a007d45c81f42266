import type { Capabilities } from './capabilities.ts';
import type { CallPlan, CallSelection, FeedbackPlan, ObjectPlan, TablePlan, ThreadPlan } from './plan.ts';
import type { PackedTable } from '../sqlite/threads/packed-table.ts';
import type { Packed } from '../sqlite/threads/packing.ts';

/** Compact JSON text as it is stored and sent: no spaces, number tokens in canonical form, no escape that JSON could do without. */
export type JsonText = string;

/** Everything below a project lives and dies with it; names and ids are unique per project. */
export interface Storage {
  readonly capabilities: Capabilities;
  readonly calls: CallWriter & CallReader;
  readonly objects: ObjectStore;
  readonly files: FileStore;
  readonly costs: CostStore;
  readonly feedback: FeedbackStore;
  readonly tables: TableStore;
  readonly threads: ThreadReader;
  /** Absent where nothing is won by it. */
  readonly packed?: PackedWriter;
  /** Absent where what is old goes by other means, or stays. */
  readonly retention?: RetentionStore;
  /** How busy the writer is; absent where the engine has none. */
  readonly writeQueue?: () => WriteQueue;
  /** Resolves when the engine can be read and written, rejects with `unavailable` otherwise. */
  checkHealth(): Promise<void>;
  /** Finishes what was accepted, then releases everything. Calling it again does nothing. */
  close(): Promise<void>;
}

/** What waits to be written, and what was written since the storage was opened. */
export interface WriteQueue {
  readonly waitingCount: number;
  readonly waitingBytes: number;
  /** Writes that were answered. */
  readonly writtenCount: number;
  /** Commits they shared. */
  readonly groupCount: number;
}

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
 * - A batch is applied in array order, all of it or nothing.
 * - A resolved write is durable and every later read sees it.
 * - A full write queue rejects with `rate_limited`, and nothing of the batch was applied.
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
}

/** A read that takes longer than `deadlineMs` rejects with `query_timeout`. */
export interface ReadOptions {
  /** Milliseconds until the first record or the result. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/** A list is held whole, wherever it goes. */
export interface ListOptions extends ReadOptions {
  /** Rejects with `payload_too_large` when the records have more. @default Infinity */
  readonly maxCharacters?: number;
}

/**
 * Reads calls. Each read is one snapshot taken when it begins.
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

/** A validated object; `val` is its canonical text, which `digest` is the digest of. */
export interface NewObject {
  readonly project_id: string;
  readonly object_id: string;
  readonly kind: 'op' | 'object';
  readonly digest: string;
  readonly val: string;
  readonly base_object_class: string | null;
  readonly leaf_object_class: string | null;
  readonly svc_user_id: string;
  /** Microseconds; raised by the store where needed, so that it grows strictly within a name. */
  readonly created_at: number;
}

export interface StoredObject extends Omit<NewObject, 'val' | 'svc_user_id'> {
  /** Canonical text, or null where only metadata was asked for. */
  readonly val: string | null;
  readonly svc_user_id: string | null;
  /** 0-based, by first creation under (project, kind, name); never used twice. */
  readonly version_index: number;
  readonly is_latest: boolean;
  readonly size_bytes: number;
  readonly deleted_at: number | null;
}

/**
 * Stores versions of objects and ops. The two kinds of one name are numbered apart, and each has its own latest.
 */
export interface ObjectStore {
  /** A digest that is there becomes the latest again; a new or a deleted one makes the next version. */
  create(object: NewObject): Promise<void>;
  /**
   * The version named by a digest, `latest` or `v<N>`, deleted ones included (their `val` is null); `undefined` when
   * there never was one. `latest` and `v<N>` of a name of both kinds mean the object. When all versions are deleted,
   * `latest` is the last one that was deleted.
   */
  get(
    projectId: string,
    objectId: string,
    version: string,
    options?: { readonly metadataOnly?: boolean },
  ): Promise<StoredObject | undefined>;
  /** The versions of a plan in its order; one moment. */
  query(plan: ObjectPlan, options?: ListOptions): Promise<StoredObject[]>;
  /**
   * Deletes the versions named as for `get`, or with an empty list all of both kinds; `deletedAt` in µs. They keep
   * their numbers and lose their values; a latest that goes is followed by the greatest number that stays. Resolves
   * with what was deleted in order of creation. Rejects with `not_found`, and deletes nothing, when there is nothing
   * to delete or a name means no version that is there. A deletion under a key that is known deletes nothing and
   * resolves with what the first one deleted.
   */
  delete(
    projectId: string,
    objectId: string,
    versions: readonly string[],
    deletedAt: number,
    key?: string,
  ): Promise<DeletedVersion[]>;
}

export type DeletedVersion = Pick<NewObject, 'digest' | 'base_object_class' | 'leaf_object_class'>;

export interface StoredFile {
  readonly project_id: string;
  readonly digest: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Stores files by the digest of their bytes; of several names the first one stays. */
export interface FileStore {
  create(file: StoredFile): Promise<void>;
  get(projectId: string, digest: string): Promise<StoredFile | undefined>;
  /** Bytes of all files of a project; 0 where there are none. */
  totalBytes(projectId: string): Promise<number>;
}

/** What somebody said about the thing that `svc_ref` names; times in microseconds. */
export interface StoredFeedback {
  readonly project_id: string;
  readonly id: string;
  readonly svc_ref: string;
  readonly creator: string | null;
  readonly created_at: number;
  readonly feedback_type: string;
  readonly payload: JsonText;
  readonly annotation_ref: string | null;
  readonly runnable_ref: string | null;
  readonly call_ref: string | null;
  readonly trigger_ref: string | null;
  readonly queue_id: string | null;
  readonly svc_user_id: string;
}

/** Stores feedback. */
export interface FeedbackStore {
  /**
   * Adds feedback, in one step with the removal of `replacedId` if there is such. Rejects with `invalid_request`, and
   * changes nothing, when its id is taken by another.
   */
  create(feedback: StoredFeedback, replacedId?: string | null): Promise<void>;
  /** Adds all of it, or rejects as above and adds none, when the id of any is taken or there twice. */
  createAll(feedback: readonly StoredFeedback[]): Promise<void>;
  /** The feedback of a project, or of these references in it, oldest first, of one time by id. */
  list(projectId: string, refs?: readonly string[]): Promise<StoredFeedback[]>;
  /** The feedback of a plan in its order; one moment. */
  query(plan: FeedbackPlan, options?: ListOptions): Promise<StoredFeedback[]>;
  /** How much feedback a plan selects, whatever its page. */
  count(plan: FeedbackPlan, options?: ReadOptions): Promise<number>;
  /** Removes feedback for good; ids that are not there do no harm. */
  purge(projectId: string, ids: readonly string[]): Promise<void>;
}

/** What one token of a model costs in a project; times in microseconds. */
export interface StoredCost {
  readonly project_id: string;
  readonly id: string;
  readonly llm_id: string;
  readonly prompt_token_cost: number;
  readonly completion_token_cost: number;
  /** Null: such tokens have no price of their own. */
  readonly cache_read_input_token_cost: number | null;
  readonly cache_creation_input_token_cost: number | null;
  readonly reasoning_token_cost: number | null;
  readonly prompt_token_cost_unit: string;
  readonly completion_token_cost_unit: string;
  /** The price counts for calls that started then or later. */
  readonly effective_date: number;
  readonly provider_id: string;
  readonly created_by: string;
  readonly created_at: number;
}

/** Stores prices: few per project, so that they are read together and selected by the service. */
export interface CostStore {
  /** All of them or none; one whose id is there already stays as it is. */
  create(costs: readonly StoredCost[]): Promise<void>;
  /** The prices of a project, oldest first, of one time by id. */
  list(projectId: string): Promise<StoredCost[]>;
  /** Removes prices for good; ids that are not there do no harm. */
  purge(projectId: string, ids: readonly string[]): Promise<void>;
}

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
  /** Threads of a plan in its order, in chunks of bounded size; all of one snapshot taken when the read begins. */
  query(plan: ThreadPlan, options?: ReadOptions): AsyncIterable<readonly StoredThread[]>;
}

/** A validated row; `val` is the canonical text of an object, which `digest` is the digest of. */
export interface NewRow {
  readonly digest: string;
  readonly val: string;
}

export interface NewTable {
  readonly project_id: string;
  /** Digest over the row digests. */
  readonly digest: string;
  /** One for each row, in order; a row may be there more than once. */
  readonly row_digests: readonly string[];
  /** The rows that may not be stored yet, in any order; one may be there more than once. */
  readonly rows: Iterable<NewRow>;
}

export interface StoredRow extends NewRow {
  /** Place in the table, from 0. */
  readonly original_index: number;
}

export interface TableStats {
  readonly digest: string;
  readonly count: number;
  /** Canonical bytes of all rows, repeated ones as often as they are there. */
  readonly size_bytes: number;
}

/** Stores tables, which never change, and their rows, which tables of a project share. */
export interface TableStore {
  /** Storing a table again is harmless. Rejects with `not_found` when a row is neither given nor stored. */
  create(table: NewTable): Promise<void>;
  /** The digests of the rows in order, or `undefined` when there is no such table. */
  getRowDigests(projectId: string, digest: string): Promise<readonly string[] | undefined>;
  /** Rows of a plan in its order, in chunks of bounded size; an unknown table has none. */
  query(plan: TablePlan, options?: ReadOptions): AsyncIterable<readonly StoredRow[]>;
  /** One entry for each of the tables that is known, in the order of the digests. */
  stats(projectId: string, digests: readonly string[]): Promise<TableStats[]>;
}

/** Takes and gives what another thread has packed or will unpack, for engines that would pack it again. */
export interface PackedWriter {
  /** As `CallWriter.write`: the trace of each record. */
  writeCalls(facts: Packed): Promise<readonly string[]>;
  /** As `TableStore.create`. */
  createTable(table: PackedTable): Promise<void>;
  /** As `FeedbackStore.createAll`. */
  createFeedback(feedback: Packed): Promise<void>;
  /** As `TableStore.getRowDigests`, a space between. */
  getRowDigests(projectId: string, digest: string): Promise<string | undefined>;
}

/** How much was removed. */
export interface Removed {
  readonly traces: number;
  readonly calls: number;
}

/**
 * Removes what is old. A trace is as old as the last start or end of any of its calls, and goes whole, with what was
 * said about its calls; ends whose starts never came go by their time. Calls that were removed are unknown from then
 * on, while deleted ones stay deleted. Objects, files, tables and prices stay. All times in microseconds.
 */
export interface RetentionStore {
  /** Names of the projects that have calls, in any order. */
  projects(): Promise<string[]>;
  /** The time for `removeBefore` after which bodies of calls take no more than so many bytes; undefined when they do not now. */
  timeForBytes(projectId: string, bytes: number, options?: ReadOptions): Promise<number | undefined>;
  /**
   * Removes some of the traces in which nothing has happened since a time, at most so many that no writer waits for
   * long, and resolves with what that was; nothing, when none is left. An abort ends it between two commits.
   */
  removeBefore(projectId: string, time: number, options?: ReadOptions): Promise<Removed>;
  /** Gives some of the room that is free in the store back to the system; false when there is not enough to do so. */
  giveBack(): Promise<boolean>;
}
