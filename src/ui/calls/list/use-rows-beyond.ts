import { useMemo } from 'react';
import type { BeyondCondition } from '../../../filter/condition.ts';
import { meetsBeyond, queriesOf } from '../../../filter/meets-beyond.ts';
import type { CallRow } from '../../data/answers.ts';
import { type MetQueries, type MetQueriesOptions, useMetQueries } from '../../data/met-queries.ts';

export interface RowsBeyond extends Pick<MetQueries, 'error' | 'retry'> {
  readonly rows: readonly CallRow[];
  /** Are there rows of which the service has not said yet whether they belong to the list? */
  readonly isAsking: boolean;
}

interface RowsBeyondOptions extends Omit<MetQueriesOptions, 'queries'> {
  readonly conditions: readonly BeyondCondition[];
}

/** Those of some rows that meet what the service could not be asked of all; without such conditions, all of them. */
export function useRowsBeyond({ conditions, ...options }: RowsBeyondOptions): RowsBeyond {
  const { rows } = options;
  const queries = useMemo(() => conditions.flatMap(queriesOf), [conditions]);
  const { meets, error, retry } = useMetQueries({ ...options, queries });
  return useMemo(() => {
    const known = rows.filter((row) => queries.every((query) => meets(row, query) !== undefined));
    const met = known.filter((row) => conditions.every((each) => isMet(each, row, meets)));
    return { rows: met, isAsking: error === null && known.length < rows.length, error, retry };
  }, [rows, queries, conditions, meets, error, retry]);
}

function isMet(condition: BeyondCondition, row: CallRow, meets: MetQueries['meets']): boolean {
  const facts = {
    tokens: row.tokens === null ? null : { input: row.tokens_in ?? 0, output: row.tokens_out ?? 0, total: row.tokens },
    cost: row.cost,
    models: row.models,
    state: row.state,
  };
  return meetsBeyond(condition, facts, (query) => meets(row, query) === true);
}
