import { TracingError } from '../../protocol/error.ts';
import { formatCallRef } from '../../protocol/ref.ts';
import { valuesOfCall } from '../values/call-values.ts';
import { evaluate } from '../values/evaluate.ts';
import { feedbackByType } from '../values/feedback-values.ts';
import { startPatience } from '../values/patience.ts';
import type { CallPlan, CallSelection, JsonColumn } from '../contract/plan.ts';
import type { RecordValues } from '../values/record-values.ts';
import { sortRecords } from '../values/sort-records.ts';
import type { CallFact, CallReader, CallWriter, StartFact, StoredCall, WrittenCall } from '../contract/calls.ts';
import type { StoredFeedback } from '../contract/feedback.ts';
import type { ReadOptions } from '../contract/reads.ts';
import {
  bodyOf,
  type CallRecord,
  emptyRecord,
  isVisible,
  storedCall,
  type VisibleCall,
  withFact,
  withName,
} from './call-record.ts';
import { matchesFilter } from './match-filter.ts';

const CHUNK_ROWS = 200;
const NO_BODIES: ReadonlySet<JsonColumn> = new Set();
const ALL_BODIES: ReadonlySet<JsonColumn> = new Set(['attributes', 'inputs', 'output', 'summary']);

/** Calls in maps; the plainest way to keep the contract, and what the other engines are compared with. */
export class MemoryCalls implements CallWriter, CallReader {
  readonly #projects = new Map<string, Map<string, CallRecord>>();
  readonly #feedbackOn: (projectId: string, ref: string) => readonly StoredFeedback[];

  constructor(feedbackOn: (projectId: string, ref: string) => readonly StoredFeedback[]) {
    this.#feedbackOn = feedbackOn;
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
    return record !== undefined && isVisible(record) ? storedCall(record, ALL_BODIES) : undefined;
  }

  async *query(plan: CallPlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredCall[]> {
    const { signal } = options;
    const sorted = sortRecords(await this.#select(plan, options), plan.sort, (call) => this.#valuesOf(call));
    const end = plan.limit === undefined ? undefined : plan.offset + plan.limit;
    const page = sorted.slice(plan.offset, end);
    for (let index = 0; index < page.length; index += CHUNK_ROWS) {
      signal?.throwIfAborted();
      yield page.slice(index, index + CHUNK_ROWS).map((record) => storedCall(record, plan.bodies));
    }
  }

  projects(): string[] {
    return [...this.#projects.keys()];
  }

  /** What is known of all calls of a project, in no order. */
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
  async #select({ projectId, filter, condition }: CallSelection, options: ReadOptions): Promise<VisibleCall[]> {
    const found = this.visibleCalls(projectId).filter((call) => matchesFilter(call, filter));
    if (condition === undefined) return found;
    const { check, rest } = startPatience(options);
    const selected: VisibleCall[] = [];
    for (const call of found) {
      if (evaluate(condition, this.#valuesOf(call), check) === true) selected.push(call);
      await rest();
    }
    return selected;
  }

  #valuesOf(record: VisibleCall): RecordValues {
    const call = storedCall(record, NO_BODIES);
    let said: ReturnType<typeof feedbackByType> | undefined;
    return valuesOfCall(call, {
      json: (column) => bodyOf(record, column),
      feedback: (type) => {
        said ??= feedbackByType(this.#feedbackOn(call.project_id, formatCallRef(call.project_id, call.id)));
        return said(type);
      },
    });
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

/** Ids and those of everything below them; the set of what was seen ends cycles. */
function withDescendants(ids: readonly string[], records: readonly CallRecord[]): Set<string> {
  const children = new Map<string, string[]>();
  for (const { id, start } of records) {
    const parentId = start?.parent_id ?? null;
    if (parentId === null) continue;
    const siblings = children.get(parentId);
    if (siblings === undefined) children.set(parentId, [id]);
    else siblings.push(id);
  }
  const reached = new Set(ids);
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child);
  return reached;
}
