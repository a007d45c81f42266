import { compareCodePoints } from '../../protocol/canonical-json.ts';
import { TracingError } from '../../protocol/error.ts';
import type { FeedbackStore, StoredFeedback } from '../storage.ts';

export class MemoryFeedback implements FeedbackStore {
  #feedback: readonly StoredFeedback[] = [];

  async create(feedback: StoredFeedback, replacedId: string | null = null): Promise<void> {
    const { project_id: projectId, id } = feedback;
    const kept = this.#feedback.filter((other) => other.project_id !== projectId || other.id !== replacedId);
    if (kept.some((other) => other.project_id === projectId && other.id === id)) {
      throw new TracingError('invalid_request', `Cannot create feedback "${id}": there is one with this id`);
    }
    this.#feedback = [...kept, { ...feedback }];
  }

  async list(projectId: string, refs?: readonly string[]): Promise<StoredFeedback[]> {
    const wanted = refs && new Set(refs);
    return this.#feedback
      .filter((one) => one.project_id === projectId && (wanted === undefined || wanted.has(one.svc_ref)))
      .sort((left, right) => left.created_at - right.created_at || compareCodePoints(left.id, right.id))
      .map((one) => ({ ...one }));
  }

  async purge(projectId: string, ids: readonly string[]): Promise<void> {
    const named = new Set(ids);
    this.#feedback = this.#feedback.filter((one) => one.project_id !== projectId || !named.has(one.id));
  }
}
