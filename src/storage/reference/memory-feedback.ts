import { compareCodePoints } from '../../protocol/values/canonical-json.ts';
import { TracingError } from '../../protocol/error.ts';
import { evaluate } from '../values/evaluate.ts';
import { columnsOfFeedback } from '../values/feedback-values.ts';
import { boundedList } from '../values/list-bound.ts';
import { startPatience } from '../values/patience.ts';
import type { FeedbackPlan } from '../contract/plan.ts';
import { sortRecords } from '../values/sort-records.ts';
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
    const { maxCharacters } = options;
    const end = plan.limit === undefined ? undefined : plan.offset + plan.limit;
    const page = sortRecords(await this.#select(plan, options), plan.sort, columnsOfFeedback).slice(plan.offset, end);
    return boundedList(page, ({ payload }) => payload, maxCharacters).map((one) => ({ ...one }));
  }

  async count(plan: FeedbackPlan, options: ReadOptions = {}): Promise<number> {
    return (await this.#select(plan, options)).length;
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

  /** What is said about a reference, oldest first. */
  on(projectId: string, ref: string): readonly StoredFeedback[] {
    this.#byRef ??= byRef(this.#feedback);
    return this.#byRef.get(keyOf(projectId, ref)) ?? [];
  }

  async #select({ projectId, condition }: FeedbackPlan, options: ReadOptions): Promise<StoredFeedback[]> {
    const found = this.#feedback.filter((one) => one.project_id === projectId);
    if (condition === undefined) return found;
    const { check, rest } = startPatience(options);
    const selected: StoredFeedback[] = [];
    for (const one of found) {
      if (evaluate(condition, columnsOfFeedback(one), check) === true) selected.push(one);
      await rest();
    }
    return selected;
  }

  #replace(feedback: readonly StoredFeedback[]): void {
    this.#feedback = feedback.toSorted(
      (left, right) => left.created_at - right.created_at || compareCodePoints(left.id, right.id),
    );
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
