import Table from 'cli-table3';
import { colors } from './colors.ts';

export interface Column<Row> {
  readonly head: string;
  /** Plain text of a cell. */
  readonly cell: (row: Row) => string;
  readonly isRight?: boolean;
  readonly paint?: (text: string, row: Row) => string;
}

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap((side) => [side, `${side}-mid`, `${side}-left`, `${side}-right`, `mid-${side}`, `${side}-${side}`])
    .map((name) => [name, '']),
);

/** Lines of a table without borders; columns as wide as their widest cell. */
export function tableLines<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string[] {
  const table = new Table({
    head: columns.map(({ head }) => colors.dim(head)),
    colAligns: columns.map(({ isRight }) => (isRight ? 'right' : 'left')),
    chars: NO_LINES,
    style: { 'padding-left': 0, 'padding-right': 2, head: [], border: [] },
  });
  table.push(...rows.map((row) => columns.map(({ cell, paint }) => (paint ?? identity)(cell(row), row))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}

const identity = (text: string) => text;
