// docs/decisions/0039-columns-are-kept-by-segment.md says why.
import type { AggregatePlan, CallAggregate } from '../../contract/overviews.ts';
import type { RunSums, RunSumsPlan } from '../../contract/runs.ts';
import { bind, type Sql, sql } from '../../sql/sql.ts';
import { GrowingNumbers } from '../../values/overviews/growing-numbers.ts';
import type { DatabaseSync } from '../driver.ts';
import { aggregateCalls } from '../read/aggregate-calls.ts';
import { iterateSql } from '../read/iterate.ts';
import { withNames } from '../read/named-values.ts';
import { boundText, numberOf, textOfBlob } from '../read/text.ts';
import type { KeptColumns } from './kept-columns.ts';
import { MAX_GROUPS, selectByColumns, selectByKeys, selectByRuns, type SelectedSegment } from './selected-segments.ts';
import { columnOfField, countGroups, tallySegments } from './tally-columns.ts';
import { usageByGroup, usageOfSegments } from './usage-of-segments.ts';

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
  /** Throws when nobody waits any more. */
  readonly #check = () => void this.#database.prepare('SELECT spoor_go_on(0)').get();

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

  /** Adds up the calls of runs, in one pass over the segments of their times. */
  sumRuns({ projectId, ids }: RunSumsPlan): RunSums[] {
    const sums: RunSums[] = [];
    for (let from = 0; from < ids.length; from += MAX_GROUPS) {
      sums.push(...this.#sumSome(projectId, ids.slice(from, from + MAX_GROUPS)));
    }
    return sums;
  }

  #sumSome(projectId: string, ids: readonly string[]): RunSums[] {
    const project = this.#projectKey(projectId);
    const runs = this.#database
      .prepare(RUNS)
      .all(project, JSON.stringify(ids))
      .map((row) => ({
        id: textOfBlob(row['id']) ?? '',
        first: numberOf(row['first']) ?? 0,
        last: numberOf(row['last']) ?? 0,
      }));
    const segments = selectByRuns(this.#kept, { project, runs }, this.#check);
    const usageOf = usageByGroup(this.#database, this.#kept, segments);
    const counts = countGroups(segments, runs.length);
    return runs.flatMap(({ id }, index) => {
      const counted = counts[index];
      return counted === undefined || counted.count === 0 ? [] : [{ id, ...counted, ...usageOf(index + 1) }];
    });
  }

  /** Undefined: there are few. */
  #select({ projectId, keys, plan, choice }: AggregateQuery): SelectedSegment[] | undefined {
    if (choice === 'some') {
      const chosen = this.#numbersOf(keys);
      return chosen.length < this.#fewCalls ? undefined : selectByKeys(this.#kept, chosen, this.#check);
    }
    if (this.#areFew(keys)) return undefined;
    const project = this.#projectKey(projectId);
    return selectByColumns(this.#kept, { ...plan, project, rootsOnly: choice === 'roots' }, this.#check);
  }

  #projectKey(projectId: string): number {
    const project = this.#database.prepare('SELECT pk FROM project WHERE name = CAST(? AS TEXT)');
    return numberOf(project.get(boundText(projectId))?.['pk']) ?? 0;
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

const RUNS = `SELECT CAST(id AS BLOB) AS id, first, last FROM process_run
WHERE project = ? AND id IN (SELECT value FROM json_each(?)) AND first IS NOT NULL`;
