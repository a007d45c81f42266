import type { JsonText } from './json-text.ts';
import type { FeedbackPlan } from './plan.ts';
import type { ListOptions, ReadOptions } from './reads.ts';

/** Feedback of somebody on whatever `svc_ref` names; times in microseconds. */
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
   * Adds feedback and removes `replacedId` if there is such, in one step where `atomicBatches` is declared. Rejects with
   * `invalid_request`, and changes nothing, when its id is taken by another.
   */
  create(feedback: StoredFeedback, replacedId?: string | null): Promise<void>;
  /**
   * Adds all of it, or rejects as above when the id of any is taken or there twice. Then none was added where
   * `atomicBatches` is declared; without, the others MAY have been.
   */
  createAll(feedback: readonly StoredFeedback[]): Promise<void>;
  /** The feedback of a project, or of these references in it, oldest first, of one time by id. */
  list(projectId: string, refs?: readonly string[]): Promise<StoredFeedback[]>;
  /** The feedback of a plan in its order; of one moment with `snapshots`. */
  query(plan: FeedbackPlan, options?: ListOptions): Promise<StoredFeedback[]>;
  /** How much feedback a plan selects, whatever its page. */
  count(plan: FeedbackPlan, options?: ReadOptions): Promise<number>;
  /** Removes feedback for good; ids that are not there do no harm. */
  purge(projectId: string, ids: readonly string[]): Promise<void>;
}
