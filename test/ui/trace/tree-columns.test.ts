import { expect, test } from 'vitest';
import { treeColumns } from '../../../src/ui/trace/tree/tree-columns.ts';

test.each([480, 496, 640, 760, 1200])('in a tree of %d pixels the time line keeps its room', (width) => {
  const { name, cost } = treeColumns({ width, deepest: 3, isPhone: false, isNarrow: false });
  expect(width - name - cost).toBeGreaterThanOrEqual(240);
  expect(name).toBeGreaterThanOrEqual(220);
});
