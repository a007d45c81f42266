// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';
import { ThreadsPage } from '../../../src/ui/threads/threads-page.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const MINUTE = 60_000;

/** A stream that tells nothing. */
class Stream extends EventTarget {
  close = () => undefined;
}

test('a conversation leaves a range that ends now also where nothing else happens', async () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-26T10:00:00Z') });
  vi.stubGlobal('EventSource', Stream);
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  const thread = {
    thread_id: 'a',
    start_time: '2026-11-26T09:50:00Z',
    last_updated: '2026-11-26T09:50:00Z',
    turn_count: 1,
  };
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('stream_query') ? new Response(`${JSON.stringify(thread)}\n`) : Response.json({ rows: [] }),
  );
  history.replaceState(null, '', '?t=15m');
  render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <ThreadsPage project="local/app" />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(MINUTE));
  expect(screen.getByRole('contentinfo').textContent).toBe('1 thread');
  await act(() => vi.advanceTimersByTimeAsync(10 * MINUTE));
  expect(screen.getByRole('contentinfo').textContent).toBe('0 threads');
});
