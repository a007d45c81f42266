import { expect, test } from 'vitest';
import { agentText } from '../../../src/cli/output/for-agent.ts';
import { shownStatusesOf } from '../../../src/cli/shown-status.ts';
import { treesOf } from '../../../src/cli/trace-tree.ts';
import type { Call } from '../../../src/protocol/call.ts';
import { callOf } from '../call-of.ts';

const DAY = '2026-01-02T10:00:00Z';
const ended = (fields: Partial<Call>) => callOf({ started_at: DAY, ended_at: '2026-01-02T10:00:01Z', ...fields });
const FAILED = { summary: { svc: { status: 'error' } }, exception: 'Error: no\n    at f (a.ts:1)' };

function textOf(calls: readonly Call[], tokens: number): string {
  const roots = treesOf(calls);
  return agentText(roots, { project: 'a/b', statusOf: shownStatusesOf(roots, Date.parse(DAY)), tokens });
}

const CALLS = [
  ended({ id: 'root', op_name: 'main', inputs: { q: 'hi' }, output: 'x'.repeat(5000), ...FAILED }),
  ended({ id: 'tool', parent_id: 'root', op_name: 'tool', inputs: { n: 1 }, ...FAILED }),
  ...Array.from({ length: 300 }, (_call, n) =>
    ended({ id: `step-${n}`, parent_id: 'root', op_name: `step${n}`, summary: { svc: { status: 'success' } } }),
  ),
];

test('errors stand first, at the call that they came from, and long texts say how long they are', () => {
  const lines = textOf(CALLS, 100_000).split('\n');
  expect(lines[0]).toBe('# main');
  expect(lines[1]).toContain('302 calls; status error; took 1.00 s');
  expect(lines.slice(2, 7)).toEqual(['', '## Errors', '- tool (call tool)', '    Error: no', '        at f (a.ts:1)']);
  expect(lines).toContain('- main: error, 1.00 s, call root');
  expect(lines).toContain('  - step299: success, 1.00 s, call step-299');
  expect(lines.find((line) => line.startsWith('    xxx'))).toBe(`    ${'x'.repeat(1200)} … (5,000 characters in all)`);
  expect(lines.at(-1)).toMatch(/^Read on: /);
});

test.each([400, 1500, 4000])('%i tokens are not exceeded, and what has no room is counted', (tokens) => {
  const text = textOf(CALLS, tokens);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(tokens * 3);
  expect(text).toContain('## Errors\n- tool (call tool)');
  expect(text).toMatch(/^… \d+ more$/m);
});

test('an error that has no room is cut, and not left out', () => {
  const long = ended({ id: 'a', op_name: 'f', ...FAILED, exception: `Error: ${'no '.repeat(1000)}` });
  expect(textOf([long], 400)).toContain('## Errors\n- f (call a)\n    Error: no no');
});

test('what a trace holds cannot act on a terminal', () => {
  expect(
    textOf([ended({ id: 'a', op_name: 'f', inputs: { x: 1 }, output: '\u001b]0;title\u0007\u001b[2J' })], 1000),
  ).not.toMatch(
    // oxlint-disable-next-line no-control-regex
    /[\u0000-\u0009\u000b-\u001f]/,
  );
});
