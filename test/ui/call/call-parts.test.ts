import { describe, expect, test } from 'vitest';
import { readCallAnswer } from '../../../src/ui/call/call-record.ts';
import { codeLines, MAX_COLOURED } from '../../../src/ui/call/code-tokens.ts';
import { readException } from '../../../src/protocol/values/exception.ts';
import { sumOfUsage, usageRows } from '../../../src/ui/call/usage-rows.ts';
import { exceptionText } from '../../../src/tracing/capture/capture-error.ts';

describe('the text of an exception', () => {
  test('is type, message and frames, as this runtime writes them', () => {
    const error = new TypeError('No such user\nsecond line');
    const [shown] = readException(exceptionText(error, 5, (thrown) => thrown));
    expect(shown).toMatchObject({ type: 'TypeError', message: 'No such user\nsecond line', isCause: false });
    expect(shown?.frames[0]).toMatchObject({ isOwn: true, line: expect.any(Number) as number });
    expect(shown?.frames[0]?.file).toContain('call-parts.test.ts');
    expect(shown?.frames.some(({ isOwn }) => !isOwn)).toBe(true);
  });

  test('has frames with and without names, and file addresses as paths', () => {
    const lines = [
      'at async a.b (file:///app/x (1).ts:3:9)',
      'at /app/y.ts:7:1',
      'at f (file:///home/m%C3%BCller/my%20app/t.ts:1:1)',
      'at g (file:///C:/x/y.ts:2:1)',
      'at h (file:///a/100%.ts:3:1)',
      'at native',
      'at new C (<anonymous>)',
    ];
    const [shown] = readException(`Error: no\n${lines.map((line) => `    ${line}`).join('\n')}`);
    expect(shown?.frames.map(({ functionName, file, line }) => [functionName, file, line])).toEqual([
      ['a.b', '/app/x (1).ts', 3],
      ['', '/app/y.ts', 7],
      ['f', '/home/müller/my app/t.ts', 1],
      ['g', 'C:/x/y.ts', 2],
      ['h', '/a/100%.ts', 3],
      ['', 'native', undefined],
      ['new C', '<anonymous>', undefined],
    ]);
  });

  test('costs as much as it is long, also where a line looks like many frames', () => {
    const linesOf = (count: number) => `Error: no\n${`  at x${' ('.repeat(450)}\n`.repeat(count)}`;
    const costOf = (text: string) => {
      const began = process.cpuUsage();
      readException(text);
      const { user, system } = process.cpuUsage(began);
      return user + system;
    };
    const least = (text: string) => Math.min(...Array.from({ length: 3 }, () => costOf(text)));
    const longLine = (count: number) => `Error: no\n  at x${' ('.repeat(count)}`;
    least(linesOf(50));
    // A square would be 64 times as much; a millisecond is the clock's own.
    expect(least(longLine(16_000))).toBeLessThan(least(longLine(2000)) * 24 + 5000);
    const longTraceback = (count: number) =>
      `Traceback (most recent call last):\n  File "${'", line 1, in x'.repeat(count)}\r\nError: no`;
    expect(least(longTraceback(2000))).toBeLessThan(least(longTraceback(250)) * 24 + 5000);
    expect(least(linesOf(400))).toBeLessThan(least(`Error: no\n${'  at x (y.ts:1:1)\n'.repeat(20_000)}`) + 5000);
  });

  test('tells its causes', () => {
    const error = new Error('outside', { cause: new RangeError('inside') });
    const shown = readException(exceptionText(error, 5, (thrown) => thrown));
    expect(shown.map(({ type, message, isCause }) => [type, message, isCause])).toEqual([
      ['Error', 'outside', false],
      ['RangeError', 'inside', true],
    ]);
  });

  test('of Python begins with the innermost frame', () => {
    const text = [
      'Traceback (most recent call last):',
      '  File "/app/main.py", line 3, in main',
      '    run()',
      '  File "/usr/lib/python3.12/site-packages/x.py", line 9, in run',
      '    raise ValueError("no")',
      'ValueError: no',
    ].join('\n');
    expect(readException(text)).toEqual([
      {
        type: 'ValueError',
        message: 'no',
        isCause: false,
        frames: [
          { functionName: 'run', file: '/usr/lib/python3.12/site-packages/x.py', line: 9, isOwn: false },
          { functionName: 'main', file: '/app/main.py', line: 3, isOwn: true },
        ],
      },
    ]);
  });

  test.each([
    ['plain words', undefined, 'plain words'],
    ['Thrown: "x"', 'Thrown', '"x"'],
    ['DOMException [AbortError]: gone', 'DOMException', 'gone'],
    ['<script>alert(1)</script>', undefined, '<script>alert(1)</script>'],
    ['', undefined, ''],
  ])('%j', (text, type, message) => {
    expect(readException(text)).toMatchObject([{ type, message }]);
  });

  test('frames of packages and of the runtime are not own ones', () => {
    const stack = [
      'Error: x',
      '    at f (/app/node_modules/p/i.js:1:2)',
      '    at node:internal/process:3:4',
      '    at async /app/src/a.ts:5:6',
    ];
    const [shown] = readException(stack.join('\n'));
    expect(shown?.frames.map(({ isOwn, line }) => [isOwn, line])).toEqual([
      [false, 1],
      [false, 3],
      [true, 5],
    ]);
  });
});

describe('lines of a source', () => {
  const shown = (source: string, ending = 'js') =>
    codeLines(source, ending).map((line) =>
      line.map(({ kind, text }) => (kind === 'plain' ? text : `${kind}<${text}>`)).join(''),
    );

  test('have their words, strings, numbers and comments told apart', () => {
    expect(shown("const a = f('x'); // y\nreturn `${b}\n` + 0x1f;")).toEqual([
      "keyword<const> a = function<f>(string<'x'>); comment<// y>",
      'keyword<return> string<`${b}>',
      'string<`> + number<0x1f>;',
    ]);
    expect(shown('def f(x):\n    # y\n    return """a\nb"""', 'py')).toEqual([
      'keyword<def> function<f>(x):',
      '    comment<# y>',
      '    keyword<return> string<"""a>',
      'string<b""">',
    ]);
  });

  test('hold together the whole text, whatever it is', () => {
    for (const source of ["'open", '/* open', '`${', '\\', 'a\n\nb', '', 'x'.repeat(MAX_COLOURED + 1)]) {
      expect(
        codeLines(source, 'ts')
          .map((line) => line.map(({ text }) => text).join(''))
          .join('\n'),
      ).toBe(source);
    }
  });
});

describe('the answer of the service', () => {
  const CALL = {
    id: 'c1',
    project_id: 'local/app',
    op_name: 'svc:///local/app/op/plan:abc',
    display_name: null,
    trace_id: 't',
    parent_id: null,
    thread_id: null,
    started_at: '2026-01-01T00:00:00.000250Z',
    ended_at: '2026-01-01T00:00:01Z',
    exception: null,
    attributes: { a: 1 },
    inputs: { 'x"y': [1] },
    output: null,
    summary: { svc: {} },
  };

  test('becomes a record whose times keep their microseconds', () => {
    const record = readCallAnswer(JSON.stringify({ call: CALL }));
    expect(record).toMatchObject({ id: 'c1', displayName: undefined, parentId: undefined });
    expect(record?.inputs.value).toEqual({ 'x"y': [1] });
    expect((record?.endedAt ?? 0) - (record?.startedAt ?? 0)).toBe(999_750);
  });

  test('without a call is none', () => {
    expect(readCallAnswer('{"call":null}')).toBeUndefined();
  });

  test('with inputs of many megabytes stays a text', () => {
    const record = readCallAnswer(JSON.stringify({ call: { ...CALL, inputs: { long: 'x'.repeat(5_000_000) } } }));
    expect(record?.inputs).toMatchObject({ isTooLarge: true, value: undefined });
    expect(record?.attributes.value).toEqual({ a: 1 });
  });
});

describe('usage', () => {
  const summary = {
    usage: {
      small: { requests: 1, prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
      large: { requests: 2, input_tokens: 100, output_tokens: 20, cache_read_tokens: 60, reasoning_tokens: 4 },
    },
    svc: {
      costs: {
        large: {
          prompt_token_cost: 0.01,
          completion_token_cost: 0.02,
          prompt_tokens_total_cost: 1.3,
          completion_tokens_total_cost: 0.48,
          cache_read_tokens_cost: 0.005,
          is_estimate: true,
        },
      },
      unpriced_models: ['small'],
    },
  };

  test('is told by model and bucket, with money where there is a price', () => {
    const [large, small] = usageRows(summary);
    expect(large).toMatchObject({ model: 'large', total: 184, isEstimate: true, isUnpriced: false });
    expect(large?.buckets.map(({ name, tokens, cost }) => [name, tokens, cost])).toEqual([
      ['input', 100, 1],
      ['cache read', 60, 0.3],
      ['output', 20, 0.4],
      ['reasoning', 4, 0.08],
    ]);
    expect(large?.cost?.amount).toBeCloseTo(1.78, 10);
    expect(small).toMatchObject({ model: 'small', isUnpriced: true, cost: undefined });
  });

  test('adds up to what the head of a call says, with the models that have no price', () => {
    const sum = sumOfUsage(usageRows(summary));
    expect(sum).toMatchObject({ input: 170, cached: 60, output: 29, unpriced: ['small'] });
    expect(sumOfUsage(usageRows({}))).toBeUndefined();
  });
});
