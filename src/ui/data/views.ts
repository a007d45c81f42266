import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
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

/** Saves a view. */
export function useSaveView(projectId: string): (view: ViewDraft) => Promise<View> {
  const client = useQueryClient();
  return async (view) => {
    const saved = await ask<{ view: View }>('/x/views/save', { project_id: projectId, view });
    await client.invalidateQueries({ queryKey: ['views', projectId] });
    return saved.view;
  };
}

/** Deletes a view by its id. */
export function useDeleteView(projectId: string): (id: string) => Promise<void> {
  const client = useQueryClient();
  return async (id) => {
    await ask('/x/views/delete', { project_id: projectId, id });
    await client.invalidateQueries({ queryKey: ['views', projectId] });
  };
}
