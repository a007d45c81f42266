import { expect, test } from 'vitest';
import type { Problem } from '../../src/client/options.ts';
import { Reporter } from '../../src/client/reporter.ts';

test('a kind is reported once a minute, with the count of what happened in between', () => {
  const problems: Problem[] = [];
  let now = 0;
  const reporter = new Reporter(
    (problem) => problems.push(problem),
    () => now,
  );
  reporter.report('queue-full', 'first', { count: 2 });
  reporter.report('queue-full', 'second', { count: 3 });
  reporter.report('key-refused', 'other');
  now = 60_000;
  reporter.report('queue-full', 'third', { count: 4 });
  expect(problems.map(({ kind, message, count }) => [kind, message, count])).toEqual([
    ['queue-full', 'first', 2],
    ['key-refused', 'other', 0],
    ['queue-full', 'third', 7],
  ]);
});

test('what a handler throws stays here', () => {
  const reporter = new Reporter(() => {
    throw new Error('from the application');
  });
  expect(() => reporter.report('queue-full', 'x')).not.toThrow();
});
