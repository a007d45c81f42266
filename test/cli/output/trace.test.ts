import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_INDENT } from '../../../src/cli/output/tree.ts';
import { traceLines } from '../../../src/cli/output/trace.ts';
import { shownStatusesOf } from '../../../src/cli/shown-status.ts';
import { treesOf } from '../../../src/cli/trace-tree.ts';
import type { Call } from '../../../src/protocol/call.ts';
import { callOf } from '../call-of.ts';

const usage = (input_tokens: number) => ({ 'gpt-x': { requests: 1, input_tokens, output_tokens: 0 } });
const success = { svc: { status: 'success' } };
const error = { svc: { status: 'error' } };

const running = { svc: { status: 'running' } };

function linesOf(calls: readonly Call[], { isFull = false, now = '2026-01-01T00:00:02Z' } = {}): string[] {
  const trees = treesOf(calls);
  return traceLines(trees, {
    project: 'acme/demo',
    isFull,
    statusOf: shownStatusesOf(trees, Date.parse(now)),
    addressOf: () => '',
  });
}

// The head has a local time; it is tested through the command.
const draw = (calls: readonly Call[], isFull = false) => linesOf(calls, { isFull }).slice(3);

test('a trace is drawn with marks, durations, tokens, models and errors', () => {
  const exception = 'SMTPError: 550 mailbox\n    at send (tools.ts:94)';
  const lines = draw([
    callOf({ id: 'a', op_name: 'answer', exception, summary: { ...error, usage: usage(1120) } }),
    callOf({ id: 'b', parent_id: 'a', op_name: 'chat', summary: { ...success, usage: usage(1120) } }),
    callOf({ id: 'c', parent_id: 'a', op_name: 'send_email', exception, summary: error }),
    callOf({ id: 'd', parent_id: 'c', op_name: '検索', ended_at: null, summary: running }),
    callOf({ id: 'e', parent_id: 'c', op_name: 'log', summary: { svc: { status: 'descendant_error' } } }),
  ]);
  expect(lines).toEqual([
    '✗ answer          1.00 s  1,120 tok',
    '├─ ✓ chat         1.00 s  1,120 tok  gpt-x',
    '└─ ✗ send_email   1.00 s',
    '   │  SMTPError: 550 mailbox',
    '   ├─ … 検索     running',
    '   └─ ! log       1.00 s',
  ]);
});

test('calls that nobody ends any more are marked, also in the head', () => {
  const open = { ended_at: null, summary: running };
  const lines = linesOf(
    [
      callOf({ id: 'a', op_name: 'answer', ...open }),
      callOf({ id: 'b', parent_id: 'a', op_name: 'chat', ...open }),
      callOf({ id: 'c', parent_id: 'a', op_name: 'search', summary: success }),
      callOf({ id: 'd', parent_id: 'a', op_name: 'late', started_at: '2026-01-01T12:00:00Z', ...open }),
    ],
    { now: '2026-01-02T00:00:01Z' },
  );
  expect(lines[0]).toBe('answer · never ended · 4 calls');
  expect(lines.slice(3)).toEqual([
    '◐ answer     never ended',
    '├─ ◐ chat    never ended',
    '├─ ✓ search       1.00 s',
    '└─ … late        running',
  ]);
});

test('the whole of each call is drawn when asked for', () => {
  const lines = draw(
    [
      callOf({ id: 'a', inputs: { q: 'hi' }, output: 'two\nlines' }),
      callOf({ id: 'b', parent_id: 'a', inputs: {}, exception: 'E: no\n  at x' }),
      callOf({ id: 'c', parent_id: 'b', ended_at: null, summary: running }),
      callOf({ id: 'd', parent_id: 'b', exception: 'E: cut', output: ['part'], summary: error }),
    ],
    true,
  );
  expect(lines).toEqual([
    '✓ f         1.00 s',
    '│  id: a',
    '│  inputs: {"q":"hi"}',
    '│  output:',
    '│    two',
    '│    lines',
    '└─ ✗ f      1.00 s',
    '   │  id: b',
    '   │  inputs: {}',
    '   │  error:',
    '   │    E: no',
    '   │      at x',
    '   ├─ … f  running',
    '   │     id: c',
    '   │     inputs: {}',
    '   └─ ✗ f   1.00 s',
    '         id: d',
    '         inputs: {}',
    '         output: ["part"]',
    '         error: E: cut',
  ]);
});

test('the whole of a call tells its attributes and how its stream was read', () => {
  const call = callOf({
    attributes: { kind: 'llm', step: 1, svc: { host: 'h' }, otel_span: {} },
    output: ['a'],
    summary: { ...success, attributes: { step: 2 }, stream: { chunks: 1, first_chunk_ms: 5, reason: 'break' } },
  });
  expect(draw([call], true)).toEqual([
    '✓ f  1.00 s',
    '   id: c1',
    '   attributes: {"kind":"llm","step":2}',
    '   inputs: {}',
    '   output: ["a"]',
    '   stream: {"chunks":1,"first_chunk_ms":5,"reason":"break"}',
  ]);
});

test('more than eight calls alike are one line, unless the whole is asked for', () => {
  const ended = (ms: number) => ({ ended_at: `2026-01-01T00:00:00.${String(ms).padStart(3, '0')}Z` });
  const pages = Array.from({ length: 13 }, (_, index) =>
    callOf({ id: `p${index}`, parent_id: 'a', op_name: 'readPage', summary: success, ...ended(index + 1) }),
  );
  const words = Array.from({ length: 8 }, (_, index) =>
    callOf({ id: `w${index}`, parent_id: 'a', op_name: 'word', summary: success }),
  );
  const failed = callOf({ id: 'x', parent_id: 'a', op_name: 'readPage', exception: 'E: no', summary: error });
  const calls = [callOf({ id: 'a', op_name: 'build', summary: success }), ...pages, failed, ...words];
  expect(draw(calls)).toEqual([
    '✓ build                1.00 s',
    '├─ ✓ 13 × readPage  1.0–13 ms',
    '├─ ✗ readPage          1.00 s',
    '│     E: no',
    ...Array.from({ length: 7 }, () => '├─ ✓ word              1.00 s'),
    '└─ ✓ word              1.00 s',
  ]);
  expect(draw(calls, true).filter((line) => line.includes('readPage'))).toHaveLength(14);
});

test('nothing recorded reaches the terminal as a command', () => {
  const evil = '\u001b[2J\u009b1m\u202e';
  const call = callOf({
    op_name: `f${evil}`,
    thread_id: evil,
    exception: `E${evil}`,
    inputs: { [evil]: evil },
    output: evil,
    summary: { ...error, usage: { [evil]: {} } },
  });
  for (const isFull of [true, false]) {
    const text = linesOf([call], { isFull }).join('\n');
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
});

test('a call deeper than the indent tells its depth', () => {
  const chain = Array.from({ length: MAX_INDENT + 2 }, (_, index) =>
    callOf({ id: `c${index}`, parent_id: index === 0 ? null : `c${index - 1}` }),
  );
  expect(draw(chain).at(-1)).toContain(`✓ [${MAX_INDENT + 1}] f`);
  expect(draw(chain).at(-2)).toContain('✓ f');
});

test('a trace of 200,000 calls is drawn', () => {
  const calls = Array.from({ length: 200_000 }, (_, index) =>
    callOf({ id: `c${index}`, parent_id: index === 0 ? null : 'c0', op_name: `f${index}`, summary: success }),
  );
  expect(draw(calls)).toHaveLength(200_000);
});

describe('at a terminal of 40 columns', () => {
  const widths = { isTTY: process.stdout.isTTY, columns: process.stdout.columns };
  const atTerminal = (columns: { isTTY: boolean; columns: number }) => Object.assign(process.stdout, columns);
  // Below the head, which takes several lines here.
  const drawn = (calls: readonly Call[], isFull = false) => {
    const lines = linesOf(calls, { isFull });
    return lines.slice(lines.indexOf('') + 1);
  };
  beforeEach(() => void atTerminal({ isTTY: true, columns: 40 }));
  afterEach(() => void atTerminal(widths));

  test('names are cut so that durations have room, and no number is', () => {
    const summary = { ...success, usage: usage(11_226_123) };
    expect(
      drawn([
        callOf({ id: 'a', op_name: 'a_name_that_is_longer_than_the_screen_is_wide', summary: success }),
        callOf({ id: 'b', parent_id: 'a', op_name: 'a_name_that_is_rather_lo', summary }),
        callOf({ id: 'c', parent_id: 'a', op_name: 'chat', summary: { ...success, usage: usage(1) } }),
      ]),
    ).toEqual(
      [
        '✓ a_name_that_is_longer_than_th…  1.00 s',
        '├─ ✓ a_name_that_is_rather_lo     1.00 s',
        '└─ ✓ chat                         1.00 s',
      ].map((line) => line),
    );
  });

  test('only so many levels are indented as leave room for names', () => {
    const calls = Array.from({ length: 8 }, (_call, level) =>
      callOf({ id: `${level}`, ...(level > 0 && { parent_id: `${level - 1}` }), op_name: 'step', summary: success }),
    );
    const lines = drawn(calls);
    expect(lines.at(-1)).toMatch(/^ {6,9}└─ ✓ \[7\] step +1\.00 s$/);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(40);
  });

  test('what is drawn in full stays beside the tree', () => {
    const lines = drawn(
      [
        callOf({ id: 'a', output: 'words that go on and on for more than a line' }),
        callOf({ id: 'b', parent_id: 'a' }),
      ],
      true,
    );
    expect(lines.slice(2, 5)).toEqual([
      '│  inputs: {}',
      '│  output: words that go on and on for',
      '│  more than a line',
    ]);
  });
});
