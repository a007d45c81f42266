import { expect, test } from 'vitest';
import { formatCost } from '../../../src/ui/format/cost.ts';

test.each([
  [{ usd: 0.021, isUnpriced: false }, '$0.021'],
  [{ usd: 0.021, isUnpriced: true }, '≥ $0.021'],
  [{ usd: 0, isUnpriced: false }, '$0'],
  [{ usd: null, isUnpriced: true }, 'no price'],
  [{ usd: null, isUnpriced: false }, undefined],
])('of %o one reads %s', (cost, text) => {
  expect(formatCost(cost)).toBe(text);
});
