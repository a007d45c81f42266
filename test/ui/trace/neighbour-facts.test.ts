import { expect, test } from 'vitest';
import { layOut } from '../../../src/ui/trace/layout/trace-layout.ts';
import { neighbourFacts } from '../../../src/ui/trace/neighbour-facts.ts';
import { skeletonOf, START_US } from './skeletons.ts';

const SKELETON = skeletonOf([
  { op: 'answer', end: 500 },
  { parent: 0, op: 'send', start: 100, end: 110 },
  { parent: 0, op: 'send', start: 200, end: 240 },
  { parent: 0, op: 'send', start: 300, end: 390 },
]);

const factsOf = (call: number, skeleton = SKELETON): unknown[] => {
  const trace = { skeleton, layout: layOut(skeleton, START_US) };
  return neighbourFacts(trace, call).map(({ name, value }) => [name, value]);
};

test('a call among several of its op says which it is, what they mostly take, and when it began', () => {
  expect(factsOf(2)).toEqual([
    ['Op p50', '40 ms'],
    ['Peer', '2 of 3'],
    ['Started', '+200 ms'],
  ]);
});

test('the only call of its op is compared with none', () => {
  expect(factsOf(0)).toEqual([['Started', '+0 ms']]);
});

test('the first call of a trace began where the axis says, also where another clock put one before it', () => {
  const skewed = skeletonOf([
    { op: 'answer', start: 900, end: 1800 },
    { parent: 0, op: 'send', start: 0, end: 100 },
  ]);
  expect(factsOf(0, skewed)).toEqual([['Started', '+900 ms']]);
  expect(factsOf(1, skewed)).toEqual([['Started', '+0 ms']]);
});
