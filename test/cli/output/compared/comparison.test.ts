import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changeText } from '../../../../src/cli/output/compared/change-text.ts';
import { comparisonLines } from '../../../../src/cli/output/compared/comparison.ts';
import { lineDiff } from '../../../../src/cli/output/compared/line-diff.ts';
import { displayWidth } from '../../../../src/cli/output/plain-text.ts';
import { compareCalls } from '../../../../src/reader/compare/compare-calls.ts';
import { type TestCall, traceOf } from '../../../reader/compare/traces.ts';

const version = (digit: string) => `svc:///acme/demo/op/plan:${digit.repeat(43)}`;

/** In each trace all calls take as long: half a second of the run that it is. */
function linesOf(a: TestCall, b: TestCall, isAll = false): string[] {
  const times = { started_at: '2026-01-01T00:00:00Z', ended_at: '2026-01-01T00:00:01Z' };
  const timed = (root: TestCall) => traceOf(root).map((call) => ({ ...call, ...times }));
  const indexOf = (_name: string, digest: string) => (/^\d+$/.test(digest) ? Number(digest[0]) : undefined);
  const projects = { a: 'acme/demo', b: 'acme/demo' };
  return comparisonLines(compareCalls(timed(a), timed(b)), { indexOf, isAll, projects });
}

/** Both heads have a local time; they are tested through the command. */
const draw = (...args: Parameters<typeof linesOf>) => linesOf(...args).slice(3);

const before: TestCall = {
  op: 'answer',
  calls: [
    { op: version('1'), calls: [{ op: 'think' }] },
    { op: 'search', inputs: { text: 'a' } },
    { op: 'rank' },
    { op: 'chat', attributes: { kind: 'llm' }, inputs: { request: { model: 'small', temperature: 0.2 } } },
    { op: 'send' },
  ],
};

const after: TestCall = {
  op: 'answer',
  output: 'other',
  calls: [
    { op: version('2'), calls: [{ op: 'think' }] },
    { op: 'search', inputs: { text: 'a' } },
    { op: 'rank' },
    { op: 'filter', calls: [{ op: 'match' }] },
    { op: 'chat', attributes: { kind: 'llm' }, inputs: { request: { model: 'small', temperature: 0.9 } } },
    { op: 'send', exception: 'SMTPError: 550 mailbox\n    at send (tools.ts:94)' },
  ],
};

test('both traces are one tree below what was changed, and what is alike is one line', () => {
  expect(draw(before, after)).toEqual([
    'code of plan: v1 → v2',
    'settings of chat: request.temperature: 0.2 → 0.9',
    'send, which is given the same, fails in B',
    '3 more calls differ, which may come of that.',
    '',
    '≠ answer                       output  1.00 s',
    '│  null → "other"',
    '├─ ≠ plan                      code v1 → v2  1.00 s',
    '│  └─ = 1 call alike',
    '├─ = 2 calls alike',
    '├─ + filter with 1 call below  only in B  1.00 s',
    '├─ ≠ chat                      settings  1.00 s',
    '│     request.temperature: 0.2 → 0.9',
    '└─ ≠ send                      fails in B  1.00 s',
    '      B: SMTPError: 550 mailbox',
  ]);
});

test('all calls have a line where they are asked for', () => {
  const lines = draw(before, after, true);
  expect(lines).toContain('│  └─ = think  1.00 s');
  expect(lines).toContain('├─ + filter    only in B  1.00 s');
  expect(lines).toContain('│  └─ + match  only in B  1.00 s');
});

test('where nothing differs it says so', () => {
  expect(draw(before, before)).toEqual(['Nothing differs but numbers.', '', '= 7 calls alike']);
});

test('where a part was not recorded it says so', () => {
  const cut: TestCall = { op: 'answer', calls: [{ op: 'read', output: 'a …[cut: 99999 characters]' }, { op: 'rank' }] };
  expect(draw(cut, cut)).toEqual([
    'Nothing differs but numbers, as far as it was recorded: values of 1 call were cut.',
    '',
    '= 3 calls alike, 1 as far as recorded',
  ]);
  const lines = draw(cut, { ...cut, output: 'other' }, true);
  expect(lines).toContain('Of the others, values of 1 call were cut.');
  expect(lines).toContain('├─ = read  alike as far as recorded  1.00 s');
});

test('what took far longer is told below what differs', () => {
  const timed = (ms: number) =>
    traceOf({ op: 'search', started_at: '2026-01-01T00:00:00Z', ended_at: `2026-01-01T00:00:0${ms / 1000}Z` });
  const options = { indexOf: () => undefined, isAll: false, projects: { a: 'acme/demo', b: 'acme/demo' } };
  expect(comparisonLines(compareCalls(timed(0), timed(2000)), options)).toEqual(
    expect.arrayContaining(['Nothing differs but numbers.', expect.stringMatching(/^time of search, .* → 2\.00 s$/)]),
  );
});

test('files are told by what they are, and how large', () => {
  const file = (digest: string, size: number) => ({
    _type: 'CustomType',
    files: { 'image.png': digest.repeat(43) },
    media_type: 'image/png',
    size,
  });
  expect(changeText({ path: ['image'], a: file('a', 12_345), b: file('b', 12_345) })).toBe(
    'image: image/png, 12,345 bytes, file aaaaaaaa → image/png, 12,345 bytes, file bbbbbbbb',
  );
});

test('of very many origins the first are told above the tree', () => {
  const many: TestCall = { op: 'answer', calls: Array.from({ length: 30 }, (_call, index) => ({ op: `f-${index}` })) };
  const lines = draw({ op: 'answer' }, many);
  expect(lines.slice(0, 3)).toEqual(['f-0 is called in B only', '29 more calls differ, which may come of that.', '']);
  const failed = { ...many, calls: many.calls?.map((call) => ({ ...call, output: 1 })) ?? [] };
  expect(draw(many, failed).slice(19, 22)).toEqual([
    'output of f-19, which is given the same',
    '… 10 more, see --json',
    '',
  ]);
});

test('versions that the service does not have are told by their digests', () => {
  expect(draw({ op: version('a') }, { op: version('b') })[0]).toBe('code of plan: aaaaaaa… → bbbbbbb…');
});

test('what was recorded reaches no terminal as it is', () => {
  const hostile = 'x\u001b]0;title\u0007\u202ey\nz';
  const one: TestCall = {
    op: `svc:///acme/demo/op/f:${'1'.repeat(43)}`,
    display_name: hostile,
    inputs: { [hostile]: hostile },
  };
  const other: TestCall = {
    ...one,
    inputs: { [hostile]: `${hostile}2` },
    calls: [{ op: hostile, exception: hostile }],
  };
  const text = [
    ...linesOf(one, other),
    ...lineDiff(hostile, `${hostile}${hostile}`),
    changeText({ path: [hostile], a: hostile }),
  ].join('\n');
  // Control characters are what it is about.
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

test('of long values the place is told at which they part', () => {
  const long = 'word '.repeat(50);
  expect(changeText({ path: ['messages', 0, 'content'], a: `${long}yes`, b: `${long}no` })).toBe(
    'messages.0.content: …d word word yes" → …d word word no"',
  );
  expect(changeText({ path: ['top_p'], b: 1 })).toBe('top_p: nothing → 1');
});

test('of two texts the lines that differ are told, with a few around them', () => {
  const lines = Array.from({ length: 20 }, (_line, index) => `line ${index}`);
  const other = lines.with(4, 'line four').with(18, 'line eighteen');
  const told = lineDiff(lines.join('\n'), other.join('\n')).join('\n');
  expect(told.split('\n…\n')).toEqual([
    '…\n  line 1\n  line 2\n  line 3\n− line 4\n+ line four\n  line 5\n  line 6\n  line 7',
    '  line 15\n  line 16\n  line 17\n− line 18\n+ line eighteen\n  line 19',
  ]);
  expect(lineDiff('same', 'same')).toEqual([]);
});

describe('at a terminal', () => {
  const { isTTY, columns } = process.stdout;

  beforeEach(() => {
    Object.assign(process.stdout, { isTTY: true, columns: 40 });
  });

  afterEach(() => {
    Object.assign(process.stdout, { isTTY, columns });
  });

  test('no line is wider than it is', () => {
    const deep = (depth: number, inputs: Record<string, unknown>): TestCall => ({
      op: `a_name_of_an_op_that_is_long_${depth}`,
      inputs,
      calls: depth === 0 ? [] : [deep(depth - 1, inputs)],
    });
    const lines = [
      ...linesOf(deep(20, { text: 'w '.repeat(60) }), deep(20, { text: 'v '.repeat(60) })),
      ...lineDiff('w '.repeat(60), 'v '.repeat(60)),
    ];
    expect(lines.filter((line) => displayWidth(line) > 40 && /\S\s+\S/.test(line.replace(/^\W+/, '')))).toEqual([]);
  });
});
