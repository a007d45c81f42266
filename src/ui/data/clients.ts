import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Client } from './answers.ts';
import { useIsPaused } from './as-of.ts';
import { ask } from './ask.ts';

/** Programs that send to the service, and what it knows of each; read again every so often but on a page that is paused. */
export function useClients(projectId: string | undefined, refetchMs: number): UseQueryResult<readonly Client[]> {
  const isPaused = useIsPaused();
  return useQuery({
    queryKey: ['clients', projectId],
    queryFn: async ({ signal }) => {
      const body = projectId === undefined ? {} : { project_id: projectId };
      return (await ask<{ clients: readonly Client[] }>('/x/clients', body, { signal })).clients;
    },
    refetchInterval: isPaused ? false : refetchMs,
  });
}
