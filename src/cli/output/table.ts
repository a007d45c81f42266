import Table from 'cli-table3';
import { colors } from './colors.ts';
import type { Column } from './column.ts';
import { fitColumns, GAP } from './fit-columns.ts';
import { screenWidth } from './screen.ts';

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`, `mid-${side}`, `${side}-${side}`])
    .map((name) => [name, '']),
);

/**
 * Lines of a table without borders; columns as wide as their widest cell, where `room` suffices for them.
 *
 * @param room in characters
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  room: number = screenWidth(),
): string[] {
  const fitting = fitColumns(rows, columns, room);
  const table = new Table({
    head: fitting.map(({ head }) => colors.dim(head)),
    colAligns: fitting.map(({ isRight }) => (isRight ? 'right' : 'left')),
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': GAP, head: [], border: [] },
  });
  table.push(...rows.map((row) => fitting.map(({ cell, paint }) => (paint ?? identity)(cell(row), row))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

const identity = (text: string) => text;
