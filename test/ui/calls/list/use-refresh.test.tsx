// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
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
  const { result } = renderHook(
    () => ({ refresh: useRefresh(['sums'], 2000), sums: useQuery({ queryKey: ['sums'], queryFn: sum }).data }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  const shown = new Set<number | undefined>();
  for (let second = 0; second < 40; second += 1) {
    calls += 1;
    act(() => result.current.refresh());
    await act(() => vi.advanceTimersByTimeAsync(1000));
    shown.add(result.current.sums);
  }
  expect(shown.size).toBeGreaterThan(4);
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  expect(result.current.sums).toBe(calls);
});
