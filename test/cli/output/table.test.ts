import { expect, test } from 'vitest';
import { tableLines } from '../../../src/cli/output/table.ts';

test('columns are as wide as their widest cell, without lines between them', () => {
  const rows = [
    { name: 'a', count: 1 },
    { name: '検索', count: 1000 },
  ];
  const lines = tableLines(rows, [
    { head: 'name', cell: ({ name }) => name },
    { head: 'n', cell: ({ count }) => String(count), isRight: true },
    { head: 'x', cell: () => '' },
  ]);
  expect(lines).toEqual(['name     n  x', 'a        1', '検索  1000']);
});
