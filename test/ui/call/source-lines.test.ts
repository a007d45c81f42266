import { expect, test } from 'vitest';
import type { Part } from '../../../src/ui/call/call-record.ts';
import { sourceLinesOf } from '../../../src/ui/call/source-lines.ts';

const SOURCE = 'async function send(mail) {\n  const answer = await smtp(mail);\n  throw new Error(answer);\n}';
const PLACE = { code_file: 'src/tools.ts', code_line: 88 };
const frame = (name: string, line: number, file = '/srv/agent/src/tools.ts', column: number | undefined = 9): string =>
  `Error: no\n    at retry (/srv/agent/src/retry.ts:3:1)\n    at ${name} (${file}:${line}:${column})`;

function linesOf(exception: string | undefined, svc: object = PLACE, source = SOURCE) {
  const attributes: Part = { node: { kind: 'object', start: 0, end: 0 }, value: { svc }, isTooLarge: false };
  return sourceLinesOf({ exception, attributes }, source);
}

test.each([
  ['send', '/srv/agent/src/tools.ts'],
  ['Mailer.send', '/srv/agent/src/tools.ts'],
  ['async send', 'C:\\agent\\src\\tools.ts'],
  ['send', 'src/tools.ts'],
])('a stack through %s in %s says where the source stands', (name, file) => {
  expect(linesOf(frame(name, 90, file))).toEqual({ file: 'src/tools.ts', first: 88, failed: 90 });
});

test.each([
  ['of a call that did not fail', undefined],
  ['whose stack is of lines behind it', frame('send', 96)],
  ['whose stack is of lines before it, as of a function that is written elsewhere in the file', frame('send', 12)],
  ['whose stack is of another function', frame('resend', 90)],
  ['whose stack is of another file', frame('send', 90, '/srv/agent/src/other-tools.ts')],
])('nobody knows where the source stands %s', (_what, exception) => {
  expect(linesOf(exception)).toBeUndefined();
});

test('a function that begins on the line below `traced(` has its own lines, and its own one that failed', () => {
  const inner = SOURCE.replaceAll('\n', '\n  ');
  // `throw new Error(answer)` stands on the third line of it, which is the fourth from `traced(` on.
  const exception = frame('send', 91, undefined, 11);
  expect(linesOf(exception, PLACE, inner)).toEqual({ file: 'src/tools.ts', first: 89, failed: 91 });
  const awaited = frame('async send', 90, undefined, 20);
  expect(linesOf(awaited, PLACE, inner)).toEqual({ file: 'src/tools.ts', first: 89, failed: 90 });
});

test.each([
  ['which line of it threw, where several may have', 'function send(a) {\n  one(a);\n  two(a);\n  own(a);\n}', 90, 3],
  ['of what a compiler has left lines out, as it does with comments', SOURCE, 90, 30],
  ['of a stack without columns', SOURCE, 90, undefined],
])('nobody knows %s', (_what, source, line, column) => {
  const exception = frame('send', line, undefined, column ?? 0).replace(/:0\)$/, ')');
  expect(linesOf(exception, PLACE, source)).toBeUndefined();
});

test('a source of one line stands where its stack says', () => {
  expect(linesOf(frame('send', 89, undefined, 40), PLACE, 'function send(a) { return mail(a); }')).toEqual({
    file: 'src/tools.ts',
    first: 89,
    failed: 89,
  });
});

test('without a place nobody knows either', () => {
  expect(linesOf(frame('send', 90), {})).toBeUndefined();
});
