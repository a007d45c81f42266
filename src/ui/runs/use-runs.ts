import { type QueryKey, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { RunList } from '../data/answers.ts';
import { ask } from '../data/ask.ts';

/** Runs that are listed; the newest come first. */
const LISTED_RUNS = 100;

/** The key that the runs of a project are kept under. */
export function runsKey(projectId: string): QueryKey {
  return ['runs', projectId];
}

/** The newest runs of the programs of a project. */
export function useRuns(projectId: string): UseQueryResult<RunList> {
  return useQuery({
    queryKey: runsKey(projectId),
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      return await ask<RunList>('/x/runs/list', { project_id: projectId, limit: LISTED_RUNS }, { signal });
    },
  });
}
