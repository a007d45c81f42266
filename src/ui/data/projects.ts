import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Project } from './answers.ts';
import { ask } from './ask.ts';

/** Projects that this session may see, the one with the newest call first. */
export function useProjects(refetchMs?: number): UseQueryResult<readonly Project[]> {
  return useQuery({
    queryKey: ['projects'],
    // There may be a new one, and the list says how many calls each has.
    refetchOnMount: 'always',
    queryFn: async ({ signal }) =>
      (await ask<{ projects: readonly Project[] }>('/x/projects', undefined, { signal })).projects,
    refetchInterval: refetchMs ?? false,
  });
}
