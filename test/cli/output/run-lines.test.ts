import { expect, test } from 'vitest';
import { runLines } from '../../../src/cli/output/run-lines.ts';
import type { Run } from '../../../src/protocol/page/run.ts';

function newRun(fields: Partial<Run>): Run {
  return {
    id: 'p0f3c9a1b2c3d4e5f',
    entry_op: 'answer',
    started_at: '2026-01-01T09:59:59.9Z',
    first_call_at: '2026-01-01T10:00:00Z',
    last_seen_at: '2026-01-01T10:00:02.31Z',
    duration_ms: 2310,
    pid: 4711,
    host: 'build-7',
    version: '0.1.0',
    commit: '9f2c3d4e5f60718293a4b5c6d7e8f90123456789',
    is_dirty: false,
    calls: 1204,
    errors: 3,
    running: 0,
    never_ended: 0,
    tokens: 81_200,
    cost: 0.0102,
    unpriced_models: [],
    ...fields,
  };
}

const RUNS = [
  newRun({}),
  newRun({ id: 'p1111111111111111', entry_op: 'a_rather_long_name_of_an_op_that_begins_a_run', is_dirty: true }),
  newRun({ id: 'p2222222222222222', commit: null, is_dirty: null, host: null, tokens: 0, cost: null }),
  newRun({
    id: 'p3333333333333333',
    is_dirty: null,
    unpriced_models: ['own'],
    host: 'a-host.with.a.long.name.example',
  }),
];

test.each([60, 80, 200])('in %i columns no line is longer, and what tells runs apart is there', (room) => {
  const lines = runLines(RUNS, room);
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(room);
  expect(lines.slice(1).map((line) => line.split(/ +/).at(-1))).toEqual(RUNS.map(({ id }) => id));
  for (const head of ['entry op', 'calls', 'failed']) expect(lines[0]).toContain(head);
});

test('a commit says whether files were changed, or that nobody knows', () => {
  const commits = runLines(RUNS, 200).map((line) => /9f2c3d4e[+?]?/.exec(line)?.[0]);
  expect(commits).toEqual([undefined, '9f2c3d4e', '9f2c3d4e+', undefined, '9f2c3d4e?']);
});

test('a cost is at least what is known of it', () => {
  const [, first, , third, fourth] = runLines(RUNS, 200);
  expect(first).toContain(' $0.0102 ');
  expect(third).not.toContain('$');
  expect(fourth).toContain('≥ $0.0102');
});
