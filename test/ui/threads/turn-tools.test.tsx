import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { CallRow } from '../../../src/ui/data/answers.ts';
import { TurnTools } from '../../../src/ui/threads/turn-tools.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function toolCall(id: string, more: Partial<CallRow>): Partial<CallRow> {
  return { id, trace_id: 't', kind: 'tool', name: 'search', input: '{}', output: null, error: null, ...more };
}

/** The service's side: the calls of a turn, on pages of which the last is cut where there are too many. */
function show(pageOf: (page: number) => readonly Partial<CallRow>[], pages = 1): void {
  let page = 0;
  vi.stubGlobal('fetch', async () =>
    Response.json({ rows: pageOf(page), next_cursor: ++page < pages ? String(page) : null }),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TurnTools project="local/app" turnId="turn" />
    </QueryClientProvider>,
  );
}

test.each([
  ['running', 'running'],
  ['never_ended', 'never ended'],
] as const)('a tool that is %s says so', async (state, word) => {
  show(() => [toolCall('a', { state, latency_ms: null })]);
  expect((await screen.findByText(word)).textContent).toBe(word);
});

test('a tool that failed says why, and one that answered what', async () => {
  show(() => [
    toolCall('a', { state: 'error', error: '550 mailbox unavailable', latency_ms: 1 }),
    toolCall('b', { state: 'success', output: 'two pages', latency_ms: 1 }),
  ]);
  expect(await screen.findByText('550 mailbox unavailable')).toBeTruthy();
  expect(await screen.findByText('two pages')).toBeTruthy();
});

test('more tool calls than are read are not counted as if they were all', async () => {
  show((page) => Array.from({ length: 200 }, (_, index) => toolCall(`${page}-${index}`, { latency_ms: 1 })), 1000);
  expect((await screen.findByText(/tool calls$/)).textContent).toMatch(/^[\d,]+\+ tool calls$/);
});
