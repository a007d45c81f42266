import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type CallSource, CallSourceContext } from '../../../src/ui/call/call-source.ts';
import { ToastPlace } from '../../../src/ui/controls/toast.tsx';
import type { CallRow } from '../../../src/ui/data/answers.ts';
import { ThreadHead } from '../../../src/ui/threads/thread-head.tsx';
import { TurnFacts } from '../../../src/ui/threads/turn-facts.tsx';
import { TurnView } from '../../../src/ui/threads/turn-view.tsx';

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ rows: [], next_cursor: null, call: null }));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function turnOf(cost: number | null, unpriced: readonly string[]): CallRow {
  return {
    id: 'turn',
    trace_id: 't',
    parent_id: null,
    thread_id: 'thread',
    op: 'answer',
    op_name: 'answer',
    name: 'answer',
    kind: 'agent',
    state: 'success',
    error: null,
    error_type: null,
    started_at: '2026-01-01T00:00:00Z',
    ended_at: '2026-01-01T00:00:01Z',
    latency_ms: 1000,
    input: 'why',
    output: 'because',
    tokens: 10,
    tokens_in: 6,
    tokens_out: 4,
    tokens_cached: 0,
    cost,
    unpriced_models: [...unpriced],
    model: null,
    models: [],
    feedback: 0,
  };
}

function show(shown: ReactElement): void {
  const source: CallSource = {
    projectId: 'local/app',
    hrefOfRef: () => undefined,
    readCall: async () => '{"call":null}',
    readFile: async () => undefined,
    readObject: async () => undefined,
    readFeedback: async () => [],
    giveFeedback: async () => undefined,
  };
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ToastPlace>
        <CallSourceContext value={source}>{shown}</CallSourceContext>
      </ToastPlace>
    </QueryClientProvider>,
  );
}

const COSTS = [
  [0.021, [], '$0.021'],
  [0.021, ['own'], '≥ $0.021'],
  [null, ['own'], 'no price'],
] as const;

test.each(COSTS)('a thread of turns that cost %s, with %o, says so', (cost, unpriced, words) => {
  show(
    <ThreadHead
      project="local/app"
      threadId="thread"
      turns={[turnOf(cost, unpriced)]}
      live={null}
      onBack={() => undefined}
    />,
  );
  expect(screen.getByText(words)).toBeTruthy();
});

test.each(COSTS)('a turn that cost %s, with %o, says so beside it', (cost, unpriced, words) => {
  const turn = turnOf(cost, unpriced);
  show(<TurnFacts project="local/app" turns={[turn]} selected={0} turn={turn} onUse={() => undefined} />);
  expect(screen.getByText(words)).toBeTruthy();
  expect(screen.queryByText('unknown')).toBeNull();
});

test.each(COSTS)('a turn that cost %s, with %o, says so above it', (cost, unpriced, words) => {
  const turn = turnOf(cost, unpriced);
  show(<TurnView project="local/app" turn={turn} number={1} isSelected={false} onSelect={() => undefined} />);
  expect(screen.getByText(`1.0 s · ${words}`)).toBeTruthy();
});

test.each([
  ['running', 'running'],
  ['never_ended', 'no end'],
] as const)('a turn that is %s says so in its facts, and above what was said', (state, words) => {
  const turn = { ...turnOf(0.021, []), state, latency_ms: null, ended_at: null };
  show(<TurnFacts project="local/app" turns={[turn]} selected={0} turn={turn} onUse={() => undefined} />);
  expect(screen.getByText(words)).toBeTruthy();
  cleanup();
  show(<TurnView project="local/app" turn={turn} number={1} isSelected={false} onSelect={() => undefined} />);
  expect(screen.getByText(`${words} · $0.021`)).toBeTruthy();
});

test('of a thread with a turn that has no price there is no share', () => {
  const [known, unknown] = [turnOf(0.021, []), { ...turnOf(null, ['own']), id: 'other' }];
  show(<TurnFacts project="local/app" turns={[known, unknown]} selected={0} turn={known} onUse={() => undefined} />);
  expect(screen.getByText('Share of thread').nextElementSibling?.textContent).toBe('–');
});
