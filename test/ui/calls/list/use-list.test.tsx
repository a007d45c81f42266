// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useList } from '../../../../src/ui/calls/list/use-list.ts';
import { wantedCalls } from '../../../../src/ui/calls/list/wanted-calls.ts';
import { useCallsStats } from '../../../../src/ui/data/calls-stats.ts';
import { createQueryClient } from '../../../../src/ui/data/query-client.ts';
import { tellGone, tellTouched } from '../../../../src/ui/data/touched-calls.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PROJECT = 'local/app';

/** A list of one call by a filter. Answers what the service is asked, by the last word of its path. */
async function listOf(q: string) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    const { filter } = JSON.parse(body as string) as { readonly filter?: { readonly call_ids?: readonly string[] } };
    asked.push(filter?.call_ids === undefined ? (url.split('/').at(-1) ?? '') : filter.call_ids.join());
    const row = { id: 'a', name: 'a', parent_id: null, started_at: '2026-11-26T00:00:00Z', ended_at: null, models: [] };
    return Response.json(url.endsWith('stats') ? { count: 1 } : { rows: [row], next_cursor: null });
  });
  const client = createQueryClient(() => undefined);
  const { selection, sums } = wantedCalls({ project: PROJECT, q, t: 'all', roots: false, now: 0 });
  const sorting = { field: 'started_at', direction: 'desc' } as const;
  const sight = () => ({ first: 0, focused: -1 });
  const { result } = renderHook(
    () => {
      const stats = useCallsStats(sums);
      const all = { isLive: false, isHeld: false, keepsAll: false };
      return { list: useList({ project: PROJECT, selection, sums, sorting, sight, ...all }), stats };
    },
    {
      wrapper: ({ children }: { readonly children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  await waitFor(() => expect([result.current.list.rows.length, result.current.stats.data?.count]).toEqual([1, 1]));
  asked.length = 0;
  return { asked, ids: () => result.current.list.rows.map(({ id }) => id) };
}

test('where feedback decides who is in a list, all of it and its sums are read again when some is given', async () => {
  const { asked } = await listOf('feedback.score<0.5');
  act(() => tellTouched(PROJECT, ['elsewhere']));
  await waitFor(() => expect(asked.toSorted()).toEqual(['rows', 'stats']));
});

test('where it does not, the call alone is read again', async () => {
  const { asked } = await listOf('op:a');
  act(() => tellTouched(PROJECT, ['a', 'elsewhere']));
  await waitFor(() => expect(asked).toEqual(['a']));
  await act(async () => undefined);
  expect(asked).toEqual(['a']);
});

test('a call that is deleted here leaves the list, also where it is not live', async () => {
  const { asked, ids } = await listOf('op:a');
  act(() => tellGone(PROJECT, ['a', 'elsewhere']));
  expect(ids()).toEqual([]);
  expect(asked).toEqual([]);
});
