import { expect, test } from 'vitest';
import type { Part } from '../../../src/ui/call/call-record.ts';
import { sourceLinesOf } from '../../../src/ui/call/source-lines.ts';

const SOURCE = 'async function send(mail) {\n  const answer = await smtp(mail);\n  throw new Error(answer);\n}';
const frame = (name: string, line: number, file = '/srv/agent/src/tools.ts'): string =>
  `Error: no\n    at retry (/srv/agent/src/retry.ts:3:1)\n    at ${name} (${file}:${line}:9)`;

function linesOf(exception: string | undefined, svc: object = { code_file: 'src/tools.ts', code_line: 88 }) {
  const attributes: Part = { node: { kind: 'object', start: 0, end: 0 }, value: { svc }, isTooLarge: false };
  return sourceLinesOf({ exception, attributes }, SOURCE);
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
  ['whose stack is of lines behind it', frame('send', 92)],
  ['whose stack is of lines before it, as of a function that is written elsewhere in the file', frame('send', 12)],
  ['whose stack is of another function', frame('resend', 90)],
  ['whose stack is of another file', frame('send', 90, '/srv/agent/src/other-tools.ts')],
])('nobody knows where the source stands %s', (_what, exception) => {
  expect(linesOf(exception)).toBeUndefined();
});

test('without a place nobody knows either', () => {
  expect(linesOf(frame('send', 90), {})).toBeUndefined();
});
