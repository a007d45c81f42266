// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Run } from '../../../src/protocol/page/run.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';
import { RunsPage } from '../../../src/ui/runs/runs-page.tsx';
import { handleKey } from '../../../src/ui/shell/keys.ts';

/** A stream that tells nothing. */
class Stream extends EventTarget {
  close = () => undefined;
}

const RUN: Run = {
  id: 'p0f3c9a1b2c3d4e5f',
  entry_op: 'answer',
  started_at: '2026-01-01T09:59:59Z',
  first_call_at: '2026-01-01T10:00:00Z',
  last_seen_at: '2026-01-01T10:00:02.31Z',
  duration_ms: 2310,
  pid: 4711,
  host: 'build-7',
  version: '0.1.0',
  commit: '9f2c3d4e5f60718293a4b5c6d7e8f90123456789',
  is_dirty: false,
  calls: 1204,
  errors: 3,
  running: 0,
  never_ended: 0,
  tokens: 81_200,
  cost: 0.0102,
  unpriced_models: [],
};

const RUNS: readonly Run[] = [
  RUN,
  { ...RUN, id: 'p1111111111111111', is_dirty: true, entry_op: 'nightly\u202E' },
  { ...RUN, id: 'p2222222222222222', is_dirty: null, tokens: 0, cost: null, host: null },
  { ...RUN, id: 'p3333333333333333', commit: null, is_dirty: null },
];

beforeEach(() => {
  addEventListener('keydown', handleKey);
  vi.stubGlobal('EventSource', Stream);
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
});
afterEach(() => {
  removeEventListener('keydown', handleKey);
  cleanup();
  vi.unstubAllGlobals();
});

function show(
  search: string,
  runs: readonly Run[],
  answer = () => Response.json({ runs, next_cursor: null }),
): { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    asked.push([new URL(url, 'http://a').pathname, JSON.parse(body)]);
    return answer();
  });
  history.replaceState(null, '', `/${search}`);
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <RunsPage project="local/app" />
    </QueryClientProvider>,
  );
  return { asked };
}

const lines = async () =>
  (await screen.findAllByRole('row')).slice(1).map((line) => [...line.children].map((cell) => cell.textContent));

test('a run has a line with what it was and what it did, and leads to its calls', async () => {
  const { asked } = show('', RUNS);
  expect((await lines()).map((cells) => cells.slice(0, -1))).toEqual([
    ['answer', '9f2c3d4e', 'build-7', '1,204', '3', '81,200', '$0.010', '2.31 s'],
    ['nightly⟨U+202E⟩', '9f2c3d4e + changed', 'build-7', '1,204', '3', '81,200', '$0.010', '2.31 s'],
    ['answer', '9f2c3d4e ?', '–', '1,204', '3', '–', '–', '2.31 s'],
    ['answer', '–', 'build-7', '1,204', '3', '81,200', '$0.010', '2.31 s'],
  ]);
  expect(asked).toEqual([['/x/runs/list', { project_id: 'local/app', limit: 100 }]]);
  const link = screen.getAllByRole('link')[0];
  expect(link?.getAttribute('href')).toBe('/local/app/calls?q=run:p0f3c9a1b2c3d4e5f&t=all&roots=0');
  expect(screen.getByRole('contentinfo').textContent).toBe('4 runs');
});

test('sums that the service does not know are said to be unknown', async () => {
  const unknown = { calls: null, errors: null, running: null, never_ended: null, tokens: null, cost: null };
  show('', [{ ...RUN, ...unknown }]);
  expect((await lines()).map((cells) => cells.slice(3, 7))).toEqual([['?', '?', '?', '?']]);
});

test('runs are found by words, which can be cleared', async () => {
  show('?q=nightly', RUNS);
  expect(await lines()).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  await waitFor(async () => expect(await lines()).toHaveLength(4));
  expect(location.search).toBe('');
});

test('keys lead from run to run', async () => {
  show('', RUNS);
  await lines();
  const press = (key: string) =>
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  press('j');
  press('j');
  expect(document.activeElement?.getAttribute('href')).toContain('p1111111111111111');
  press('k');
  expect(document.activeElement?.getAttribute('href')).toContain(RUN.id);
});

test('a project without runs says what makes one', async () => {
  show('', []);
  expect(await screen.findByText('No runs')).toBeTruthy();
  expect(screen.getByText(/Each program that records calls is a run/)).toBeTruthy();
});

test('words that nothing has are said to be the reason', async () => {
  show('?q=nobody', RUNS);
  fireEvent.click(await screen.findByRole('button', { name: 'Show all runs' }));
  expect(await lines()).toHaveLength(4);
});

test('a list that could not be read keeps the heads of its columns', async () => {
  show('', [], () => Response.json({ reason: 'Too many' }, { status: 400 }));
  await screen.findByText(/Runs could not be read: Too many/);
  expect(screen.getAllByRole('columnheader')).toHaveLength(9);
  expect(screen.getByText('Runs will be here once they can be read')).toBeTruthy();
});
