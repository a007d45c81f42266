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

test('the time of a table grows with its rows, not with their square', () => {
  const timeOf = (count: number) => {
    const rows = Array.from({ length: count }, (_row, n) => n);
    const began = process.cpuUsage();
    tableLines(rows, [
      { head: 'a', cell: (n) => `row ${n}` },
      { head: 'b', cell: String, isRight: true },
    ]);
    return process.cpuUsage(began).user;
  };
  timeOf(2000);
  // Sixteen times as many would take 256 times as long; a slow machine is slow in both.
  expect(timeOf(32_000) / timeOf(2000)).toBeLessThan(100);
});
