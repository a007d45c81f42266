import { QueryClient, QueryClientProvider, type QueryFunction, useQuery } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useRefresh } from '../../../../src/ui/calls/list/use-refresh.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('sums that take long come while calls come all the time, and the last one has all', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  let calls = 0;
  const sum = ({ signal }: { signal: AbortSignal }): Promise<number> =>
    new Promise((resolve, reject) => {
      const counted = calls;
      signal.addEventListener('abort', () => reject(new Error('no more')));
      setTimeout(() => resolve(counted), 5000);
    });
  const result = renderRefresh(client, ['sums'], sum);
  const shown = new Set<number | undefined>();
  for (let second = 0; second < 40; second += 1) {
    calls += 1;
    act(() => result.current.refresh());
    await act(() => vi.advanceTimersByTimeAsync(1000));
    shown.add(result.current.read);
  }
  expect(shown.size).toBeGreaterThan(4);
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(result.current.read).toBe(calls);
});

test('what was stopped before it came stays so, however often something changes', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  let asked = 0;
  const turns = ({ signal }: { signal: AbortSignal }): Promise<number> =>
    new Promise((resolve, reject) => {
      asked += 1;
      signal.addEventListener('abort', () => reject(new Error('no more')));
      setTimeout(() => resolve(asked), 5000);
    });
  const result = renderRefresh(client, ['turns'], turns);
  act(() => result.current.refresh());
  await act(() => client.cancelQueries({ queryKey: ['turns'] }));
  for (let second = 0; second < 10; second += 1) {
    await act(() => vi.advanceTimersByTimeAsync(1000));
    act(() => result.current.refresh());
  }
  expect(asked).toBe(1);
  act(() => void client.refetchQueries({ queryKey: ['turns'] }));
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(result.current.read).toBe(2);
  act(() => result.current.refresh());
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(result.current.read).toBeGreaterThan(2);
});

function renderRefresh(client: QueryClient, queryKey: readonly string[], queryFn: QueryFunction<number>) {
  const { result } = renderHook(
    () => ({ refresh: useRefresh(queryKey, 2000), read: useQuery({ queryKey, queryFn }).data }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  return result;
}
