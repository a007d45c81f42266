import type { CallReader } from '../../contract/calls.ts';
import type {
  AggregatePlan,
  CallAggregate,
  CallOutline,
  OutlinePlan,
  OverviewReader,
  TracePlan,
} from '../../contract/overviews.ts';
import type { CallPlan, CallSelection } from '../../contract/plan.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { TraceColumns } from '../../contract/trace-columns.ts';
import type { CallTraits, TraitPlan } from '../../contract/traits.ts';
import { outlinePlanOf, selectionOfRest, selectionOfTimes } from '../../values/overviews/overview-plan.ts';
import { overviewsOf } from '../../values/overviews/read-overviews.ts';
import { readTraits } from '../../values/overviews/read-traits.ts';
import { TraceColumnsMaker } from '../../values/overviews/trace-columns.ts';
import type { Connection } from '../connection.ts';
import { aggregateCalls, isCounted } from './aggregate-calls.ts';
import type { CallReads } from './call-reads.ts';
import { isExactSort } from './exact-conditions.ts';
import { outlineColumns, outlineOfRow, type OutlineRow } from './outline-columns.ts';
import { printCallsOfPage, printInOrder } from './select-calls.ts';

const NO_BODIES: CallPlan['bodies'] = new Set();
const TRAIT_BODIES: CallPlan['bodies'] = new Set(['attributes', 'inputs', 'summary']);
const BY_ID: CallPlan['sort'] = [{ field: { kind: 'text', column: 'id' }, isDescending: false }];

/** Overviews from narrow columns. What is asked for that has none is found in calls that are read whole. */
export class ClickhouseOverviews implements OverviewReader {
  readonly #connection: Connection;
  readonly #reads: CallReads;
  readonly #calls: CallReader;
  readonly #whole: OverviewReader;

  constructor(connection: Connection, calls: CallReader, reads: CallReads) {
    this.#connection = connection;
    this.#reads = reads;
    this.#calls = calls;
    this.#whole = overviewsOf(calls);
  }

  async aggregate(plan: AggregatePlan, options: ReadOptions = {}): Promise<CallAggregate> {
    const { printed, evaluated } = await this.#reads.plan(selectionOfTimes(plan), options);
    const isNarrow = evaluated.length === 0 && (plan.facets ?? []).every(({ field }) => isCounted(field));
    if (!isNarrow) return await this.#whole.aggregate(plan, options);
    return await aggregateCalls(this.#connection, printed, plan, options);
  }

  async *outlines(plan: OutlinePlan, options: ReadOptions = {}): AsyncGenerator<readonly CallOutline[]> {
    const selection = selectionOfRest(plan);
    const { printed, evaluated } = await this.#reads.plan(selection, options);
    const columns = outlineColumns(plan.hasPreviews);
    if (plan.limit === 0) return;
    // Previews are made of bodies, which no sort carries.
    if (plan.hasPreviews || evaluated.length > 0 || !isExactSort(plan.sort)) {
      const { sort, limit, offset } = plan;
      const page = { sort, offset, bodies: NO_BODIES, ...(limit !== undefined && { limit }) };
      yield* this.#byKeys({ ...selection, ...page }, columns, options);
      return;
    }
    const selected = printInOrder(printed, plan, columns);
    // Traces are looked at by people, and no trace is as long as an export.
    const rows =
      plan.filter.traceIds === undefined
        ? this.#connection.stream<OutlineRow>(selected, options, plan.limit)
        : this.#connection.rows<OutlineRow>(selected, options);
    for await (const chunk of rows) yield chunk.map(outlineOfRow);
  }

  async *trace(plan: TracePlan, options: ReadOptions = {}): AsyncGenerator<TraceColumns> {
    const maker = new TraceColumnsMaker();
    for await (const chunk of this.outlines(outlinePlanOf(plan), options)) yield maker.take(chunk);
  }

  async traits(plan: TraitPlan, options: ReadOptions = {}): Promise<CallTraits> {
    const source = {
      ids: (selection: CallSelection) => this.#ids(selection, options),
      calls: (selection: CallSelection) =>
        this.#calls.query({ ...selection, sort: BY_ID, offset: 0, bodies: TRAIT_BODIES }, options),
    };
    return await readTraits(source, plan, options);
  }

  /** Keys are narrow, and most of them are all that is wanted. */
  async *#ids(selection: CallSelection, options: ReadOptions): AsyncGenerator<readonly string[]> {
    const plan = { ...selection, sort: BY_ID, offset: 0, bodies: NO_BODIES };
    for await (const keys of this.#reads.keys(plan, options)) yield keys.map(({ id }) => id);
  }

  async *#byKeys(plan: CallPlan, columns: string, options: ReadOptions): AsyncGenerator<readonly CallOutline[]> {
    for await (const keys of this.#reads.keys(plan, options)) {
      const rows = await this.#connection.all<OutlineRow>(printCallsOfPage(plan.projectId, keys, columns), options);
      const found = new Map(rows.map((row) => [row.id, row]));
      const outlines = keys.flatMap(({ id }) => {
        const row = found.get(id);
        return row === undefined ? [] : [outlineOfRow(row)];
      });
      if (outlines.length > 0) yield outlines;
    }
  }
}
