import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { LISTED_TURNS, useTurns } from '../../../src/ui/data/threads.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The service's side: a thread of some turns, page after page. */
function serve(turns: number): void {
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    const { limit, cursor } = JSON.parse(typeof body === 'string' ? body : '') as { limit: number; cursor?: string };
    const from = Number(cursor ?? 0);
    const to = Math.min(turns, from + limit);
    const rows = Array.from({ length: to - from }, (_, index) => ({ id: `turn-${from + index}` }));
    return Response.json({ rows, next_cursor: to < turns ? String(to) : null });
  });
}

async function read(turns: number) {
  serve(turns);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { result } = renderHook(() => useTurns('local/app', 'thread'), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  await waitFor(() => expect(result.current.data).toBeDefined(), { timeout: 20_000 });
  return result.current.data;
}

test('a long thread is read to its end', async () => {
  const data = await read(2500);
  expect(data?.rows.map(({ id }) => id)).toEqual(Array.from({ length: 2500 }, (_, index) => `turn-${index}`));
  expect(data?.isCut).toBe(false);
});

test('a thread of more turns than are shown says that it is cut', async () => {
  const data = await read(LISTED_TURNS + 1);
  expect(data?.rows).toHaveLength(LISTED_TURNS);
  expect(data?.isCut).toBe(true);
});
