import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { CallsDifferencesRequest } from '../../../protocol/page/calls-differences.ts';
import type { CallsSelection, Differences } from '../../data/answers.ts';
import { ask } from '../../data/ask.ts';

/** The calls that are compared with others: of the same time, or those of another selection. */
export interface ComparedSelection {
  readonly selection: CallsSelection;
  readonly against?: CallsSelection;
}

/** Traits that calls have more or less often than others; those of the calls before, until these are there. */
export function useDifferences(compared: ComparedSelection): UseQueryResult<Differences> {
  return useQuery({
    queryKey: ['differences', compared],
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => ask<Differences>('/x/calls/differences', requestOf(compared), { signal }),
  });
}

function requestOf({ selection, against }: ComparedSelection): CallsDifferencesRequest {
  if (against === undefined) return selection;
  const { project_id: _project, time_zone: zone, ...others } = against;
  return { ...selection, time_zone: selection.time_zone ?? zone ?? null, against: others };
}
