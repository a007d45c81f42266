import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { columnsOf } from '../../../../src/ui/calls/list/columns.tsx';
import type { CallRow } from '../../../../src/ui/data/answers.ts';
import { formatInstant, formatTime } from '../../../../src/ui/format/time.ts';
import { useGrid } from '../../../../src/ui/grid/use-grid.ts';
import { VirtualGrid } from '../../../../src/ui/grid/virtual-grid.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const STARTED = '2026-01-01T10:00:00.250Z';

/** No two of its columns say the same. */
const ROW: CallRow = {
  id: 'call-1',
  trace_id: 'trace-1',
  parent_id: null,
  thread_id: 'chat-7',
  op: 'answer:v2',
  op_name: 'svc:///local/app/op/answer:v2',
  name: 'answer',
  kind: 'agent',
  state: 'success',
  error: null,
  error_type: null,
  started_at: STARTED,
  ended_at: '2026-01-01T10:00:01.484Z',
  latency_ms: 1234,
  input: '{"question":"Why?"}',
  output: 'Because',
  tokens: 5611,
  tokens_in: 4000,
  tokens_out: 1611,
  tokens_cached: 320,
  cost: 0.0214,
  unpriced_models: [],
  model: 'gpt-5-mini',
  models: ['gpt-5-mini'],
  feedback: 3,
};

const NOTHING_KNOWN = {
  thread_id: null,
  input: null,
  output: null,
  tokens: null,
  tokens_in: null,
  tokens_out: null,
  tokens_cached: null,
  cost: null,
  model: null,
  models: [],
  feedback: 0,
} satisfies Partial<CallRow>;

const nothing = () => undefined;

function List({ rows, p95 }: { readonly rows: readonly CallRow[]; readonly p95: number | undefined }): ReactElement {
  const grid = useGrid(rows.map(({ id }) => id));
  return (
    <VirtualGrid
      label="Calls"
      rows={rows}
      above={0}
      idOf={({ id }) => id}
      columns={columnsOf({ project: 'local/app', p95, hasDates: false, now: Date.now(), isNarrow: false })}
      rowCount={rows.length}
      rowPx={28}
      grid={grid}
      openId=""
      sorting={{ field: 'started_at', direction: 'desc' }}
      bones={0}
      onSort={nothing}
      onPeek={nothing}
      onOpen={nothing}
      onStart={nothing}
      onEnd={nothing}
      scroller={nothing}
      onScroll={nothing}
    />
  );
}

/** The cells of each row under their heads, as they stand in the list. */
function cellsOf(rows: readonly Partial<CallRow>[], p95?: number): readonly ReadonlyMap<string, Element>[] {
  const whole = rows.map((row, index) => ({ ...ROW, id: `call-${index}`, ...row }));
  render(<List rows={whole} p95={p95} />);
  // Check boxes are in the first column.
  const heads = screen.getAllByRole('columnheader').slice(1);
  return screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => {
      const cells = [...row.querySelectorAll('[role=gridcell]')].slice(1);
      expect(cells).toHaveLength(heads.length);
      return new Map(cells.map((cell, index) => [heads[index]?.textContent ?? '', cell]));
    });
}

function textsOf(row: Partial<CallRow>): Record<string, string> {
  const [cells] = cellsOf([row]);
  return Object.fromEntries([...(cells ?? [])].map(([head, cell]) => [head, cell.textContent]));
}

test('each column says its own of a call', () => {
  expect(textsOf({})).toEqual({
    Op: 'Aanswer',
    Status: 'ok',
    Input: 'Why?',
    Output: 'Because',
    Latency: '1.23 s',
    Tokens: '5,611',
    'Tokens in': '4,000',
    'Tokens out': '1,611',
    Cached: '320',
    Cost: '$0.021',
    Model: 'gpt-5-mini',
    Thread: 'chat-7',
    Kind: 'agent',
    Feedback: '3',
    Started: formatTime(Date.parse(STARTED), Date.now()),
  });
  expect(screen.getByTitle(formatInstant(Date.parse(STARTED))).textContent).toBe(
    formatTime(Date.parse(STARTED), Date.now()),
  );
  expect(screen.getByRole('link', { name: 'answer' }).getAttribute('href')).toBe(
    '/local/app/trace/trace-1?call=call-0',
  );
});

test('what nobody knows of a call is a dash, and no zero', () => {
  const shown = textsOf({ ...NOTHING_KNOWN, state: 'never_ended', ended_at: null, latency_ms: null });
  const { Op, Status, Kind, Started, ...unknown } = shown;
  expect([Op, Status, Kind, Started?.length]).toEqual(['Aanswer', 'never ended', 'agent', shown['Started']?.length]);
  expect(new Set(Object.values(unknown))).toEqual(new Set(['–']));
  expect(Object.keys(unknown)).toHaveLength(11);
});

test('what is none of something is a zero, and no dash', () => {
  const none = { tokens: 0, tokens_in: 0, tokens_out: 0, tokens_cached: 0, cost: 0, latency_ms: 0 };
  expect(textsOf(none)).toMatchObject({
    Latency: '0 ms',
    Tokens: '0',
    'Tokens in': '0',
    'Tokens out': '0',
    Cached: '0',
    Cost: '$0',
  });
});

test('a cost without the price of a model is said to be no whole one, and which model that is', () => {
  const unpriced_models = ['model-of-nobody', 'other'];
  const [part, none] = cellsOf([{ unpriced_models }, { cost: null, unpriced_models }]);
  expect([part?.get('Cost')?.textContent, none?.get('Cost')?.textContent]).toEqual(['≥ $0.021', 'no price']);
  expect(screen.getAllByTitle('No price: model-of-nobody, other')).toHaveLength(2);
});

test('a call that failed has the type of its error as status and the message as output', () => {
  expect(textsOf({ state: 'error', error_type: 'SMTPError', error: 'SMTPError: 550 unavailable' })).toMatchObject({
    Status: 'SMTPError',
    Output: '550 unavailable',
  });
});

test('the latency of a call that runs goes on', () => {
  vi.useFakeTimers({ now: Date.parse(STARTED) + 1200 });
  const [cells] = cellsOf([{ state: 'running', ended_at: null, latency_ms: null }], 2000);
  const shown = () => cells?.get('Latency')?.textContent;
  expect(shown()).toBe('1.2 s…');
  act(() => void vi.advanceTimersByTime(3000));
  expect(shown()).toBe('4.2 s…');
});

test('bars of latency end at the p95 of the list, and longer calls have another one', () => {
  const bars = (rows: ReturnType<typeof cellsOf>) =>
    rows.map((cells) => cells.get('Latency')?.querySelector<HTMLElement>('i > i') ?? undefined);
  const shown = bars(
    cellsOf(
      [0, 500, 2000, 2001, 9000].map((latency_ms) => ({ latency_ms })),
      2000,
    ),
  );
  expect(shown.map((bar) => bar?.style.width)).toEqual(['0%', '25%', '100%', '100%', '100%']);
  const looks = shown.map((bar) => bar?.parentElement?.className);
  expect(looks[1]).not.toBe(looks[4]);
  expect(looks).toEqual([looks[1], looks[1], looks[1], looks[4], looks[4]]);
  cleanup();
  expect(bars(cellsOf([{ latency_ms: 500 }]))).toEqual([undefined]);
});

test('what nobody would see in a text is written out, in cells and in what they say when pointed at', () => {
  const [cells] = cellsOf([
    { name: 'pay\u202Eexe', input: 'a\u200Bb', output: 'x\u0007', model: 'm\u2066', thread_id: 't\u202C' },
  ]);
  const shown = Object.fromEntries(
    ['Op', 'Input', 'Output', 'Model', 'Thread'].map((head) => [head, cells?.get(head)?.textContent]),
  );
  expect(shown).toEqual({
    Op: 'Apay⟨U+202E⟩exe',
    Input: 'a⟨U+200B⟩b',
    Output: 'x⟨U+0007⟩',
    Model: 'm⟨U+2066⟩',
    Thread: 't⟨U+202C⟩',
  });
  expect(cells?.get('Op')?.querySelector('a')?.getAttribute('title')).toBe('pay⟨U+202E⟩exe');
});
