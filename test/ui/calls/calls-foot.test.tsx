import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CallsFoot } from '../../../src/ui/calls/calls-foot.tsx';
import type { CallsStats } from '../../../src/ui/data/answers.ts';
import { createQueryClient } from '../../../src/ui/data/query-client.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const STATS: CallsStats = {
  count: 18_204,
  errors: 71,
  running: 4,
  never_ended: 3,
  latency_ms: { p50: 900, p95: 4120, p99: 61_000 },
  tokens: { input: 1, output: 2, cache_read: 3, cache_write: 4, reasoning: 5, total: 3_902_000 },
  cost: 12.4,
  unpriced_models: [],
  models: [],
  first_started_at: null,
  last_started_at: null,
};

/** What the foot says, from left to right. */
async function wordsOf(stats: Partial<CallsStats>): Promise<readonly string[]> {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ clients: [] })));
  const { container } = render(
    <QueryClientProvider client={createQueryClient(() => undefined)}>
      <CallsFoot project="local/app" stats={{ ...STATS, ...stats }} isOld={false} shown={{}} actions={null} />
    </QueryClientProvider>,
  );
  await screen.findByText('Received: unknown');
  const complete = screen.getByText('Received: unknown').parentElement;
  const parts = [...container.querySelectorAll('footer > span')].filter((part) => part !== complete);
  return [...parts, ...(complete?.querySelectorAll(':scope > span') ?? [])]
    .map((part) => part.textContent)
    .filter((text) => text !== '');
}

test('calls add up to their number, errors, latency, tokens, money and those that never ended', async () => {
  expect(await wordsOf({})).toEqual([
    '18,204 calls',
    '71 errors',
    'p50 900 ms',
    'p95 4.1 s',
    'p99 1 m 01 s',
    '3,902,000 tok',
    '$12.40',
    'Received: unknown',
    '3 never ended',
  ]);
});

test('what there is none of is not said', async () => {
  const nothing = { errors: 0, never_ended: 0, latency_ms: null, cost: null, tokens: { ...STATS.tokens, total: 0 } };
  expect(await wordsOf({ ...nothing, count: 1 })).toEqual(['1 call', 'Received: unknown']);
});
