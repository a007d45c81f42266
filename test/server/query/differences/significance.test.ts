import { expect, test } from 'vitest';
import { chanceOf, corrected } from '../../../../src/server/query/differences/significance.ts';

/** Computed with whole numbers of any size where a cell is expected to be small, else with `erfc` of a mathematical library. */
const TABLES = [
  [3, 10, 1, 10, 0.5820433436532507],
  [8, 20, 5, 1000, 5.438407743331928e-12],
  [0, 12, 30, 4000, 1],
  [5, 5, 0, 1000, 1.1821667482904644e-13],
  [30, 100, 60, 400, 0.0008179583875262726],
  [450, 1000, 300, 1000, 5.901171118118361e-12],
] as const;

test.each(TABLES)('the chance of %d of %d beside %d of %d', (a, n, b, m, expected) => {
  expect(chanceOf({ hits: a, count: n }, { hits: b, count: m }) / expected).toBeCloseTo(1, 6);
});

test('chances are the same from both sides, and fall as shares part', () => {
  let last = 1;
  for (const hits of [30, 35, 45, 60, 90]) {
    const [one, other] = [
      { hits, count: 100 },
      { hits: 300, count: 1000 },
    ];
    const chance = chanceOf(one, other);
    expect(chance).toBeCloseTo(chanceOf(other, one), 12);
    expect(chance).toBeLessThanOrEqual(last);
    last = chance;
  }
  expect(last).toBeLessThan(1e-20);
});

test('nothing is told of what all have, or none', () => {
  expect(chanceOf({ hits: 5, count: 5 }, { hits: 9, count: 9 })).toBe(1);
  expect(chanceOf({ hits: 0, count: 5 }, { hits: 0, count: 9 })).toBe(1);
  expect(chanceOf({ hits: 0, count: 0 }, { hits: 3, count: 9 })).toBe(1);
});

test('chances are corrected for being many', () => {
  expect(corrected([0.01, 0.04, 0.03, 0.5])).toEqual([0.04, expect.closeTo(0.0533333), expect.closeTo(0.0533333), 0.5]);
  expect(corrected([])).toEqual([]);
});
