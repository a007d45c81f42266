import { expect, test } from 'vitest';
import { criticalPath, runsOnPath } from '../../../src/ui/trace/layout/critical-path.ts';
import { failedCalls, findCalls, stepAmong } from '../../../src/ui/trace/layout/find-calls.ts';
import { foldCall, foldRun, foldSubtree, initialFolds, reveal } from '../../../src/ui/trace/layout/folds.ts';
import { heavyStacks } from '../../../src/ui/trace/layout/heavy-stacks.ts';
import { opSumsOf } from '../../../src/ui/trace/layout/op-sums.ts';
import { inStartOrder, peersOf, samePeer, sibling } from '../../../src/ui/trace/layout/scrub.ts';
import { CallState, type TraceSkeleton } from '../../../src/ui/trace/layout/skeleton.ts';
import { lastPlace, ticksOf } from '../../../src/ui/trace/layout/ticks.ts';
import { timeScale } from '../../../src/ui/trace/layout/time-scale.ts';
import { layOut, type TraceLayout } from '../../../src/ui/trace/layout/trace-layout.ts';
import { visibleRowsOf } from '../../../src/ui/trace/layout/visible-rows.ts';
import { codeOfRun } from '../../../src/ui/tree/row-code.ts';
import { type GivenCall, skeletonOf, START_US } from './skeletons.ts';

const NOW = START_US + 60_000_000;

function laidOut(calls: readonly GivenCall[]): { skeleton: TraceSkeleton; layout: TraceLayout } {
  const skeleton = skeletonOf(calls);
  return { skeleton, layout: layOut(skeleton, NOW) };
}

function openRows(layout: TraceLayout): number[] {
  return [...visibleRowsOf(layout, initialFolds(layout)).code];
}

test('children come below their parents in order of start', () => {
  const { layout } = laidOut([{ end: 9 }, { parent: 0, start: 1 }, { parent: 0, start: 2 }, { parent: 1, start: 3 }]);
  expect([...layout.tree.order]).toEqual([0, 1, 3, 2]);
  expect([...layout.tree.depth]).toEqual([0, 1, 1, 2]);
  expect([...layout.tree.size]).toEqual([4, 2, 1, 1]);
});

test('a chain of 5,000 calls is laid out, each one level deeper', () => {
  const { layout } = laidOut(Array.from({ length: 5000 }, (_, index) => ({ parent: index - 1, end: 1 })));
  expect(layout.tree.depth[4999]).toBe(4999);
  expect(layout.tree.size[0]).toBe(5000);
  expect(visibleRowsOf(layout, initialFolds(layout)).depth.at(-1)).toBe(4999);
  expect(layout.lanes.count).toBe(5000);
});

test('100,000 children of one call are one line of repeats', () => {
  const calls: GivenCall[] = [{ end: 1e6 }];
  for (let index = 1; index <= 100_000; index++) calls.push({ parent: 0, op: 'rank', start: index, end: index + 2 });
  const { layout } = laidOut(calls);
  expect(openRows(layout)).toEqual([0, codeOfRun(0)]);
  expect(layout.repeats.length[0]).toBe(100_000);
});

test('calls without their parent are a group of their own behind the roots', () => {
  const { layout } = laidOut([{ parent: -2 }, {}, { parent: 0 }]);
  expect(openRows(layout)).toEqual([1, layout.tree.detached, 0, 2]);
  expect([...visibleRowsOf(layout, initialFolds(layout)).depth]).toEqual([0, 0, 1, 2]);
});

test('calls that are their own ancestors are each shown once', () => {
  const { layout } = laidOut([{ parent: 0 }, { parent: 2 }, { parent: 1 }, { parent: 2 }]);
  expect(openRows(layout)).toEqual([layout.tree.detached, 0, 1, 2, 3]);
});

test('a child that starts before its parent is below it, and marked', () => {
  const { layout } = laidOut([
    { parent: 1, start: 0, end: 5 },
    { start: 4, end: 9 },
  ]);
  expect([...layout.tree.order]).toEqual([1, 0]);
  expect([...layout.times.isSkewed]).toEqual([1, 0]);
  expect(layout.times.start[0]).toBe(0);
});

test('calls of no length, running ones and those that never ended have an end that is not before their start', () => {
  const { layout } = laidOut([
    { start: 0, end: 0 },
    { start: 1, end: null, state: 2 },
    { start: 2, end: null, state: 3 },
    { start: 3, end: 5 },
  ]);
  expect([...layout.times.end]).toEqual([0, 60_000_000, 5000, 5000]);
  expect(layout.times.span).toBe(60_000_000);
});

test('time in a call is its own while none of its children is at work', () => {
  const { layout } = laidOut([
    { end: 10 },
    { parent: 0, start: 2, end: 6 },
    { parent: 0, start: 4, end: 7 },
    { parent: 0, start: 9, end: 14 },
  ]);
  expect(layout.times.self[0]).toBe(4000);
});

test('twenty siblings of one op stay, one more folds them, and others between them keep their order', () => {
  const run = (length: number): GivenCall[] => Array.from({ length }, () => ({ parent: 0, op: 'rank' }));
  expect(openRows(laidOut([{}, ...run(20)]).layout)).toHaveLength(21);
  expect(openRows(laidOut([{}, ...run(21)]).layout)).toHaveLength(2);
  expect(openRows(laidOut([{}, ...run(15), { parent: 0, op: 'ask' }, ...run(15)]).layout)).toHaveLength(32);
});

test('repeats say how many failed, and how long half and the longest of them took', () => {
  const run = Array.from({ length: 25 }, (_, index) => ({ parent: 0, end: index + 1, state: Number(index < 2) }));
  const { repeats } = laidOut([{ op: 'all', end: 30 }, ...run]).layout;
  expect([repeats.errors[0], repeats.p50[0], repeats.max[0]]).toEqual([2, 13_000, 25_000]);
});

test('opened repeats hang below their line with what is below them', () => {
  const run = Array.from({ length: 21 }, () => ({ parent: 0, op: 'rank' }));
  const { layout } = laidOut([{}, ...run, { parent: 3, op: 'inner' }, { parent: 0, op: 'after' }]);
  const rows = visibleRowsOf(layout, foldRun(initialFolds(layout), 0, true));
  expect([...rows.code.subarray(0, 7)]).toEqual([0, codeOfRun(0), 1, 2, 3, 22, 4]);
  expect([...rows.depth.subarray(0, 7)]).toEqual([0, 1, 2, 2, 2, 3, 2]);
  expect([rows.code.at(-1), rows.depth.at(-1), rows.position.at(-1), rows.siblings.at(-1)]).toEqual([23, 1, 2, 2]);
});

test('a trace of more than 20,000 calls opens with two levels', () => {
  const calls: GivenCall[] = [{}];
  for (let index = 1; index <= 20_000; index++)
    calls.push({ parent: index % 3 === 0 ? index - 1 : 0, op: `op${index % 2}` });
  const rows = visibleRowsOf(...withFolds(laidOut(calls).layout));
  expect(Math.max(...rows.depth)).toBe(1);
});

function withFolds(layout: TraceLayout): Parameters<typeof visibleRowsOf> {
  return [layout, initialFolds(layout)];
}

test('a folded call hides what is below it, and revealing one of those unfolds all above', () => {
  const run = Array.from({ length: 21 }, () => ({ parent: 1, op: 'rank' }));
  const { layout } = laidOut([{}, { parent: 0, op: 'all' }, ...run]);
  const folded = foldSubtree(initialFolds(layout), layout.tree, 0, false);
  expect(visibleRowsOf(layout, folded).count).toBe(1);
  expect([...visibleRowsOf(layout, reveal(folded, layout, 5)).code]).toContain(5);
  expect(reveal(initialFolds(layout), layout, 1)).toEqual(initialFolds(layout));
  expect(visibleRowsOf(layout, foldCall(initialFolds(layout), 1, false)).count).toBe(2);
});

test('errors are counted in the calls above them', () => {
  const { layout } = laidOut([{ state: 4 }, { parent: 0, state: 1 }, { parent: 1, state: 1 }, { parent: 0 }]);
  expect([...layout.errorsBelow]).toEqual([2, 1, 0, 0]);
});

test('no call lies over another on a line of the flame chart', () => {
  const { layout } = laidOut([
    { end: 10 },
    { parent: 0, start: 1, end: 5 },
    { parent: 0, start: 2, end: 4 },
    { parent: 2, start: 3, end: 4 },
    { parent: 0, start: 6, end: 8 },
  ]);
  expect([...layout.lanes.laneOf]).toEqual([0, 1, 2, 3, 1]);
  expect([...layout.lanes.calls]).toEqual([0, 1, 4, 2, 3]);
  expect([...layout.lanes.offsets]).toEqual([0, 1, 3, 4, 5]);
});

test('a time in which all calls only wait is idle, one long call is not', () => {
  const { layout } = laidOut([
    { end: 100_000 },
    { parent: 0, start: 0, end: 10_000 },
    { parent: 0, start: 60_000, end: 100_000 },
  ]);
  expect(layout.gaps).toEqual([{ from: 10_200_000, to: 59_800_000 }]);
  expect(laidOut([{ end: 100_000 }, { parent: 0, end: 99_000 }]).layout.gaps).toEqual([]);
});

test('a folded gap takes little room, and places lead back to their instants', () => {
  const scale = timeScale(0, 100, [{ from: 20, to: 80 }]);
  expect(scale.placeOf(80) - scale.placeOf(20)).toBeCloseTo(0.025);
  expect(scale.placeOf(100)).toBe(1);
  for (const instant of [0, 13, 20, 50, 80, 99]) expect(scale.instantAt(scale.placeOf(instant))).toBeCloseTo(instant);
});

test('ticks are round and leave out what is folded', () => {
  const labels = (to: number): string[] => ticksOf(timeScale(0, to), 5).map(({ label }) => label);
  expect(labels(4_720_000)).toEqual(['0', '1 s', '2 s', '3 s', '4 s']);
  expect(labels(900)).toEqual(['0', '200 µs', '400 µs', '600 µs', '800 µs']);
  expect(labels(2500)).toEqual(['0', '500 µs', '1.0 ms', '1.5 ms', '2.0 ms']);
  expect(labels(372_000_000)).toEqual(['0', '2 m', '4 m', '6 m']);
  expect(ticksOf(timeScale(0, 4_120_000), 5).map(({ label }) => label)).toEqual(['0', '1 s', '2 s', '3 s']);
  expect(ticksOf(timeScale(0, 4_120_000), 5, lastPlace(332, 80)).map(({ label }) => label)).toContain('4 s');
  // A longer label ends sooner.
  const long = timeScale(0, 104_000_000);
  expect(ticksOf(long, 5, lastPlace(366, 0)).map(({ label }) => label)).toEqual(['0', '30 s', '1 m']);
  expect(ticksOf(timeScale(0, 4_720_000), 2).map(({ label }) => label)).toEqual(['0', '2 s', '4 s']);
  const folded = timeScale(0, 3600e6, [{ from: 60e6, to: 3540e6 }]);
  expect(ticksOf(folded, 4).map(({ label }) => label)).toEqual(['0', '30 s', '1 m', '59 m 30 s']);
});

test('the critical path is the chain of calls that decided the end', () => {
  const { skeleton, layout } = laidOut([
    { end: 10 },
    { parent: 0, start: 0, end: 4 },
    { parent: 0, start: 0, end: 3 },
    { parent: 0, start: 4, end: 10 },
    { parent: 3, start: 5, end: 9 },
    { parent: 0, start: 9, end: 12 },
  ]);
  const isOn = criticalPath(layout, skeleton.states);
  expect([...isOn]).toEqual([1, 1, 0, 1, 1, 0]);
  expect([...runsOnPath({ ...layout.repeats, count: 2, runOf: Int32Array.of(-1, 0, 0, -1, -1, 1) }, isOn)]).toEqual([
    1, 0,
  ]);
});

test('what never ended did not hold up a call that has an end, but one that has none', () => {
  const { running, neverEnded, error } = CallState;
  const pathOf = (...calls: readonly GivenCall[]): number[] => {
    const { skeleton, layout } = laidOut(calls);
    return [...criticalPath(layout, skeleton.states)];
  };
  // All are taken to reach up to the last sign of life of the trace.
  const beat = { parent: 0, start: 2, end: null, state: neverEnded };
  const work = { parent: 0, start: 0, end: 9 };
  expect(pathOf({ end: 10, state: error }, beat, work)).toEqual([1, 0, 1]);
  expect(pathOf({ end: null, state: neverEnded }, beat, { ...work, end: 1 })).toEqual([1, 1, 1]);
  expect(pathOf({ end: null, state: running }, { ...beat, state: running }, { ...work, end: 1 })).toEqual([1, 1, 1]);
  // Of several roots as well.
  expect(pathOf({ end: null, state: neverEnded }, { start: 1, end: 10 })).toEqual([0, 1]);
});

test('calls are found by name, op, model, error and id, and steps go round', () => {
  const { skeleton, layout } = laidOut([
    { op: 'Answer' },
    { parent: 0, op: 'chat', model: 'gpt-5-mini' },
    { parent: 0, name: 'To the answer', op: 'send' },
    { parent: 0, op: 'send', error: 'SMTPError: mailbox', state: 1 },
  ]);
  const found = (text: string): number[] => [...findCalls(skeleton, layout.tree, text)];
  expect(found('ANSWER')).toEqual([0, 2]);
  expect([found('mini'), found('mailbox'), found('000000000002'), found(' ')]).toEqual([[1], [3], [2], []]);
  const answers = findCalls(skeleton, layout.tree, 'answer');
  expect(stepAmong(answers, layout.tree, 2, 1)).toBe(0);
  expect(stepAmong(answers, layout.tree, 1, -1)).toBe(0);
  expect(stepAmong(answers, layout.tree, undefined, 1)).toBe(0);
  expect([...failedCalls(skeleton, layout.tree)]).toEqual([3]);
});

test('scrubbers go to the same op, to siblings and along the starts, and stop at the ends', () => {
  const { skeleton, layout } = laidOut([
    { op: 'a' },
    { parent: 0, op: 'b' },
    { parent: 1, op: 'b' },
    { parent: 0, op: 'c' },
  ]);
  expect([samePeer(skeleton.op, 1, 1), samePeer(skeleton.op, 2, 1), samePeer(skeleton.op, 2, -1)]).toEqual([
    2,
    undefined,
    1,
  ]);
  expect([sibling(layout.tree, 1, 1), sibling(layout.tree, 3, 1), sibling(layout.tree, 3, -1)]).toEqual([
    3,
    undefined,
    1,
  ]);
  expect([inStartOrder(4, 3, 1), inStartOrder(4, 3, -1)]).toEqual([undefined, 2]);
  expect(peersOf(skeleton.op, 2)).toEqual({ position: 2, count: 2 });
});

test('same stacks are one, with most time left', () => {
  const { skeleton, layout } = laidOut([
    { op: 'run', end: 20 },
    { parent: 0, op: 'find', start: 0, end: 2 },
    { parent: 0, op: 'chat', start: 2, end: 10 },
    { parent: 0, op: 'find', start: 10, end: 13, state: 1 },
  ]);
  const stacks = heavyStacks({ tree: layout.tree, ...skeleton, ...layout.times });
  expect(stacks.map(({ op, calls, from, weight }) => [skeleton.ops[op]?.name, calls, from, weight])).toEqual(
    expect.arrayContaining([
      ['run', 1, 0, 20_000],
      ['chat', 1, 0, 8000],
      ['find', 2, 8000, 5000],
    ]),
  );
});

test('ops are summed by self time, with the money that is their own', () => {
  const { skeleton, layout } = laidOut([
    { op: 'run', end: 20, cost: 0.3 },
    { parent: 0, op: 'chat', start: 2, end: 18, cost: 0.1 },
    { parent: 0, op: 'chat', start: 18, end: 19, cost: 0.2 },
  ]);
  const [chat, run] = opSumsOf(skeleton, layout, 0, 20_000);
  expect([chat?.calls, chat?.self, chat?.p50, chat?.max]).toEqual([2, 17_000, 1000, 16_000]);
  expect(chat?.cost.usd).toBeCloseTo(0.3);
  expect(run?.cost).toEqual({ usd: null, isUnpriced: false });
  expect(opSumsOf(skeleton, layout, 18_500, 20_000).map(({ calls }) => calls)).toEqual([1, 1]);
});

test.each<readonly [what: string, calls: readonly GivenCall[], attempts: readonly number[]]>([
  ['that fail until one does not', [{ state: 1 }, { state: 1 }, {}], [1, 2, 3]],
  ['that all fail', [{ state: 1 }, { state: 1 }], [1, 2]],
  ['of which the last runs', [{ state: 1 }, { state: 2, end: null }], [1, 2]],
  ['that go on after failures', [{ state: 1 }, {}, {}], [0, 0, 0]],
  ['before which one went well', [{}, { state: 1 }, {}], [0, 0, 0]],
  [
    'that run side by side',
    [
      { state: 1, start: 1, end: 5 },
      { start: 2, end: 3 },
    ],
    [0, 0],
  ],
  ['of two ops', [{ state: 1 }, { op: 'other' }], [0, 0]],
  ['that fail more often than anyone tries', Array.from({ length: 11 }, () => ({ state: 1 })), Array(11).fill(0)],
])('siblings %s are numbered as attempts or not', (_, calls, attempts) => {
  const { layout } = laidOut([
    { op: 'parent', end: 99 },
    ...calls.map((call, index) => ({ parent: 0, start: index * 2 + 1, end: index * 2 + 2, ...call })),
  ]);
  expect([...layout.attempts]).toEqual([0, ...attempts]);
});
