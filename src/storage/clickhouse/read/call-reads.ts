import type { StoredCall } from '../../contract/calls.ts';
import type { CallPlan, CallSelection, Condition, JsonColumn, SortKey } from '../../contract/plan.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import { pageOf } from '../../values/pages.ts';
import { startPatience } from '../../values/patience.ts';
import { compareRecords, sortValuesOf } from '../../values/sort-records.ts';
import type { SortValue } from '../../values/sort-values.ts';
import type { Connection } from '../connection.ts';
import { callColumns, type CallKey, type CallRow, storedCall } from './call-columns.ts';
import { type FeedbackByRef, isTrue, neededOf, valuesOf } from './evaluated-calls.ts';
import { isExactSort, splitCondition } from './exact-conditions.ts';
import {
  hasPart,
  type NearKey,
  type PrintedSelection,
  printCalls,
  printCallsOfPage,
  printCount,
  printKeys,
  printNearKeys,
  printOdd,
} from './select-calls.ts';
import { printPrefilter } from '../../sql/prefilter.ts';

export interface PlannedSelection {
  readonly printed: PrintedSelection;
  readonly evaluated: readonly Condition[];
}

export type ReadFeedback = (projectId: string) => Promise<FeedbackByRef>;

/** Calls whose bodies are read together. */
const MAX_CALLS = 500;
const FIRST_CALLS = 250;
const MAX_BYTES = 8 * 1024 * 1024;

/** Reads calls: keys first, bodies by keys. What SQL cannot say exactly is evaluated here. */
export class CallReads {
  readonly #connection: Connection;
  readonly #readFeedback: ReadFeedback;

  constructor(connection: Connection, readFeedback: ReadFeedback) {
    this.#connection = connection;
    this.#readFeedback = readFeedback;
  }

  async *query(plan: CallPlan, options: ReadOptions): AsyncGenerator<readonly StoredCall[]> {
    const { signal } = options;
    for await (const chunk of this.keys(plan, options)) {
      signal?.throwIfAborted();
      const calls = await this.#callsOf(plan.projectId, chunk, plan.bodies, signal);
      if (calls.length > 0) yield calls;
    }
  }

  /** The keys of a plan in its order, in chunks of bounded size. */
  keys(plan: CallPlan, options: ReadOptions): AsyncGenerator<readonly CallKey[]> {
    return chunksOf(isExactSort(plan.sort) ? this.#keysInOrder(plan, options) : this.#sortedKeys(plan, options));
  }

  /** The selection that the database is asked for, and the conditions that are left to evaluate here. */
  async plan({ projectId, filter, condition }: CallSelection, options: ReadOptions): Promise<PlannedSelection> {
    const { onColumns, onJson, evaluated } = splitCondition(condition);
    const prefilters = evaluated.flatMap((part) => printPrefilter(part, hasPart) ?? []);
    const readsBodies = onJson.length > 0;
    const selection = { projectId, filter, printed: onColumns, prefilters, readsBodies };
    const isOdd = readsBodies && (await this.#connection.all(printOdd(selection), options)).length > 0;
    if (!isOdd) {
      const sooner = [...prefilters, ...onJson.flatMap((part) => printPrefilter(part, hasPart) ?? [])];
      const isSearch = evaluated.some(
        (part) => part.kind === 'contains' && printPrefilter(part, hasPart) !== undefined,
      );
      return { printed: { ...selection, printed: [...onColumns, ...onJson], prefilters: sooner, isSearch }, evaluated };
    }
    return { printed: { ...selection, unlessOdd: onJson }, evaluated: [...evaluated, ...onJson] };
  }

  async count(selection: CallSelection, limit: number | undefined, options: ReadOptions): Promise<number> {
    const { printed, evaluated } = await this.plan(selection, options);
    if (evaluated.length === 0) {
      const [row] = await this.#connection.all<{ count: number }>(printCount(printed, limit), options);
      return row?.count ?? 0;
    }
    let count = 0;
    for await (const calls of this.#selected(printed, { evaluated, sort: [] }, options)) {
      count += calls.length;
      if (limit !== undefined && count >= limit) return limit;
    }
    return count;
  }

  /** The keys of a plan in an order that the database makes. */
  async *#keysInOrder(plan: CallPlan, options: ReadOptions): AsyncGenerator<readonly CallKey[]> {
    const { printed, evaluated } = await this.plan(plan, options);
    if (evaluated.length === 0) {
      if (plan.limit === 0) return;
      const near = await this.#nearPage(printed, plan, options);
      if (near !== undefined) yield near;
      else yield* this.#connection.stream<CallKey>(printKeys(printed, plan), options, maxKeysOf(plan));
      return;
    }
    const { sort, limit, offset } = plan;
    // Not by `rows`, however few are wanted: their bodies are read while one goes through them.
    const all = this.#connection.stream<CallKey>(printKeys(printed, { sort, offset: 0 }), options);
    yield* pageOfChunks(this.#kept(plan.projectId, all, evaluated, options), limit, offset);
  }

  /** The page of a plan, where it is known to be whole without a look at all calls. */
  async #nearPage(
    printed: PrintedSelection,
    plan: CallPlan,
    options: ReadOptions,
  ): Promise<readonly CallKey[] | undefined> {
    const near = printNearKeys(printed, plan);
    if (near === undefined) return undefined;
    const page = await this.#connection.all<NearKey>(near.statement, options);
    const [first] = page;
    if (first === undefined) return undefined;
    return page.length === plan.limit || first.found < near.wantedRows ? page : undefined;
  }

  /** Those of the keys whose calls pass. */
  async *#kept(
    projectId: string,
    keys: AsyncIterable<readonly CallKey[]>,
    evaluated: readonly Condition[],
    options: ReadOptions,
  ): AsyncGenerator<readonly CallKey[]> {
    const { bodies, hasFeedback } = neededOf(evaluated, []);
    const feedback = hasFeedback ? await this.#readFeedback(projectId) : NO_FEEDBACK;
    const { check, rest } = startPatience(options);
    for await (const chunk of chunksOf(keys)) {
      const calls = await this.#callsOf(projectId, chunk, bodies, options.signal);
      const passed = new Set<string>();
      for (const call of calls) {
        if (isTrue(evaluated, valuesOf(call, feedback), check)) passed.add(call.id);
        await rest();
      }
      yield chunk.filter(({ id }) => passed.has(id));
    }
  }

  /** The keys of a plan in an order that is made here: what calls sort by is held. */
  async *#sortedKeys(plan: CallPlan, options: ReadOptions): AsyncGenerator<readonly CallKey[]> {
    const { printed, evaluated } = await this.plan(plan, options);
    const sorted: { readonly key: CallKey; readonly values: readonly SortValue[] }[] = [];
    const wanted = { evaluated, sort: plan.sort };
    for await (const calls of this.#selected(printed, wanted, options)) {
      sorted.push(...calls);
    }
    sorted.sort((left, right) => compareRecords(left.values, right.values, plan.sort));
    yield pageOf(sorted, plan).map(({ key }) => key);
  }

  /** The calls that pass, in no order, each with what it sorts by. */
  async *#selected(
    selection: PrintedSelection,
    { evaluated, sort }: { readonly evaluated: readonly Condition[]; readonly sort: readonly SortKey[] },
    options: ReadOptions,
  ) {
    const { projectId } = selection;
    const { bodies, hasFeedback } = neededOf(evaluated, sort);
    const feedback = hasFeedback ? await this.#readFeedback(projectId) : NO_FEEDBACK;
    const { check, rest } = startPatience(options);
    type Found = CallRow & { readonly bytes: number };
    for await (const rows of this.#connection.rows<Found>(printCalls(selection, bodies), options)) {
      const passed: { readonly key: CallKey; readonly values: readonly SortValue[] }[] = [];
      for (const row of rows) {
        const values = valuesOf(storedCall(projectId, row), feedback);
        const { id, started_at, bytes } = row;
        if (isTrue(evaluated, values, check)) {
          passed.push({ key: { id, started_at, bytes }, values: sortValuesOf(values, sort) });
        }
        await rest();
      }
      yield passed;
    }
  }

  /** The calls of keys, in their order; those that have gone meanwhile are left out. */
  async #callsOf(
    projectId: string,
    keys: readonly CallKey[],
    bodies: ReadonlySet<JsonColumn>,
    signal: AbortSignal | undefined,
  ): Promise<StoredCall[]> {
    if (keys.length === 0) return [];
    const options = signal === undefined ? {} : { signal };
    const rows = await this.#connection.all<CallRow>(printCallsOfPage(projectId, keys, callColumns(bodies)), options);
    const found = new Map(rows.map((row) => [row.id, row]));
    return keys.flatMap(({ id }) => {
      const row = found.get(id);
      return row === undefined ? [] : [storedCall(projectId, row)];
    });
  }
}

/** As many keys has a plan at most. */
function maxKeysOf({ limit = Infinity, filter }: CallPlan): number {
  return Math.min(limit, filter.callIds?.length ?? Infinity);
}

const NO_FEEDBACK: FeedbackByRef = new Map();

/** Keys in chunks whose calls are read together, small ones first. */
async function* chunksOf(keys: AsyncIterable<readonly CallKey[]>): AsyncGenerator<readonly CallKey[]> {
  let chunk: CallKey[] = [];
  let bytes = 0;
  let most = FIRST_CALLS;
  for await (const rows of keys) {
    for (const key of rows) {
      chunk.push(key);
      bytes += key.bytes;
      if (chunk.length < most && bytes < MAX_BYTES) continue;
      yield chunk;
      chunk = [];
      bytes = 0;
      most = MAX_CALLS;
    }
  }
  if (chunk.length > 0) yield chunk;
}

/** The page of what comes in chunks; nothing more is taken when it is full. */
async function* pageOfChunks<Item>(
  chunks: AsyncIterable<readonly Item[]>,
  limit = Infinity,
  offset = 0,
): AsyncGenerator<readonly Item[]> {
  let skipped = 0;
  let taken = 0;
  if (limit === 0) return;
  for await (const chunk of chunks) {
    const rest = chunk.slice(Math.max(0, offset - skipped));
    skipped += chunk.length - rest.length;
    const page = rest.slice(0, limit - taken);
    taken += page.length;
    yield page;
    if (taken >= limit) return;
  }
}
