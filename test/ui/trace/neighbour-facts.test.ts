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

const factsOf = (call: number): unknown[] => {
  const trace = { skeleton: SKELETON, layout: layOut(SKELETON, START_US) };
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
