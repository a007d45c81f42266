import { expect, test, vi } from 'vitest';
import type { Problem } from '../../src/client/options.ts';
import { Reporter } from '../../src/client/reporter.ts';

test('a kind is reported once a minute, with the count of what happened in between', () => {
  const problems: Problem[] = [];
  let now = 0;
  const reporter = new Reporter({ onError: (problem) => problems.push(problem), now: () => now });
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

test('a kind is reported for each subject', () => {
  const problems: Problem[] = [];
  const reporter = new Reporter({ onError: (problem) => problems.push(problem), now: () => 0 });
  for (const subject of ['openai', 'ai', 'openai']) reporter.report('capture-changed', 'No', { subject });
  reporter.report('capture-changed', 'No');
  expect(problems.map(({ subject }) => subject)).toEqual(['openai', 'ai', undefined]);
});

test('what a handler throws stays here', () => {
  const onError = () => {
    throw new Error('from the application');
  };
  expect(() => new Reporter({ onError }).report('queue-full', 'x')).not.toThrow();
});

test('what is told is kept too, before a handler that may end the process', () => {
  const heard: string[] = [];
  const listener = (name: string) => (problem: Problem) => heard.push(`${name} ${problem.message}`);
  const reporter = new Reporter({ onError: listener('onError'), keep: listener('keep') });
  reporter.report('queue-full', 'first');
  reporter.report('queue-full', 'not told, and not kept');
  expect(heard).toEqual(['keep first', 'onError first']);
});

test('what is said at once is not held back by what was said before', () => {
  const problems: Problem[] = [];
  const reporter = new Reporter({ onError: (problem) => problems.push(problem), now: () => 0 });
  reporter.report('lost-at-exit', 'first', { count: 1 });
  reporter.reportNow('lost-at-exit', 'second', { count: 2 });
  expect(problems.map(({ message, count }) => [message, count])).toEqual([
    ['first', 1],
    ['second', 2],
  ]);
});

test('without a handler it is one line, with the number of records where the message does not say it', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const reporter = new Reporter();
  reporter.report('queue-full', 'two\nlines\u001b[31m', { count: 3 });
  reporter.report('lost-at-exit', '2 records were lost', { count: 2 });
  const lines = write.mock.calls.map(([text]) => text);
  write.mockRestore();
  expect(lines).toEqual(['spoor: two lines [31m (3 records)\n', 'spoor: 2 records were lost\n']);
});
