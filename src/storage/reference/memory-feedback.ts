import { TracingError } from '../../protocol/error.ts';
import type { FeedbackPlan } from '../contract/plan.ts';
import { byAge, pageOfFeedback, selectFeedback } from '../values/pages.ts';
import type { FeedbackStore, StoredFeedback } from '../contract/feedback.ts';
import type { ListOptions, ReadOptions } from '../contract/reads.ts';

export class MemoryFeedback implements FeedbackStore {
  #feedback: readonly StoredFeedback[] = [];
  /** By project and reference, oldest first; made when it is asked for. */
  #byRef: ReadonlyMap<string, readonly StoredFeedback[]> | undefined;

  async create(feedback: StoredFeedback, replacedId: string | null = null): Promise<void> {
    const { project_id: projectId } = feedback;
    this.#add(
      [feedback],
      this.#feedback.filter((other) => other.project_id !== projectId || other.id !== replacedId),
    );
  }

  async createAll(feedback: readonly StoredFeedback[]): Promise<void> {
    this.#add(feedback, this.#feedback);
  }

  #add(feedback: readonly StoredFeedback[], kept: readonly StoredFeedback[]): void {
    const taken = new Set(kept.map(({ project_id: projectId, id }) => keyOf(projectId, id)));
    for (const { project_id: projectId, id } of feedback) {
      const key = keyOf(projectId, id);
      if (taken.has(key)) {
        throw new TracingError('invalid_request', `Cannot create feedback "${id}": there is one with this id`);
      }
      taken.add(key);
    }
    this.#replace([...kept, ...feedback.map((one) => ({ ...one }))]);
  }

  async list(projectId: string, refs?: readonly string[]): Promise<StoredFeedback[]> {
    const wanted = refs && new Set(refs);
    return this.#feedback
      .filter((one) => one.project_id === projectId && (wanted === undefined || wanted.has(one.svc_ref)))
      .map((one) => ({ ...one }));
  }

  async query(plan: FeedbackPlan, options: ListOptions = {}): Promise<StoredFeedback[]> {
    return (await pageOfFeedback(this.#of(plan.projectId), plan, options)).map((one) => ({ ...one }));
  }

  async count(plan: FeedbackPlan, options: ReadOptions = {}): Promise<number> {
    return (await selectFeedback(this.#of(plan.projectId), plan, options)).length;
  }

  async purge(projectId: string, ids: readonly string[]): Promise<void> {
    const named = new Set(ids);
    this.#replace(this.#feedback.filter((one) => one.project_id !== projectId || !named.has(one.id)));
  }

  /** Removes all that is said about references. */
  forget(projectId: string, refs: readonly string[]): void {
    const named = new Set(refs);
    this.#replace(this.#feedback.filter((one) => one.project_id !== projectId || !named.has(one.svc_ref)));
  }

  /** The feedback on a reference, oldest first. */
  on(projectId: string, ref: string): readonly StoredFeedback[] {
    this.#byRef ??= byRef(this.#feedback);
    return this.#byRef.get(keyOf(projectId, ref)) ?? [];
  }

  #of(projectId: string): StoredFeedback[] {
    return this.#feedback.filter((one) => one.project_id === projectId);
  }

  #replace(feedback: readonly StoredFeedback[]): void {
    this.#feedback = feedback.toSorted(byAge);
    this.#byRef = undefined;
  }
}

function byRef(feedback: readonly StoredFeedback[]): Map<string, StoredFeedback[]> {
  const groups = new Map<string, StoredFeedback[]>();
  for (const one of feedback) {
    const key = keyOf(one.project_id, one.svc_ref);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

function keyOf(projectId: string, refOrId: string): string {
  return `${projectId} ${refOrId}`;
}
