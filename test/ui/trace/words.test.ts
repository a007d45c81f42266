import { expect, test } from 'vitest';
import { barOf, placeLabel } from '../../../src/ui/trace/tree/bar-of.ts';
import { boxAt, flameBoxes, mergedCount } from '../../../src/ui/trace/canvas/flame-boxes.ts';
import { carryFolds, foldsOfWords, foldWords } from '../../../src/ui/trace/tree/fold-words.ts';
import { foldCall, foldRun, initialFolds } from '../../../src/ui/trace/layout/folds.ts';
import { isSameWork } from '../../../src/ui/trace/layout/model-of.ts';
import { timeScale } from '../../../src/ui/trace/layout/time-scale.ts';
import { layOut } from '../../../src/ui/trace/layout/trace-layout.ts';
import { callLabel, runLabel } from '../../../src/ui/trace/tree/row-text.ts';
import { TRACE } from '../../../src/ui/address/pages.ts';
import { traceAddressOf, traceStateOf } from '../../../src/ui/trace/trace-address.ts';
import { completenessOf, traceFacts } from '../../../src/ui/trace/trace-facts.ts';
import { type GivenCall, skeletonOf, START_US } from './skeletons.ts';

const RUN: GivenCall[] = Array.from({ length: 25 }, (_, index) => ({ parent: 0, op: 'rank', start: index, end: 50 }));

test('an address reads as it was written, and keeps what it does not know', () => {
  const search = 'call=c1&as=flame&tab=chat&z=5,900.5&f=smtp&fold=abc,rdef&other=1';
  const address = traceAddressOf(TRACE.read(search));
  expect(address).toEqual({
    call: 'c1',
    as: 'flame',
    zoom: { from: 5000, to: 900_500 },
    find: 'smtp',
    fold: ['abc', 'rdef'],
  });
  expect(TRACE.write(search, traceStateOf(address))).toBe(search);
  expect(TRACE.write(search, traceStateOf({ zoom: undefined, find: '', as: 'tree', fold: [] }))).toBe(
    'call=c1&tab=chat&other=1',
  );
});

test('calls of one op are the same work where they ask the same model', () => {
  const skeleton = skeletonOf([
    {},
    { parent: 0, op: 'chat', kind: 'llm', model: 'small' },
    { parent: 0, op: 'chat', kind: 'llm', model: 'large' },
    { parent: 1, op: 'chat', kind: 'llm', model: 'large' },
  ]);
  expect(isSameWork(skeleton, 2, 3)).toBe(true);
  expect(isSameWork(skeleton, 1, 2)).toBe(false);
  expect(isSameWork(skeleton, 0, 2)).toBe(false);
});

test('folds survive as text, and when calls come in front of them', () => {
  const skeleton = skeletonOf([{}, ...RUN, { parent: 1 }]);
  const layout = layOut(skeleton, START_US);
  const folds = foldRun(foldCall(initialFolds(layout), 1, false), 0, true);
  const words = foldWords(folds, layout, skeleton.ids);
  expect(foldsOfWords(words, layout, skeleton.ids)).toEqual(folds);
  const grown = skeletonOf([{}, { parent: 0 }, ...RUN, { parent: 2 }]);
  const ids = [skeleton.ids[0] ?? '', 'late', ...skeleton.ids.slice(1)];
  const grownLayout = layOut(grown, START_US);
  const carried = carryFolds(folds, { layout, ids: skeleton.ids }, { layout: grownLayout, ids });
  expect([carried.calls[2], carried.calls[1], carried.runs[0]]).toEqual([0, 1, 1]);
});

test('a label is behind its bar, before it where there is no room, and never on it', () => {
  const scale = timeScale(0, 100);
  const label = { number: '510 ms' };
  const sideOf = (from: number, to: number, room = 0): string | undefined =>
    placeLabel(barOf(scale, from, to), 400, room, label)?.side;
  expect([sideOf(0, 50), sideOf(90, 100), sideOf(0, 100), sideOf(0, 100, 64)]).toEqual([
    'after',
    'before',
    undefined,
    'after',
  ]);
  const long = { number: '510 ms', more: 'p50 12 ms · max 480 ms' };
  expect(placeLabel(barOf(scale, 0, 100), 400, 64, long)).toEqual({ side: 'after', text: label });
  expect(barOf(timeScale(50, 100), 0, 40).isShown).toBe(false);
});

test('labels tell tokens of models, the middle of repeats, and what has no end', () => {
  const skeleton = skeletonOf([
    { op: 'run', end: 100 },
    { parent: 0, op: 'chat', kind: 'llm', end: 90, tokensIn: 1000, tokensOut: 120 },
    { parent: 0, op: 'beat', state: 3, end: null },
    { parent: 0, op: 'work', state: 2, end: null },
    ...RUN,
  ]);
  const layout = layOut(skeleton, START_US);
  const label = (call: number): string => Object.values(callLabel(skeleton, layout, call, 610_000)).join(' | ');
  expect([label(0), label(1), label(2), label(3)]).toEqual(['100 ms', '90 ms | 1,120 tok', 'no end', '610 ms…']);
  expect(runLabel(layout, 0)).toEqual({ number: '50 ms', more: 'p50 38 ms · max 50 ms' });
});

test('completeness is said in words, also when all is there', () => {
  const say = (calls: readonly GivenCall[]): [string, boolean] => {
    const skeleton = skeletonOf(calls);
    const { text, isWhole } = completenessOf(skeleton, traceFacts(skeleton, layOut(skeleton, START_US)));
    return [text, isWhole];
  };
  expect(say([{}, { parent: 0 }])).toEqual(['2 of 2 received', true]);
  expect(say([{}, { parent: 0, state: 3, end: null }])).toEqual(['2 of 2 received · 1 never ended', false]);
  expect(say([{ parent: -2 }])).toEqual(['1 of 2 received · 1 parent missing', false]);
});

test('calls thinner than half a pixel are drawn together and counted', () => {
  const calls: GivenCall[] = [{ op: 'run', end: 1000 }];
  for (let index = 0; index < 1000; index++)
    calls.push({ parent: 0, start: index, end: index + 0.9, state: Number(index === 7) });
  const skeleton = skeletonOf(calls);
  const { lanes, times } = layOut(skeleton, START_US);
  const boxes = (from: number, to: number): ReturnType<typeof flameBoxes> =>
    flameBoxes({
      lanes,
      ...times,
      states: skeleton.states,
      scale: timeScale(from, to),
      width: 400,
      firstLane: 0,
      lastLane: 9,
    });
  expect(mergedCount(boxes(0, 1e6))).toEqual({ merged: 1000, all: 1001 });
  expect(boxes(0, 1e6).filter(({ isFailed }) => isFailed)).toHaveLength(1);
  expect(boxes(0, 1e6).length).toBeLessThan(410);
  expect(mergedCount(boxes(0, 49_950)).merged).toBe(0);
  expect(boxAt(boxes(0, 49_950), 1, 82)?.call).toBe(11);
});

test('what still runs reaches to the edge of the flame chart, however old its layout is', () => {
  const skeleton = skeletonOf([
    { end: null, state: 2 },
    { parent: 0, start: 1, end: 3 },
  ]);
  const { lanes, times } = layOut(skeleton, START_US + 4000);
  const scale = timeScale(0, 9000);
  const boxes = flameBoxes({ lanes, ...times, states: skeleton.states, scale, width: 90, firstLane: 0, lastLane: 1 });
  expect(boxes.map(({ width }) => Math.round(width))).toEqual([90, 20]);
});

test('of many calls that are too thin to be seen only those are red that failed', () => {
  const calls: GivenCall[] = [{ op: 'run', end: 10_000 }];
  for (let index = 0; index < 10_000; index++)
    calls.push({ parent: 0, start: index, end: index + 0.9, state: Number(index % 2500 === 1000) });
  const skeleton = skeletonOf(calls);
  const { lanes, times } = layOut(skeleton, START_US);
  const scale = timeScale(0, 1e7);
  const picture = { lanes, ...times, states: skeleton.states, scale, width: 1000, firstLane: 1, lastLane: 1 };
  const boxes = flameBoxes(picture);
  const failed = boxes.filter(({ isFailed }) => isFailed);
  expect(failed.map(({ x }) => Math.round(x))).toEqual([100, 350, 600, 850]);
  expect(failed.map(({ width }) => Math.round(width))).toEqual([1, 1, 1, 1]);
  expect(boxes).toHaveLength(9);
  expect(boxes.reduce((sum, box) => sum + box.calls, 0)).toBe(10_000);
});

test('a label says which attempt a call was, before its tokens', () => {
  const skeleton = skeletonOf([
    { op: 'ask', end: 9 },
    { op: 'chat', kind: 'llm', parent: 0, start: 1, end: 2, state: 1 },
    { op: 'chat', kind: 'llm', parent: 0, start: 3, end: 5, tokensIn: 8 },
  ]);
  const layout = layOut(skeleton, START_US);
  expect([0, 1, 2].map((call) => callLabel(skeleton, layout, call, 0).more)).toEqual([
    undefined,
    'attempt 1',
    'attempt 2 · 8 tok',
  ]);
});
