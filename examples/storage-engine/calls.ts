import * as spoor from 'spoor/server';
import { Shelf } from './shelf.ts';

/** Facts that are written, and calls that are read, at a time: others have their turn between. */
const SLICE = 100;

/** Calls that are written in one place and read in another, which comes after. */
export class Calls implements spoor.CallWriter, spoor.CallReader {
  readonly #written = new Shelf<spoor.CallRecord>();
  readonly #readable = new Shelf<spoor.CallRecord>();
  readonly #feedbackOn: spoor.FeedbackOn;

  constructor(feedbackOn: spoor.FeedbackOn) {
    this.#feedbackOn = feedbackOn;
  }

  /** The calls of a project that can be read. */
  visible(projectId: string): spoor.VisibleCall[] {
    return this.#readable.all(projectId).filter(spoor.isVisible);
  }

  async write(facts: readonly spoor.CallFact[]): Promise<spoor.WrittenCall[]> {
    const written: spoor.WrittenCall[] = [];
    for (const [index, fact] of facts.entries()) {
      if (index > 0 && index % SLICE === 0) await turn();
      const record = spoor.withFact(this.#record(fact.project_id, fact.id), fact, this.#traceOf(fact));
      this.#store(fact.project_id, record);
      written.push({ id: fact.id, trace_id: record.start?.trace_id ?? '' });
    }
    return written;
  }

  async rename(projectId: string, id: string, displayName: string): Promise<void> {
    const record = this.#record(projectId, id);
    if (record.isDeleted) throw new spoor.TracingError('call_deleted', `Cannot rename call "${id}": it is deleted`);
    this.#store(projectId, spoor.withName(record, 'update', displayName));
  }

  async delete(projectId: string, ids: readonly string[]): Promise<number> {
    const all = this.#written.all(projectId);
    const named = ids.filter((id) => spoor.isVisible(this.#record(projectId, id)));
    const reached = spoor.withDescendants(named, all);
    const deleted = all.filter((record) => spoor.isVisible(record) && reached.has(record.id));
    for (const record of deleted) this.#store(projectId, { ...record, isDeleted: true });
    return deleted.length;
  }

  async get(projectId: string, id: string): Promise<spoor.StoredCall | undefined> {
    const record = this.#readable.get(projectId, id);
    return record && spoor.isVisible(record) ? spoor.storedCall(record) : undefined;
  }

  /** Which calls they are is found at once; what they are is read slice by slice, and may have changed by then. */
  async *query(plan: spoor.CallPlan, options: spoor.ReadOptions = {}): AsyncGenerator<readonly spoor.StoredCall[]> {
    const sorted = spoor.sortCalls(await this.#select(plan, options), plan.sort, this.#feedbackOn);
    for (const slice of spoor.chunksOf(spoor.pageOf(sorted, plan), SLICE)) {
      options.signal?.throwIfAborted();
      const records = slice.flatMap(({ id }) => this.#readable.get(plan.projectId, id) ?? []);
      yield records.filter(spoor.isVisible).map((call) => spoor.storedCall(call, plan.bodies));
    }
  }

  async count(plan: spoor.CallSelection, limit = Infinity, options: spoor.ReadOptions = {}): Promise<number> {
    return Math.min(limit, (await this.#select(plan, options)).length);
  }

  async #select(plan: spoor.CallSelection, options: spoor.ReadOptions): Promise<spoor.VisibleCall[]> {
    return await spoor.selectCalls(this.visible(plan.projectId), plan, { ...options, feedbackOn: this.#feedbackOn });
  }

  #record(projectId: string, id: string): spoor.CallRecord {
    return this.#written.get(projectId, id) ?? spoor.emptyRecord(id);
  }

  #store(projectId: string, record: spoor.CallRecord): void {
    this.#written.put(projectId, record.id, record);
    setImmediate(() => this.#readable.put(projectId, record.id, record));
  }

  #traceOf(fact: spoor.CallFact): string {
    if (fact.kind === 'end') return '';
    const parent = this.#written.get(fact.project_id, fact.parent_id ?? '');
    return fact.trace_id ?? parent?.start?.trace_id ?? fact.fallback_trace_id;
  }
}

/** After it can be read what was written before. */
export async function turn(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
