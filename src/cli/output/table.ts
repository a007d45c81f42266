import { colors } from './colors.ts';
import type { Column } from './column.ts';
import { fitColumns, GAP } from './fit-columns.ts';
import { displayWidth } from './plain-text.ts';
import { screenWidth } from './screen.ts';

/**
 * Lines of a table without borders; columns as wide as their widest cell, where `room` suffices for them. Tables of
 * thousands of rows are usual, for which libraries that lay out cells over each other take time by the square.
 *
 * @param room in characters
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  room: number = screenWidth(),
): string[] {
  const fitting = fitColumns(rows, columns, room).map((column) => filled(rows, column));
  return [-1, ...rows.keys()].map((row) =>
    fitting
      .map((cells) => cells[row + 1])
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

/** The cells of a column with its head before them, all of one width. */
function filled<Row>(rows: readonly Row[], { head, cell, isRight, paint }: Column<Row>): string[] {
  const texts = rows.map(cell);
  const width = texts.reduce((widest, text) => Math.max(widest, displayWidth(text)), head.length);
  const fill = (text: string, painted: string) => {
    const blanks = ' '.repeat(width - displayWidth(text));
    return isRight ? `${blanks}${painted}` : `${painted}${blanks}`;
  };
  const cells = rows.map((row, index) => {
    const text = texts[index] ?? '';
    return fill(text, paint ? paint(text, row) : text);
  });
  return [fill(head, colors.dim(head)), ...cells];
}
