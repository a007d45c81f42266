import { expect, test } from 'vitest';
import { opSumsOf } from '../../../src/ui/trace/layout/op-sums.ts';
import { layOut } from '../../../src/ui/trace/layout/trace-layout.ts';
import { unpricedCalls } from '../../../src/ui/trace/layout/unpriced.ts';
import { skeletonOf, START_US } from './skeletons.ts';

const MIXED = [
  { op: 'agent', tokensIn: 30, cost: 0.02, end: 10 },
  { op: 'chat', kind: 'llm', parent: 0, tokensIn: 10, cost: 0.02, model: 'known' },
  { op: 'plan', parent: 0, tokensIn: 20, end: 5 },
  { op: 'local', kind: 'llm', parent: 2, tokensIn: 20, model: 'own' },
  { op: 'tool', parent: 0 },
];

test('tokens without a price mark a call and all above it', () => {
  const skeleton = skeletonOf(MIXED);
  expect([...unpricedCalls(skeleton, layOut(skeleton, START_US).tree)]).toEqual([1, 0, 1, 1, 0]);
});

test('an op is marked for its own tokens, not for those below it', () => {
  const skeleton = skeletonOf(MIXED);
  const layout = layOut(skeleton, START_US);
  const costs = opSumsOf(skeleton, layout, 0, layout.times.span).map(({ op, cost }) => [skeleton.ops[op]?.name, cost]);
  expect(Object.fromEntries(costs)).toEqual({
    agent: { usd: null, isUnpriced: false },
    chat: { usd: 0.02, isUnpriced: false },
    plan: { usd: null, isUnpriced: false },
    local: { usd: null, isUnpriced: true },
    tool: { usd: null, isUnpriced: false },
  });
});

test('a call with tokens of its own is marked also where one below it is', () => {
  const skeleton = skeletonOf([
    { op: 'agent', tokensIn: 50, end: 10 },
    { op: 'local', kind: 'llm', parent: 0, tokensIn: 20, model: 'own' },
  ]);
  const layout = layOut(skeleton, START_US);
  const marks = opSumsOf(skeleton, layout, 0, layout.times.span).map(({ cost }) => cost.isUnpriced);
  expect(marks).toEqual([true, true]);
});
