import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Call } from '../../protocol/call.ts';
import { ask } from './ask.ts';

/** A whole call, with its inputs and its output. */
export function useCall(projectId: string, id: string): UseQueryResult<Call | null> {
  return useQuery({
    queryKey: ['call', projectId, id],
    queryFn: async ({ signal }) =>
      (await ask<{ call: Call | null }>('/x/api/call/read', { project_id: projectId, id }, { signal })).call,
  });
}
