import { parseRef } from '../../protocol/ref.ts';
import type { FeedbackStore, StoredFeedback } from '../../storage/contract/feedback.ts';
import type { FeedbackPlan } from '../../storage/contract/plan.ts';
import type { ListOptions, ReadOptions } from '../../storage/contract/reads.ts';
import { planOfIds } from '../../storage/values/feedback-values.ts';
import type { ChangedCalls } from './call-changes.ts';

/** Feedback that is read together: each may have a megabyte, of which nothing is wanted but what it is on. */
const READ_AT_ONCE = 100;

type Said = Pick<StoredFeedback, 'project_id' | 'svc_ref'>;

/** Feedback of a storage that tells on which calls it was given, or taken back. */
export class NotingFeedback implements FeedbackStore {
  readonly #feedback: FeedbackStore;
  readonly #onSaid: (changed: readonly ChangedCalls[]) => void;

  constructor(feedback: FeedbackStore, onSaid: (changed: readonly ChangedCalls[]) => void) {
    this.#feedback = feedback;
    this.#onSaid = onSaid;
  }

  async create(feedback: StoredFeedback, replacedId?: string | null): Promise<void> {
    const replaced = replacedId == null ? [] : await this.#read(feedback.project_id, [replacedId]);
    await this.#feedback.create(feedback, replacedId);
    this.#onSaid(feedbackOn([feedback, ...replaced]));
  }

  async createAll(feedback: readonly StoredFeedback[]): Promise<void> {
    try {
      await this.#feedback.createAll(feedback);
    } finally {
      // An engine without `atomicBatches` may have kept a part of what it refuses.
      this.#onSaid(feedbackOn(feedback));
    }
  }

  async purge(projectId: string, ids: readonly string[]): Promise<void> {
    const purged = await this.#read(projectId, ids);
    await this.#feedback.purge(projectId, ids);
    this.#onSaid(feedbackOn(purged));
  }

  async list(projectId: string, refs?: readonly string[]): Promise<StoredFeedback[]> {
    return await this.#feedback.list(projectId, refs);
  }

  async query(plan: FeedbackPlan, options?: ListOptions): Promise<StoredFeedback[]> {
    return await this.#feedback.query(plan, options);
  }

  async count(plan: FeedbackPlan, options?: ReadOptions): Promise<number> {
    return await this.#feedback.count(plan, options);
  }

  async #read(projectId: string, ids: readonly string[]): Promise<Said[]> {
    const said: Said[] = [];
    for (let from = 0; from < ids.length; from += READ_AT_ONCE) {
      const some = await this.#feedback.query(planOfIds(projectId, ids.slice(from, from + READ_AT_ONCE)));
      said.push(...some.map(({ project_id, svc_ref }) => ({ project_id, svc_ref })));
    }
    return said;
  }
}

/** The calls that feedback is on, of its own project: a list shows no other. */
export function feedbackOn(feedback: readonly Said[]): ChangedCalls[] {
  const changed = new Map<string, Set<string>>();
  for (const { project_id: projectId, svc_ref: ref } of feedback) {
    const parts = parseRef(ref);
    if (parts.kind !== 'call' || `${parts.entity}/${parts.project}` !== projectId) continue;
    const ids = changed.get(projectId) ?? new Set();
    changed.set(projectId, ids.add(parts.id));
  }
  return Array.from(changed, ([projectId, ids]) => ({ projectId, ids }));
}
