import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { type ReactNode, useMemo } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useList } from '../../../../src/ui/calls/list/use-list.ts';
import { wantedCalls } from '../../../../src/ui/calls/list/wanted-calls.ts';
import { useCallsStats } from '../../../../src/ui/data/calls-stats.ts';
import { createQueryClient } from '../../../../src/ui/data/query-client.ts';
import { tellGone, tellTouched } from '../../../../src/ui/data/touched-calls.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const PROJECT = 'local/app';

const ROW = { id: 'a', name: 'a', parent_id: null, started_at: '2026-11-26T00:00:00Z', ended_at: null, models: [] };

interface Body {
  readonly filter?: { readonly call_ids?: readonly string[] };
  readonly query?: unknown;
}

/** What was asked for: by the last word of the path, and of calls by their ids whether they are of the filter. */
function printQuestion(url: string, { filter, query }: Body): string {
  const path = url.split('/').at(-1) ?? '';
  if (filter?.call_ids === undefined) return path;
  return `${filter.call_ids.join()}${query === undefined ? '' : ' of the filter'}`;
}

interface Shown {
  readonly q: string;
  readonly isLookedAt?: boolean;
  readonly isHeld?: boolean;
}

/** A list of one call by a filter. `hasMore`: it has another page when it is read first. */
async function listOf(first: Shown, hasMore = false) {
  const asked: string[] = [];
  let found: readonly object[] = [ROW];
  let isRefused = false;
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    asked.push(printQuestion(url, JSON.parse(body as string) as Body));
    if (isRefused) return Response.json({ reason: 'no', error_code: 'forbidden' }, { status: 403 });
    const next = hasMore && asked.filter((each) => each === 'rows').length === 1 ? 'next' : null;
    return Response.json(url.endsWith('stats') ? { count: found.length } : { rows: found, next_cursor: next });
  });
  const client = createQueryClient(() => undefined);
  const sorting = { field: 'started_at', direction: 'desc' } as const;
  const sight = () => ({ first: 0, focused: -1 });
  const { result, rerender } = renderHook(
    ({ q, isLookedAt = false, isHeld = isLookedAt }: Shown) => {
      const { selection, sums } = useMemo(
        () => wantedCalls({ project: PROJECT, q, t: 'all', roots: false, now: 0 }),
        [q],
      );
      const all = { isLive: false, keepsAll: false, isHeld, isLookedAt };
      const list = useList({ project: PROJECT, selection, sums, sorting, sight, ...all });
      return { list, stats: useCallsStats(sums) };
    },
    {
      initialProps: first,
      wrapper: ({ children }: { readonly children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  await waitFor(() => expect([result.current.list.rows.length, result.current.stats.data?.count]).toEqual([1, 1]));
  asked.length = 0;
  return {
    asked,
    show: (next: Partial<Shown>) => rerender({ ...first, ...next }),
    /** From here on the service finds these. */
    find: (rows: readonly object[]) => void (found = rows),
    /** From here on the service refuses to answer, or not. */
    refuse: (is: boolean) => void (isRefused = is),
    loadMore: () => result.current.list.loadMore?.(),
    ids: () => result.current.list.rows.map(({ id }) => id),
  };
}

const later = () => act(async () => void (await vi.advanceTimersByTimeAsync(10_000)));

test('where feedback decides who is in a list, calls that got some are asked about, and its sums', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { asked, find, ids } = await listOf({ q: '-has:feedback' });
  find([]);
  act(() => tellTouched(PROJECT, ['a']));
  await later();
  expect(asked.toSorted()).toEqual(['a of the filter', 'stats']);
  expect(ids()).toEqual([]);
  // It was taken back.
  find([ROW]);
  act(() => tellTouched(PROJECT, ['a']));
  await waitFor(() => expect(ids()).toEqual(['a']));
});

test('a call that belongs to a list since it got feedback comes to it', async () => {
  const { find, ids } = await listOf({ q: 'has:feedback' });
  const other = { ...ROW, id: 'b', started_at: '2026-11-26T00:00:01Z' };
  find([other]);
  act(() => tellTouched(PROJECT, ['b']));
  await waitFor(() => expect(ids()).toEqual(['b', 'a']));
});

test('many calls that get feedback one after another have sums read once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { asked } = await listOf({ q: 'feedback.score<0.5' });
  for (const id of ['a', 'b', 'c']) act(() => tellTouched(PROJECT, [id]));
  await later();
  expect(asked.filter((question) => question === 'stats')).toHaveLength(1);
});

test('while one is looked at a call that got feedback stays where it is, and is asked about after that', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { asked, show, find, ids } = await listOf({ q: '-has:feedback', isLookedAt: true });
  act(() => tellTouched(PROJECT, ['a']));
  await later();
  // The call itself, for its thumbs.
  expect(asked.toSorted()).toEqual(['a', 'stats']);
  expect(ids()).toEqual(['a']);
  find([]);
  show({ isLookedAt: false });
  await later();
  expect(asked.toSorted()).toEqual(['a', 'a of the filter', 'stats']);
  expect(ids()).toEqual([]);
});

test('in a list that was scrolled, a call leaves at once: nobody reads it any more', async () => {
  const { find, ids } = await listOf({ q: '-has:feedback', isHeld: true });
  find([]);
  act(() => tellTouched(PROJECT, ['a']));
  await waitFor(() => expect(ids()).toEqual([]));
});

test('a list that one comes back to is read again, if feedback was given meanwhile', async () => {
  const { asked, show, find, ids } = await listOf({ q: '-has:feedback' });
  show({ q: 'op:a' });
  await waitFor(() => expect(asked.toSorted()).toEqual(['rows', 'stats']));
  act(() => tellTouched(PROJECT, ['a']));
  find([]);
  show({});
  await waitFor(() => expect(ids()).toEqual([]));
});

test('so is one of which another page was read since', async () => {
  const { show, find, loadMore, ids } = await listOf({ q: '-has:feedback' }, true);
  find([]);
  act(() => tellTouched(PROJECT, ['a']));
  await waitFor(() => expect(ids()).toEqual([]));
  find([{ ...ROW, id: 'b' }]);
  act(() => loadMore());
  await waitFor(() => expect(ids()).toEqual(['b']));
  show({ q: 'op:a' });
  await waitFor(() => expect(ids()).toEqual(['b']));
  show({});
  await act(async () => undefined);
  await waitFor(() => expect(ids()).toEqual(['b']));
});

test('a call that could not be asked about is asked about with the next one', async () => {
  const { asked, refuse, find, ids } = await listOf({ q: '-has:feedback' });
  refuse(true);
  act(() => tellTouched(PROJECT, ['a']));
  await waitFor(() => expect(asked).toContain('a of the filter'));
  await act(async () => undefined);
  expect(ids()).toEqual(['a']);
  refuse(false);
  find([]);
  act(() => tellTouched(PROJECT, ['b']));
  await waitFor(() => expect(asked).toContain('a,b of the filter'));
  await waitFor(() => expect(ids()).toEqual([]));
});

test('so it is when nothing is looked at any more', async () => {
  const { asked, refuse, show, find, ids } = await listOf({ q: '-has:feedback', isLookedAt: true });
  act(() => tellTouched(PROJECT, ['a']));
  await waitFor(() => expect(asked).toContain('a'));
  refuse(true);
  show({ isLookedAt: false });
  await waitFor(() => expect(asked).toContain('a of the filter'));
  await act(async () => undefined);
  refuse(false);
  find([]);
  show({ isLookedAt: true });
  show({ isLookedAt: false });
  await waitFor(() => expect(ids()).toEqual([]));
});

test('where it does not, the call alone is read again', async () => {
  const { asked } = await listOf({ q: 'op:a' });
  act(() => tellTouched(PROJECT, ['a', 'elsewhere']));
  await waitFor(() => expect(asked).toEqual(['a']));
  await act(async () => undefined);
  expect(asked).toEqual(['a']);
});

test('a call that is deleted here leaves the list, also where it is not live', async () => {
  const { asked, ids } = await listOf({ q: 'op:a' });
  act(() => tellGone(PROJECT, ['a', 'elsewhere']));
  expect(ids()).toEqual([]);
  expect(asked).toEqual([]);
});
