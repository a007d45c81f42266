import { displayWidth, toPlainText } from './plain-text.ts';
import { screenWidth } from './screen.ts';
import { wrapped } from './wrapped.ts';

const BETWEEN = ' · ';

/**
 * Facts with a point between them, in as few lines as the screen lets them have; one that is longer than a line goes on
 * in the next. A fact may be painted.
 */
export function joinedLines(facts: readonly string[], room: number = screenWidth()): string[] {
  const lines: string[] = [];
  for (const fact of facts) {
    const longer = `${lines.at(-1)}${BETWEEN}${fact}`;
    if (lines.length > 0 && displayWidth(toPlainText(longer)) <= room) lines[lines.length - 1] = longer;
    else lines.push(fact);
  }
  return lines.flatMap((line) => wrapped(line, { room }));
}
