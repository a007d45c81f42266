import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { RowSortKey } from '../../src/storage/contract/plan.ts';
import { SortedRows, sortRows } from '../../src/storage/values/sort-rows.ts';

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

test('rows that come in portions are sorted as if they came at once', () => {
  const rows = rowsOf(20_000);
  const sorted = new SortedRows(KEYS, 700);
  for (let index = 0; index < rows.length; index += 500) sorted.take(rows.slice(index, index + 500));
  expect(sorted.positions()).toEqual(sortRows(rows, KEYS).slice(0, 700));
});

test('of rows that were taken no text is kept, and of rows beyond the end nothing', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  const sorted = new SortedRows(KEYS, 10);
  for (let portion = 0; portion < 100; portion++) {
    sorted.take(Array.from({ length: 500 }, (_, position) => ({ position, val: `{"n":1,"t":"${'x'.repeat(2000)}"}` })));
  }
  // A hundred megabytes of texts have come, and 50,000 rows.
  expect(used() - before).toBeLessThan(2_000_000);
  expect(sorted.positions()).toHaveLength(10);
});
