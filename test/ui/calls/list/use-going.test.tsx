import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useGoing } from '../../../../src/ui/calls/list/use-going.ts';
import { useShownCalls } from '../../../../src/ui/calls/list/use-shown-calls.ts';
import { WorksPlace } from '../../../../src/ui/calls/works.tsx';
import { createQueryClient } from '../../../../src/ui/data/query-client.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const PROJECT = 'local/app';

const rowOf = (id: string, second: number) => ({
  id,
  name: id,
  trace_id: id,
  parent_id: null,
  started_at: `2026-11-26T00:00:0${second}Z`,
  ended_at: null,
  models: [],
});

const [FIRST, OPEN, LAST] = [rowOf('first', 3), rowOf('open', 2), rowOf('last', 1)];

/** A list with the call that is open beside it, read from a service that finds what it is told to. */
function page() {
  let found = [FIRST, OPEN, LAST];
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json(url.endsWith('rows') ? { rows: found, next_cursor: null } : { count: found.length }),
  );
  history.replaceState(null, '', `?${new URLSearchParams({ q: '-has:feedback', t: 'all', sel: 'open', live: '0' })}`);
  const client = createQueryClient(() => undefined);
  const open = () =>
    renderHook(
      () => {
        const calls = useShownCalls(PROJECT);
        return { calls, going: useGoing(PROJECT, calls, null) };
      },
      {
        wrapper: ({ children }: { readonly children: ReactNode }) => (
          <QueryClientProvider client={client}>
            <WorksPlace>{children}</WorksPlace>
          </QueryClientProvider>
        ),
      },
    );
  return { open, find: (rows: (typeof FIRST)[]) => void (found = rows) };
}

const selected = (): string | null => new URLSearchParams(location.search).get('sel');

test.each([
  [1, 'last'],
  [-1, 'first'],
])('back from its trace, one goes on from the call that has left the list by its feedback: %i', async (by, next) => {
  const { open, find } = page();
  const before = open();
  await waitFor(() => expect(before.result.current.calls.rows).toHaveLength(3));
  before.unmount();
  find([FIRST, LAST]);
  const { result } = open();
  await waitFor(() => expect(result.current.calls.rows).toHaveLength(2));
  expect(result.current.going.canStep).toBe(true);
  act(() => result.current.going.step(by));
  expect(selected()).toBe(next);
});

test('where nothing is known of its place, or nothing is beside it, one cannot go on', async () => {
  const { open, find } = page();
  find([FIRST, LAST]);
  const { result, unmount } = open();
  await waitFor(() => expect(result.current.calls.rows).toHaveLength(2));
  expect(result.current.going.canStep).toBe(false);
  unmount();
  find([OPEN]);
  const alone = open();
  await waitFor(() => expect(alone.result.current.calls.rows).toHaveLength(1));
  alone.unmount();
  find([]);
  const none = open();
  await waitFor(() => expect(none.result.current.calls.rows).toHaveLength(0));
  expect(none.result.current.going.canStep).toBe(false);
});
