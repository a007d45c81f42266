import { expect, test } from 'vitest';
import type { Call } from '../../../src/protocol/call.ts';
import { formatDateTime } from '../../../src/protocol/values/date-time.ts';
import { compareCalls } from '../../../src/reader/compare/compare-calls.ts';
import { type TestCall, traceOf } from './traces.ts';

const BEGUN = Date.parse('2026-03-01T10:00:00Z') * 1000;

/** A call from and to so many milliseconds after the first. */
function during(op: string, [from, to]: readonly [number, number | null], more: Partial<TestCall> = {}): TestCall {
  const at = (ms: number) => formatDateTime(BEGUN + ms * 1000);
  return { op, started_at: at(from), ended_at: to === null ? null : at(to), ...more };
}

const timesOf = (a: readonly Call[], b: readonly Call[]) => compareCalls(a, b).times;

test('what took far longer by itself is told, and not what called it', () => {
  const run = (ms: number) =>
    traceOf(
      during('answer', [0, ms + 20], { calls: [during('search', [10, ms + 10]), during('rank', [ms + 10, ms + 15])] }),
    );
  expect(timesOf(run(100), run(1600))).toEqual([{ op: 'search', calls: [1], a: 100, b: 1600 }]);
  expect(timesOf(run(1600), run(100))).toEqual([{ op: 'search', calls: [1], a: 1600, b: 100 }]);
});

test.each([
  [100, 590],
  [1000, 2900],
  [0, 499],
  [3000, 8000],
])('from %i to %i milliseconds is not far', (before, after) => {
  expect(timesOf(traceOf(during('f', [0, before])), traceOf(during('f', [0, after])))).toEqual([]);
});

test('calls of one op are taken together, what runs at the same time once', () => {
  const run = (ms: number) =>
    traceOf(
      during('answer', [0, 2000], {
        calls: [during('part', [0, ms], { inputs: { n: 1 } }), during('part', [0, ms], { inputs: { n: 2 } })],
      }),
    );
  // The time of the one that calls them is what none of them takes: less of it, the longer they take.
  expect(timesOf(run(200), run(1900))).toEqual([
    { op: 'part', calls: [1, 2], a: 400, b: 3800 },
    { op: 'answer', calls: [0], a: 1800, b: 100 },
  ]);
});

test('what calls something else has its own time', () => {
  const run = (...calls: readonly TestCall[]) => traceOf(during('answer', [0, 2000], { calls }));
  expect(timesOf(run(), run(during('search', [0, 2000])))).toEqual([]);
});

test('what was given something else, or has no end, has its own time', () => {
  const slow = during('f', [0, 5000], { inputs: { n: 2 } });
  expect(timesOf(traceOf(during('f', [0, 10], { inputs: { n: 1 } })), traceOf(slow))).toEqual([]);
  expect(timesOf(traceOf(during('f', [0, null])), traceOf(during('f', [0, null])))).toEqual([]);
});
