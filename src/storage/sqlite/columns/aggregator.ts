// docs/decisions/0039-columns-are-kept-by-segment.md says why.
import type { AggregatePlan, CallAggregate } from '../../contract/overviews.ts';
import type { Sql } from '../../sql/sql.ts';
import { GrowingNumbers } from '../../values/overviews/growing-numbers.ts';
import type { DatabaseSync } from '../driver.ts';
import { aggregateCalls } from '../read/aggregate-calls.ts';
import { iterateSql } from '../read/iterate.ts';
import { boundText, numberOf } from '../read/text.ts';
import type { KeptColumns } from './kept-columns.ts';
import { selectByColumns, selectByKeys, type SelectedSegment } from './selected-segments.ts';
import { columnOfField, tallySegments } from './tally-columns.ts';
import { usageOfSegments } from './usage-of-segments.ts';

/** Fewer calls are read one by one, sooner than all that is around them. */
export const FEW_CALLS = 4000;

/** What is to be added up: the keys of the calls, and whether a filter or condition chooses among those of a time. */
export interface AggregateQuery {
  readonly projectId: string;
  readonly keys: Sql;
  readonly plan: Pick<AggregatePlan, 'startedAfter' | 'startedBefore' | 'histogram' | 'facets'>;
  readonly choice: 'all' | 'roots' | 'some';
}

/** Adds up calls on one connection, inside a transaction: few one by one, many by the columns of their segments. */
export class Aggregator {
  readonly #database: DatabaseSync;
  readonly #fewCalls: number;
  readonly #kept: KeptColumns;

  constructor(database: DatabaseSync, kept: KeptColumns, fewCalls = FEW_CALLS) {
    this.#database = database;
    this.#kept = kept;
    this.#fewCalls = fewCalls;
  }

  aggregate(query: AggregateQuery): CallAggregate {
    const plan: AggregatePlan = { ...query.plan, projectId: query.projectId, filter: {} };
    const hasColumns = (plan.facets ?? []).every(({ field }) => columnOfField(field) !== undefined);
    const segments = hasColumns ? this.#select(query) : undefined;
    if (segments === undefined) return aggregateCalls(this.#database, query.projectId, query.keys, plan);
    return tallySegments(plan, segments, usageOfSegments(this.#database, this.#kept, segments));
  }

  /** Undefined: there are few. */
  #select({ projectId, keys, plan, choice }: AggregateQuery): SelectedSegment[] | undefined {
    const check = () => void this.#database.prepare('SELECT spoor_go_on(0)').get();
    const first = this.#firstKeys(keys, choice === 'some' ? Infinity : this.#fewCalls);
    if (first.length < this.#fewCalls) return undefined;
    if (choice === 'some') return selectByKeys(this.#kept, first, check);
    const project = this.#database.prepare('SELECT pk FROM project WHERE name = CAST(? AS TEXT)');
    const pk = numberOf(project.get(boundText(projectId))?.['pk']) ?? 0;
    return selectByColumns(this.#kept, { ...plan, project: pk, rootsOnly: choice === 'roots' }, check);
  }

  #firstKeys(keys: Sql, limit: number): Float64Array {
    const found = new GrowingNumbers();
    for (const { pk } of iterateSql(this.#database, keys)) {
      found.push(numberOf(pk) ?? 0);
      if (found.all.length >= limit) break;
    }
    return found.all;
  }
}
