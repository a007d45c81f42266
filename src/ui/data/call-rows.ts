import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { CallRow, CallsSelection, RowsAnswer } from './answers.ts';
import { ask } from './ask.ts';

/** Rows that are asked for at a time. */
export const PAGE_ROWS = 200;

export interface Sorting {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

/** Calls of a list, page after page. Scrolling on while a page is under way asks for it once. */
export function useCallRows(
  selection: CallsSelection | undefined,
  sorting: Sorting | undefined,
): UseInfiniteQueryResult<InfiniteData<RowsAnswer>> {
  return useInfiniteQuery({
    queryKey: ['rows', selection, sorting],
    // What was read before is shown at once, and read again.
    refetchOnMount: 'always',
    enabled: selection !== undefined,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      ask<RowsAnswer>(
        '/x/calls/rows',
        {
          ...selection,
          limit: PAGE_ROWS,
          ...(sorting && { sort_by: [sorting] }),
          ...(pageParam !== undefined && { cursor: pageParam }),
        },
        { signal },
      ),
    getNextPageParam: (answer) => answer.next_cursor ?? undefined,
  });
}

/** One row, for a call that is not in the list. */
export function useCallRow(projectId: string, id: string | undefined): UseQueryResult<CallRow | null> {
  return useQuery({
    queryKey: ['row', projectId, id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => {
      const { rows } = await ask<{ rows: readonly CallRow[] }>(
        '/x/calls/row',
        { project_id: projectId, ids: [id] },
        { signal },
      );
      return rows[0] ?? null;
    },
  });
}

/** The newest rows of a selection, for what arrived while the list was open. */
export async function newestRows(selection: CallsSelection, limit: number): Promise<readonly CallRow[]> {
  return (await ask<RowsAnswer>('/x/calls/rows', { ...selection, limit })).rows;
}

export async function deleteCalls(projectId: string, ids: readonly string[], keepalive = false): Promise<void> {
  await ask('/x/api/calls/delete', { project_id: projectId, call_ids: ids }, { keepalive });
}
