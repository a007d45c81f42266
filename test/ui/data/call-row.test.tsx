import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useCallRow } from '../../../src/ui/data/call-rows.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an id that was looked up before its call came is found when it is looked up again', async () => {
  let rows: readonly object[] = [];
  vi.stubGlobal('fetch', async () => Response.json({ rows }));
  const client = createQueryClient(() => undefined);
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const first = renderHook(() => useCallRow('local/app', 'late'), { wrapper });
  await waitFor(() => expect(first.result.current.data).toBeNull());
  first.unmount();
  rows = [{ id: 'late' }];
  const again = renderHook(() => useCallRow('local/app', 'late'), { wrapper });
  await waitFor(() => expect(again.result.current.data).toEqual({ id: 'late' }));
});

test('an id that does not exist is looked for as long as its call may be on its way, and then no more', async () => {
  vi.useFakeTimers();
  let asked = 0;
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    return Response.json({ rows: [] });
  });
  const client = createQueryClient(() => undefined);
  renderHook(() => useCallRow('local/app', 'none'), {
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(asked).toBeGreaterThan(5);
  await act(() => vi.advanceTimersByTimeAsync(10 * 60_000));
  expect(asked).toBeLessThanOrEqual(15);
});
