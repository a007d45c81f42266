import { expect, test } from 'vitest';
import type { Column } from '../../../src/cli/output/column.ts';
import { tableLines } from '../../../src/cli/output/table.ts';

interface Row {
  readonly time: string;
  readonly name: string;
  readonly count: number;
}

const ROWS: readonly Row[] = [
  { time: '2026-01-02 03:04:05', name: 'a name that is rather long', count: 1234 },
  { time: '2026-01-02 03:04:06', name: '検索検索検索検索', count: 1 },
];

const COLUMNS: readonly Column<Row>[] = [
  { head: 'time', shortHead: 't', cell: ({ time }) => time, short: ({ time }) => time.slice(11) },
  { head: 'name', cell: ({ name }) => name, least: 10 },
  { head: 'calls', cell: ({ count }) => String(count), isRight: true, rank: 2 },
  { head: 'more', cell: () => 'more', rank: 1 },
];

const widthsOf = (lines: readonly string[]) => Math.max(...lines.map(({ length }) => length));

test('where there is room all is told', () => {
  expect(tableLines(ROWS, COLUMNS, 60)[1]).toBe('2026-01-02 03:04:05  a name that is rather long   1234  more');
});

test('first short forms are taken, with their heads', () => {
  const lines = tableLines(ROWS, COLUMNS, 59);
  expect(lines[0]).toBe('t         name                        calls  more');
  expect(lines[1]).toBe('03:04:05  a name that is rather long   1234  more');
});

test('then long texts are cut, by the width that they have on the screen', () => {
  const lines = tableLines(ROWS, COLUMNS, 37);
  expect(lines[1]).toBe('03:04:05  a name that i…   1234  more');
  expect(lines[2]).toBe('03:04:06  検索検索検索…       1  more');
});

test('then columns leave, the highest rank first, and the rest has their room', () => {
  const lines = tableLines(ROWS, COLUMNS, 30);
  expect(lines[0]).toBe('t         name            more');
  expect(lines[1]).toBe('03:04:05  a name that i…  more');
  expect(widthsOf(lines)).toBeLessThanOrEqual(30);
});

test('what may not yield stays, however narrow it is', () => {
  expect(tableLines(ROWS, COLUMNS, 5)[1]).toBe('03:04:05  a name th…');
});
