import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { View } from './answers.ts';
import { ask } from './ask.ts';

export function useViews(projectId: string, isWanted = true): UseQueryResult<readonly View[]> {
  return useQuery({
    queryKey: ['views', projectId],
    // Others save views, too, as by the command line.
    refetchOnMount: 'always',
    enabled: isWanted,
    queryFn: async ({ signal }) =>
      (await ask<{ views: readonly View[] }>('/x/views/list', { project_id: projectId }, { signal })).views,
  });
}

export type ViewDraft = Pick<View, 'name' | 'query' | 'columns'> & { readonly id?: string };

export function useSaveView(projectId: string): UseMutationResult<View, Error, ViewDraft> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (view: ViewDraft) =>
      (await ask<{ view: View }>('/x/views/save', { project_id: projectId, view })).view,
    onSuccess: () => client.invalidateQueries({ queryKey: ['views', projectId] }),
  });
}

export function useDeleteView(projectId: string): UseMutationResult<unknown, Error, string> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ask('/x/views/delete', { project_id: projectId, id }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['views', projectId] }),
  });
}
