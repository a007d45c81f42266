import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useWaitingCount } from '../../../../src/ui/calls/list/use-waiting-count.ts';
import { wantedCalls } from '../../../../src/ui/calls/list/wanted-calls.ts';
import type { CallRow } from '../../../../src/ui/data/answers.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PROJECT = 'local/app';

function row(id: string, cost: number, startedAt = '2026-11-26T00:00:00Z'): CallRow {
  return {
    id,
    name: id,
    cost,
    tokens: null,
    models: [],
    state: 'success',
    started_at: startedAt,
  } as unknown as CallRow;
}

interface Given {
  readonly q: string;
  readonly waiting: readonly CallRow[];
  readonly newest?: readonly CallRow[];
}

/** Counts what waits, beside a service that knows of `known` calls from the newest shown one on. */
function count({ q, waiting, newest }: Given, known?: number) {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    asked.push(JSON.parse(typeof body === 'string' ? body : ''));
    return Response.json({ count: known });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wanted = wantedCalls({ project: PROJECT, q, t: 'all', roots: false, now: 0 });
  const list = { waiting, hasMoreWaiting: known !== undefined, newest };
  const { result } = renderHook(() => useWaitingCount({ project: PROJECT, list, wanted }), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  return { result, asked };
}

test('what the filter leaves out does not wait', () => {
  const waiting = [row('dear', 2), row('cheap', 0.1), row('dearer', 3)];
  expect(count({ q: '', waiting }).result.current).toEqual({ count: 3, isAtLeast: false });
  expect(count({ q: 'cost>1', waiting }).result.current).toEqual({ count: 2, isAtLeast: false });
  expect(count({ q: 'cost>5', waiting }).result.current).toEqual({ count: 0, isAtLeast: false });
});

test('of more than are kept the service counts those that the filter means', async () => {
  const newest = [row('shown', 2), row('left out', 0.1), row('before', 2, '2026-11-25T00:00:00Z')];
  const { result, asked } = count({ q: 'cost>1', waiting: [row('dear', 2), row('cheap', 0.1)], newest }, 40);
  expect(result.current).toEqual({ count: 1, isAtLeast: true });
  // One of them is shown.
  await waitFor(() => expect(result.current).toEqual({ count: 39, isAtLeast: false }));
  expect(asked[0]).toMatchObject({ where: 'cost>1', started_after: '2026-11-26T00:00:00Z' });
});
