import type { Column } from './column.ts';
import { cutToWidth, displayWidth } from './plain-text.ts';

/** Blanks between two columns. */
export const GAP = 2;

/**
 * The columns as they fit in `room`: first all that have a short form take it, then long texts are cut, the longest
 * first, then columns leave, until the rest has room. Where even that is too much, the rest is what stays.
 */
export function fitColumns<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  room: number,
): readonly Column<Row>[] {
  if (room === Infinity || widthOf(rows, columns) <= room) return columns;
  let kept: readonly Column<Row>[] = columns.map(shortened);
  for (;;) {
    const cut = cutColumns(rows, kept, room);
    const leaving = leavingOf(kept);
    if (leaving === undefined || widthOf(rows, cut) <= room) return cut;
    kept = kept.filter((column) => column !== leaving);
  }
}

function shortened<Row>(column: Column<Row>): Column<Row> {
  const { short, shortHead, head, cell } = column;
  return { ...column, cell: short ?? cell, head: shortHead ?? head };
}

function leavingOf<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  const rankOf = ({ rank = 0 }: Column<Row>) => rank;
  const [first] = columns.filter((column) => rankOf(column) > 0).toSorted((a, b) => rankOf(b) - rankOf(a));
  return first;
}

function cutColumns<Row>(rows: readonly Row[], columns: readonly Column<Row>[], room: number): readonly Column<Row>[] {
  const widths = columns.map((column) => columnWidth(rows, column));
  let tooMuch = sumOf(widths) - room;
  while (tooMuch > 0) {
    const widest = widestAbove(widths, columns);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    tooMuch -= 1;
  }
  return columns.map((column, index) => withWidth(column, widths[index] ?? Infinity));
}

/** Index of the widest column that may still be cut. */
function widestAbove<Row>(widths: readonly number[], columns: readonly Column<Row>[]): number | undefined {
  let found: number | undefined;
  for (const [index, { least = Infinity, head }] of columns.entries()) {
    const width = widths[index] ?? 0;
    if (width > Math.max(least, head.length) && width > (found === undefined ? 0 : (widths[found] ?? 0))) found = index;
  }
  return found;
}

function withWidth<Row>(column: Column<Row>, width: number): Column<Row> {
  return column.least === undefined ? column : { ...column, cell: (row: Row) => cutToWidth(column.cell(row), width) };
}

function widthOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): number {
  return sumOf(columns.map((column) => columnWidth(rows, column)));
}

/** With the blanks between columns. */
function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width + GAP, -GAP);
}

function columnWidth<Row>(rows: readonly Row[], { head, cell }: Column<Row>): number {
  return rows.reduce((width, row) => Math.max(width, displayWidth(cell(row))), head.length);
}
