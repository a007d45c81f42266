import { type ComparedLine, compareLines } from '../../../reader/compare/line-changes.ts';
import { colors } from '../colors.ts';
import { formatCount } from '../numbers.ts';
import { toPlainText } from '../plain-text.ts';
import { screenWidth } from '../screen.ts';
import { wrappedWithin } from '../wrapped.ts';

/** Equal lines that are told around those that differ. */
const AROUND = 3;
const MAX_LINES = 200;
const SIGNS = { both: ' ', a: '−', b: '+' };

/** Two texts as one: lines that only A has with `−`, those that only B has with `+`, and a few equal ones around them. */
export function lineDiff(a: string, b: string): string[] {
  const lines = compareLines(toPlainText(a), toPlainText(b));
  const shown = lines.map((_line, index) => isNearChange(lines, index));
  const told: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (shown[index] !== true) continue;
    if (index > 0 && shown[index - 1] !== true) told.push(colors.dim('…'));
    told.push(...lineTexts(line));
  }
  const rest = told.length - MAX_LINES;
  return rest > 0 ? [...told.slice(0, MAX_LINES), `… ${formatCount(rest)} more lines`] : told;
}

function isNearChange(lines: readonly ComparedLine[], index: number): boolean {
  return lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ side }) => side !== 'both');
}

function lineTexts({ side, text }: ComparedLine): string[] {
  const paint = side === 'a' ? colors.red : side === 'b' ? colors.green : colors.dim;
  return wrappedWithin(text, screenWidth() - 2).map((part) => paint(`${SIGNS[side]} ${part}`.trimEnd()));
}
