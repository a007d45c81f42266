import { useMemo } from 'react';
import type { BeyondCondition } from '../../../filter/condition.ts';
import { meetsBeyond, queriesOf } from '../../../filter/meets-beyond.ts';
import type { CallRow } from '../../data/answers.ts';
import { type MetQuery, useMetQueries } from '../../data/met-queries.ts';

/** Those of some rows that meet what the service could not be asked of all; without such conditions, all of them. */
export function useRowsBeyond(
  project: string,
  rows: readonly CallRow[],
  conditions: readonly BeyondCondition[],
): readonly CallRow[] {
  const queries = useMemo(() => conditions.flatMap(queriesOf), [conditions]);
  const meetsQuery = useMetQueries(project, rows, queries);
  return useMemo(() => {
    const isKnown = (row: CallRow) => queries.every((query) => meetsQuery(row, query) !== undefined);
    return rows.filter((row) => isKnown(row) && conditions.every((each) => isMet(each, row, meetsQuery)));
  }, [rows, queries, conditions, meetsQuery]);
}

function isMet(condition: BeyondCondition, row: CallRow, meetsQuery: MetQuery): boolean {
  const facts = {
    tokens: row.tokens === null ? null : { input: row.tokens_in ?? 0, output: row.tokens_out ?? 0, total: row.tokens },
    cost: row.cost,
    models: row.models,
    state: row.state,
  };
  return meetsBeyond(condition, facts, (query) => meetsQuery(row, query) === true);
}
