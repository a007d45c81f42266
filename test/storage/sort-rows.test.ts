import { expect, test } from 'vitest';
import type { RowSortKey } from '../../src/storage/contract/plan.ts';
import { sortRows } from '../../src/storage/values/sort-rows.ts';

const KEYS: readonly RowSortKey[] = [{ path: ['n'], isDescending: true }];

/** Rows of few values, so that many are equal; each is read once, and counted while it is kept. */
function rowsOf(count: number) {
  return Array.from({ length: count }, (_, position) => ({ position, val: `{"n":${(position * 7919) % 50}}` }));
}

test.each([
  [0, 10],
  [10, 0],
  [3000, 1],
  [3000, 999],
  [3001, 1000],
  [20_000, 5000],
  [20_000, 30_000],
])('of %i rows the first %i are those of all in order', (count, end) => {
  const all = sortRows(rowsOf(count), KEYS);
  expect(all).toHaveLength(count);
  expect(sortRows(rowsOf(count), KEYS, end)).toEqual(all.slice(0, end));
});
