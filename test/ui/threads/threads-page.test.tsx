import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';
import { ThreadsPage } from '../../../src/ui/threads/threads-page.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const MINUTE = 60_000;

const THREAD = {
  thread_id: 'a',
  start_time: '2026-11-26T09:50:00Z',
  last_updated: '2026-11-26T09:50:00Z',
  turn_count: 1,
};

/** A stream that tells nothing. */
class Stream extends EventTarget {
  close = () => undefined;
}

test.each([
  ['leaves a range that ends now also where nothing else happens', '?t=15m', '0 threads'],
  ['stays in it while the page is paused', '?t=15m&live=0', '1 thread'],
])('a conversation %s', async (_what, search, later) => {
  vi.useFakeTimers({ now: Date.parse('2026-11-26T10:00:00Z') });
  vi.stubGlobal('EventSource', Stream);
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('stream_query') ? new Response(`${JSON.stringify(THREAD)}\n`) : Response.json({ rows: [] }),
  );
  history.replaceState(null, '', search);
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <ThreadsPage project="local/app" />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(MINUTE));
  expect(screen.getByRole('contentinfo').textContent).toBe('1 thread');
  await act(() => vi.advanceTimersByTimeAsync(10 * MINUTE));
  expect(screen.getByRole('contentinfo').textContent).toBe(later);
});

test('words that are looked for can be cleared', async () => {
  vi.stubGlobal('EventSource', Stream);
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('stream_query') ? new Response('') : Response.json({ rows: [] }),
  );
  history.replaceState(null, '', '?q=nobody');
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <ThreadsPage project="local/app" />
    </QueryClientProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Find in the id and the first words' });
  expect(field.value).toBe('nobody');
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  expect([field.value, location.search]).toEqual(['', '']);
  expect(document.activeElement).toBe(field);
  expect(screen.queryByRole('button', { name: 'Clear' })).toBeNull();
});

test('a failure stands above what is shown, but not that of a service that is gone: the page has said that already', async () => {
  vi.stubGlobal('EventSource', Stream);
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  const answers = [
    async () => new Response(`${JSON.stringify(THREAD)}\n`),
    async () => Response.json({ reason: 'Too many' }, { status: 400 }),
    async () => Promise.reject(new TypeError('Failed to fetch')),
  ];
  let answer = answers[0];
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('stream_query') ? answer?.() : Response.json({ rows: [] }),
  );
  history.replaceState(null, '', '?t=all');
  const client = createQueryClient(() => undefined);
  render(
    <QueryClientProvider client={client}>
      <ThreadsPage project="local/app" />
    </QueryClientProvider>,
  );
  await screen.findByText('1 thread');
  answer = answers[1];
  await act(() => client.invalidateQueries());
  await screen.findByText(/Threads could not be read: Too many/);
  answer = answers[2];
  await act(() => client.invalidateQueries());
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(screen.getByRole('contentinfo').textContent).toBe('1 thread');
});

test('a list that could not be read keeps the heads of its columns', async () => {
  vi.stubGlobal('EventSource', Stream);
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  vi.stubGlobal('fetch', async () => Response.json({ reason: 'Too many' }, { status: 400 }));
  history.replaceState(null, '', '?t=all');
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <ThreadsPage project="local/app" />
    </QueryClientProvider>,
  );
  await screen.findByText(/Threads could not be read: Too many/);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toContain('Begins with');
  expect(screen.queryAllByRole('row')).toHaveLength(1);
  expect(screen.getByText('Threads will be here once they can be read')).toBeTruthy();
  const sorted = screen.getAllByRole('columnheader').filter((head) => head.hasAttribute('aria-sort'));
  expect(sorted.map(({ textContent }) => textContent)).toEqual(['Last turn']);
});
