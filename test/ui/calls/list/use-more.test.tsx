import { QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { afterEach, expect, test } from 'vitest';
import { useMore } from '../../../../src/ui/calls/list/use-more.ts';

afterEach(cleanup);

test('a next page that cannot be read is asked for once, and again when somebody says so', async () => {
  const asked: number[] = [];
  let isAway = true;
  const read = ({ pageParam }: { pageParam: number }): Promise<number> => {
    asked.push(pageParam);
    return pageParam > 0 && isAway ? Promise.reject(new Error('away')) : Promise.resolve(pageParam);
  };
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const around = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => {
      const query = useInfiniteQuery({
        queryKey: ['pages'],
        queryFn: read,
        initialPageParam: 0,
        getNextPageParam: (last) => (last < 1 ? last + 1 : undefined),
      });
      const more = useMore(query);
      // As the list does it at its end.
      useEffect(() => more.loadMore?.(), [more.loadMore]);
      return { ...more, query };
    },
    { wrapper: around },
  );
  await waitFor(() => expect(result.current.query.isFetchNextPageError).toBe(true));
  for (let turn = 0; turn < 20; turn += 1) await act(async () => undefined);
  expect(asked).toEqual([0, 1]);
  isAway = false;
  act(() => result.current.retry());
  await waitFor(() => expect(result.current.query.data?.pages).toEqual([0, 1]));
  expect(asked).toEqual([0, 1, 1]);
});
