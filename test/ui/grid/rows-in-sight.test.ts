import { expect, test } from 'vitest';
import { rowsInSight } from '../../../src/ui/grid/rows-in-sight.ts';

test('the rows in sight are there with some around them, and the list has ends', () => {
  const rows = rowsInSight({ first: 100, room: 10, count: 1000, kept: -1 });
  expect(rows.slice(0, 2)).toEqual([88, 89]);
  expect(rows.at(-1)).toBe(121);
  expect(rowsInSight({ first: 0, room: 10, count: 5, kept: -1 })).toEqual([0, 1, 2, 3, 4]);
  expect(rowsInSight({ first: 30, room: 10, count: 0, kept: -1 })).toEqual([]);
});

test('a row that is kept is there once, wherever the list is scrolled to', () => {
  const sight = { first: 100, room: 10, count: 1000 };
  expect(rowsInSight({ ...sight, kept: 3 }).slice(0, 2)).toEqual([3, 88]);
  expect(rowsInSight({ ...sight, kept: 900 }).slice(-2)).toEqual([121, 900]);
  expect(rowsInSight({ ...sight, kept: 105 })).toEqual(rowsInSight({ ...sight, kept: -1 }));
});
