import { expect, test } from 'vitest';
import { treeColumns } from '../../../src/ui/trace/tree/tree-columns.ts';

test.each([480, 496, 640, 760, 1200])('in a tree of %d pixels the time line keeps its room', (width) => {
  const { name, cost } = treeColumns({ width, deepest: 3, isPhone: false, isNarrow: false });
  expect(width - name - cost).toBeGreaterThanOrEqual(240);
  expect(name).toBeGreaterThanOrEqual(220);
});

test('in the pane of a tablet it keeps some, and lines are moved to the right as their depth is', () => {
  const { name, cost, deepest } = treeColumns({ width: 380, deepest: 2, isPhone: false, isNarrow: true });
  expect({ name, cost }).toEqual({ name: 190, cost: 0 });
  expect(deepest).toBeGreaterThanOrEqual(2);
});

test.each([
  [600, 232],
  [656, 244],
  [816, 304],
  [1296, 304],
])('in a tree of %d pixels names take %d of them', (width, expected) => {
  expect(treeColumns({ width, deepest: 0, isPhone: false, isNarrow: false })).toMatchObject({
    name: expected,
    cost: 72,
  });
});
