import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useShownCalls } from '../../../../src/ui/calls/list/use-shown-calls.ts';
import { WorksPlace } from '../../../../src/ui/calls/works.tsx';
import { createQueryClient } from '../../../../src/ui/data/query-client.ts';

/** A stream that is open at once, and tells what the test says. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static readonly open = new Set<Stream>();

  constructor() {
    super();
    Stream.open.add(this);
    setTimeout(() => this.dispatchEvent(new Event('open')));
  }

  close(): void {
    Stream.open.delete(this);
  }
}

function tell(name: 'call' | 'gone', data: object): void {
  for (const stream of Stream.open) stream.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
}

const MINUTE = 60_000;

let began = Date.parse('2026-11-26T10:00:00Z');
const startOfRange = () => began - 15 * MINUTE;

beforeEach(() => {
  // Time is taken for the same for a while, also by the next test.
  began += 60 * MINUTE;
  vi.useFakeTimers({ now: began });
  vi.stubGlobal('EventSource', Stream);
  // Without locks each window has its own stream.
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const rowOf = (id: string) => ({
  id,
  name: id,
  trace_id: id,
  parent_id: null,
  started_at: new Date().toISOString(),
  ended_at: new Date().toISOString(),
  state: 'success',
  models: [],
});

type Row = ReturnType<typeof rowOf>;

interface Body {
  readonly limit?: number;
  readonly started_after?: string;
  readonly filter?: { readonly call_ids?: readonly string[] };
}

/** The list of the last 15 minutes, of a service that has the calls it is given. */
async function shownList(q = '') {
  let had: readonly Row[] = [rowOf('first')];
  const pages: string[] = [];
  let hold: Promise<void> | undefined;
  let refused = '';
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    const path = url.split('/').at(-1) ?? '';
    const { limit = 0, started_after: after = '', filter } = JSON.parse(body as string) as Body;
    const isPage = path === 'rows' && filter?.call_ids === undefined && limit === 200;
    if (isPage) pages.push(after);
    const found = had.filter(({ id }) => filter?.call_ids?.includes(id) ?? true);
    const answer = { rows: found, next_cursor: null };
    if (path === refused) return Response.json({ reason: 'no', error_code: 'forbidden' }, { status: 403 });
    if (isPage) await hold;
    if (path === 'stats') return Response.json({ count: found.length, errors: 0 });
    return Response.json(answer);
  });
  history.replaceState(null, '', `?${new URLSearchParams({ t: '15m', q })}`);
  const client = createQueryClient(() => undefined);
  const olds: boolean[] = [];
  const { result } = renderHook(
    () => {
      const calls = useShownCalls('local/app');
      if (calls.stats.data !== undefined) olds.push(calls.stats.isOld);
      return calls;
    },
    {
      wrapper: ({ children }: { readonly children: ReactNode }) => (
        <QueryClientProvider client={client}>
          <WorksPlace>{children}</WorksPlace>
        </QueryClientProvider>
      ),
    },
  );
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 5000) await act(() => vi.advanceTimersByTimeAsync(5000));
  };
  // The filter language comes as a part of its own.
  for (let tries = 0; tries < 100 && result.current.rows.length === 0; tries++)
    await act(async () => await vi.advanceTimersByTimeAsync(1).then(() => vi.dynamicImportSettled()));
  const before = pages.length;
  return {
    pass,
    olds,
    steps: () => pages.length - before,
    ids: () => result.current.rows.map(({ id }) => id),
    filter: (next: string) => act(() => result.current.change({ q: next })),
    since: () => result.current.since,
    sumsError: () => result.current.stats.error?.message,
    scroll: (row: number) => act(() => result.current.onScroll(row)),
    /** From here on the service has these. */
    have: (rows: readonly Row[]) => void (had = rows),
    /** From here on pages are answered when what is returned is called, with what was there when they were asked for. */
    holdPages: () => {
      let answer = (): void => undefined;
      hold = new Promise<void>((resolve) => void (answer = resolve));
      return () => {
        hold = undefined;
        return act(async () => answer());
      };
    },
    refuse: (path: string) => void (refused = path),
  };
}

test('what is told while a range goes on is in the list after it, and what was deleted is not', async () => {
  const list = await shownList();
  expect(list.ids()).toEqual(['first']);
  const answer = list.holdPages();
  await list.pass(1.5 * MINUTE);
  expect(list.steps()).toBe(1);
  const second = rowOf('second');
  list.have([second]);
  tell('call', second);
  tell('gone', { ids: ['first'] });
  // Changes are told together.
  await list.pass(5000);
  await answer();
  await list.pass(5000);
  expect(list.ids()).toEqual(['second']);
});

test('its sums are there with its rows: none are old', async () => {
  const { pass, olds, steps } = await shownList();
  await pass(3 * MINUTE);
  expect(steps()).toBeGreaterThan(1);
  expect(new Set(olds)).toEqual(new Set([false]));
});

test('who scrolls while it goes on keeps the list, and is told where it begins', async () => {
  const list = await shownList();
  const answer = list.holdPages();
  await list.pass(1.5 * MINUTE);
  list.scroll(3);
  list.have([rowOf('second')]);
  await answer();
  await list.pass(MINUTE);
  expect(list.ids()).toEqual(['first']);
  expect(list.since()).toBe(startOfRange());
});

test('where rows are refused it says where it begins', async () => {
  const list = await shownList();
  list.refuse('rows');
  await list.pass(1.5 * MINUTE);
  expect(list.since()).toBe(startOfRange());
});

test('where sums are refused its rows go on, and the sums are told to be missing', async () => {
  const list = await shownList();
  list.refuse('stats');
  list.have([rowOf('second')]);
  await list.pass(1.5 * MINUTE);
  expect(list.ids()).toEqual(['second']);
  expect(list.since()).toBeUndefined();
  expect(list.sumsError()).toContain('no');
});

test('a list that is looked through row by row is not looked through anew', async () => {
  const list = await shownList('tokens>=0');
  await list.pass(5 * MINUTE);
  expect(list.steps()).toBe(0);
  expect(list.since()).toBe(startOfRange());
});

test('while the filter makes no sense nothing is asked', async () => {
  const list = await shownList('op:a');
  list.filter('op:');
  await list.pass(5 * MINUTE);
  expect(list.steps()).toBe(0);
  expect(list.since()).toBe(startOfRange());
});
