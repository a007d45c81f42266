import type {
  AggregatePlan,
  CallAggregate,
  CallOutline,
  OutlinePlan,
  OverviewReader,
  TracePlan,
} from '../../contract/overviews.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { TraceColumns } from '../../contract/trace-columns.ts';
import type { CallTraits, TraitPlan } from '../../contract/traits.ts';
import { unpackOutlines } from '../../packed/packed-outlines.ts';
import type { Dialect } from '../../sql/dialect.ts';
import { outlinePlanOf, selectionOfRest, selectionOfTimes } from '../../values/overviews/overview-plan.ts';
import type { Reads } from '../threads/reads.ts';
import { sentKeys, sentUnsortedKeys } from './planned-statement.ts';
import { readStream } from './read-stream.ts';

/** Overviews, as requests to the reading threads. */
export class SqliteOverviews implements OverviewReader {
  readonly #reads: Reads;
  readonly #dialect: Dialect;

  constructor(reads: Reads, dialect: Dialect) {
    this.#reads = reads;
    this.#dialect = dialect;
  }

  async aggregate(plan: AggregatePlan, options: ReadOptions = {}): Promise<CallAggregate> {
    const { projectId, startedAfter, startedBefore, histogram, facets = [] } = plan;
    const asked = {
      ...(startedAfter !== undefined && { startedAfter }),
      ...(startedBefore !== undefined && { startedBefore }),
      ...(histogram && { histogram }),
      facets,
    };
    const keys = sentUnsortedKeys(selectionOfTimes(plan), this.#dialect);
    const request = { op: 'aggregate', projectId, keys, plan: asked, choice: choiceOf(plan) } as const;
    return await this.#reads.send(request, options);
  }

  async *outlines(plan: OutlinePlan, options: ReadOptions = {}): AsyncGenerator<readonly CallOutline[]> {
    const { sort, limit, offset, hasPreviews } = plan;
    const page = { sort, offset, bodies: NO_BODIES, ...(limit !== undefined && { limit }) };
    const keys = sentKeys({ ...selectionOfRest(plan), ...page }, this.#dialect);
    yield* readStream(this.#reads, { op: 'openOutlines', keys, hasPreviews }, unpackOutlines, options);
  }

  async *trace(plan: TracePlan, options: ReadOptions = {}): AsyncGenerator<TraceColumns> {
    const { filter, sort, offset } = outlinePlanOf(plan);
    const keys = sentKeys({ projectId: plan.projectId, filter, sort, offset, bodies: NO_BODIES }, this.#dialect);
    for await (const chunks of readStream(this.#reads, { op: 'openTrace', keys }, columnsOf, options)) yield* chunks;
  }

  async traits(plan: TraitPlan, options: ReadOptions = {}): Promise<CallTraits> {
    const { projectId, filter, condition, without, limit } = plan;
    const keys = sentUnsortedKeys({ projectId, filter, ...(condition && { condition }) }, this.#dialect);
    const request = { op: 'traits', keys, limit } as const;
    return await this.#reads.send(
      without === undefined ? request : { ...request, without: sentUnsortedKeys(without, this.#dialect) },
      options,
    );
  }
}

function columnsOf(columns: TraceColumns): TraceColumns[] {
  return [columns];
}

/** Filters of a plan are either there or not: lists of it are never empty. */
function choiceOf({ filter, condition }: AggregatePlan): 'all' | 'roots' | 'some' {
  const { rootsOnly, ...others } = filter;
  const isChosen = condition !== undefined || Object.values(others).some((list) => list !== undefined);
  if (isChosen) return 'some';
  return rootsOnly === true ? 'roots' : 'all';
}

const NO_BODIES: ReadonlySet<never> = new Set();
