import { TracingError } from '../../protocol/error.ts';
import type { CallPlan, CallSelection } from '../contract/plan.ts';
import type { CallFact, CallReader, CallWriter, StartFact, StoredCall, WrittenCall } from '../contract/calls.ts';
import type { ReadOptions } from '../contract/reads.ts';
import {
  type CallRecord,
  emptyRecord,
  isVisible,
  storedCall,
  type VisibleCall,
  withDescendants,
  withFact,
  withName,
} from '../values/call-record.ts';
import { chunksOf, pageOf } from '../values/pages.ts';
import { type FeedbackOn, selectCalls, sortCalls } from '../values/select-calls.ts';

/** Calls in maps; the plainest way to keep the contract, and what the other engines are compared with. */
export class MemoryCalls implements CallWriter, CallReader {
  readonly #projects = new Map<string, Map<string, CallRecord>>();
  readonly #feedbackOn: FeedbackOn;
  readonly #onFact: (fact: CallFact) => void;

  constructor(feedbackOn: FeedbackOn, onFact: (fact: CallFact) => void = () => undefined) {
    this.#feedbackOn = feedbackOn;
    this.#onFact = onFact;
  }

  async write(facts: readonly CallFact[]): Promise<WrittenCall[]> {
    return facts.map((fact) => this.#apply(fact));
  }

  async rename(projectId: string, callId: string, displayName: string): Promise<void> {
    const record = this.#record(projectId, callId);
    if (record.isDeleted) throw new TracingError('call_deleted', `Cannot rename call "${callId}": it is deleted`);
    this.#store(projectId, withName(record, 'update', displayName));
  }

  async delete(projectId: string, callIds: readonly string[]): Promise<number> {
    const records = this.#records(projectId);
    const named = callIds.map((id) => records.get(id)).filter((record) => record !== undefined && isVisible(record));
    const reached = withDescendants(
      named.map((record) => record?.id ?? ''),
      [...records.values()],
    );
    const deleted = [...records.values()].filter((record) => isVisible(record) && reached.has(record.id));
    for (const record of deleted) this.#store(projectId, { ...record, isDeleted: true });
    return deleted.length;
  }

  async get(projectId: string, id: string): Promise<StoredCall | undefined> {
    const record = this.#records(projectId).get(id);
    return record !== undefined && isVisible(record) ? storedCall(record) : undefined;
  }

  async *query(plan: CallPlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredCall[]> {
    const { signal } = options;
    const sorted = sortCalls(await this.#select(plan, options), plan.sort, this.#feedbackOn);
    for (const chunk of chunksOf(pageOf(sorted, plan))) {
      signal?.throwIfAborted();
      yield chunk.map((record) => storedCall(record, plan.bodies));
    }
  }

  projects(): string[] {
    return [...this.#projects.keys()];
  }

  /** The records of all calls of a project, in no order. */
  records(projectId: string): CallRecord[] {
    return [...this.#records(projectId).values()];
  }

  /** Makes calls unknown. */
  forget(projectId: string, ids: readonly string[]): void {
    for (const id of ids) this.#projects.get(projectId)?.delete(id);
  }

  /** All visible calls of a project, in no order. */
  visibleCalls(projectId: string): VisibleCall[] {
    return [...this.#records(projectId).values()].filter(isVisible);
  }

  async count(selection: CallSelection, limit = Infinity, options: ReadOptions = {}): Promise<number> {
    return Math.min(limit, (await this.#select(selection, options)).length);
  }

  #apply(fact: CallFact): WrittenCall {
    this.#onFact(fact);
    const record = this.#record(fact.project_id, fact.id);
    const traceId = fact.kind === 'start' ? this.#traceOf(fact) : '';
    const merged = withFact(record, fact, traceId);
    this.#store(fact.project_id, merged);
    return { id: fact.id, trace_id: merged.start?.trace_id ?? '' };
  }

  #traceOf(start: StartFact): string {
    if (start.trace_id !== null) return start.trace_id;
    const parent = start.parent_id === null ? undefined : this.#records(start.project_id).get(start.parent_id);
    return parent?.start?.trace_id ?? start.fallback_trace_id;
  }

  /** The calls of one moment, however long it takes: what is known of a call is replaced, never changed. */
  async #select(selection: CallSelection, options: ReadOptions): Promise<VisibleCall[]> {
    const calls = this.visibleCalls(selection.projectId);
    return await selectCalls(calls, selection, { ...options, feedbackOn: this.#feedbackOn });
  }

  #record(projectId: string, id: string): CallRecord {
    return this.#records(projectId).get(id) ?? emptyRecord(id);
  }

  #records(projectId: string): ReadonlyMap<string, CallRecord> {
    return this.#projects.get(projectId) ?? new Map();
  }

  #store(projectId: string, record: CallRecord): void {
    const records = this.#projects.get(projectId) ?? new Map<string, CallRecord>();
    records.set(record.id, record);
    this.#projects.set(projectId, records);
  }
}
