import { useMemo } from 'react';
import type { useCallRows } from '../../data/call-rows.ts';

/** The part of a query of pages that is needed to go on behind its last one. */
export type PagesQuery = Pick<
  ReturnType<typeof useCallRows>,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'isFetchPreviousPageError'
> &
  Readonly<Record<'fetchNextPage' | 'fetchPreviousPage' | 'refetch', () => unknown>>;

export interface More {
  /** Asks for the next page; `undefined` while there is nothing to ask for, and when it could not be read. */
  readonly loadMore: (() => void) | undefined;
  /** Reads again what could not be read: the next page alone, where it was that one. */
  readonly retry: () => void;
}

/** How a list goes on. A page that could not be read is asked for again by who reads the list, never by itself without end. */
export function useMore(query: PagesQuery): More {
  const { fetchNextPage, fetchPreviousPage, hasNextPage, refetch } = query;
  const { isFetchingNextPage, isFetchNextPageError, isFetchPreviousPageError } = query;
  return useMemo(
    () => ({
      loadMore: hasNextPage && !isFetchingNextPage && !isFetchNextPageError ? () => void fetchNextPage() : undefined,
      retry: () => {
        const again = isFetchNextPageError ? fetchNextPage : isFetchPreviousPageError ? fetchPreviousPage : refetch;
        void again();
      },
    }),
    [
      hasNextPage,
      isFetchingNextPage,
      isFetchNextPageError,
      isFetchPreviousPageError,
      fetchNextPage,
      fetchPreviousPage,
      refetch,
    ],
  );
}
