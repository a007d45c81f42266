// docs/decisions/0039-columns-are-kept-by-segment.md says why.
import type { AggregatePlan, CallAggregate } from '../../contract/overviews.ts';
import { bind, type Sql, sql } from '../../sql/sql.ts';
import { GrowingNumbers } from '../../values/overviews/growing-numbers.ts';
import type { DatabaseSync } from '../driver.ts';
import { aggregateCalls } from '../read/aggregate-calls.ts';
import { iterateSql } from '../read/iterate.ts';
import { withNames } from '../read/named-values.ts';
import { boundText, numberOf } from '../read/text.ts';
import type { KeptColumns } from './kept-columns.ts';
import { selectByColumns, selectByKeys, type SelectedSegment } from './selected-segments.ts';
import { columnOfField, tallySegments } from './tally-columns.ts';
import { usageOfSegments } from './usage-of-segments.ts';

/** Fewer calls are read one by one, sooner than all that is around them. */
export const FEW_CALLS = 4000;

/** The calls to add up: their keys, and whether a filter or condition chooses among those of a time. */
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
    if (choice === 'some') {
      const chosen = this.#numbersOf(keys);
      return chosen.length < this.#fewCalls ? undefined : selectByKeys(this.#kept, chosen, check);
    }
    if (this.#areFew(keys)) return undefined;
    const project = this.#database.prepare('SELECT pk FROM project WHERE name = CAST(? AS TEXT)');
    const pk = numberOf(project.get(boundText(projectId))?.['pk']) ?? 0;
    return selectByColumns(this.#kept, { ...plan, project: pk, rootsOnly: choice === 'roots' }, check);
  }

  #numbersOf(keys: Sql): Float64Array {
    const found = new GrowingNumbers();
    for (const { pk } of iterateSql(this.#database, keys)) found.push(numberOf(pk) ?? 0);
    return found.all;
  }

  /** Counted where they are found: rows take the driver ten times as long. */
  #areFew(keys: Sql): boolean {
    const { text, values } = withNames(
      sql`SELECT count(*) AS count FROM (SELECT 1 FROM (${keys}) LIMIT ${bind(this.#fewCalls)})`,
    );
    return (numberOf(this.#database.prepare(text).get(values)?.['count']) ?? 0) < this.#fewCalls;
  }
}
