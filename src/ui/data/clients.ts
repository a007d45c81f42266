import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Client } from './answers.ts';
import { ask } from './ask.ts';

/** Programs that send to the service, and what it knows of each. */
export function useClients(projectId: string | undefined, refetchMs: number): UseQueryResult<readonly Client[]> {
  return useQuery({
    queryKey: ['clients', projectId],
    queryFn: async ({ signal }) => {
      const body = projectId === undefined ? {} : { project_id: projectId };
      return (await ask<{ clients: readonly Client[] }>('/x/clients', body, { signal })).clients;
    },
    refetchInterval: refetchMs,
  });
}
