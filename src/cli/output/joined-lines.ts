import { displayWidth, toPlainText } from './plain-text.ts';
import { screenWidth } from './screen.ts';

const BETWEEN = ' · ';

/** Facts with a point between them, in as few lines as the screen lets them have. A fact may be painted. */
export function joinedLines(facts: readonly string[], room: number = screenWidth()): string[] {
  const lines: string[] = [];
  for (const fact of facts) {
    const longer = `${lines.at(-1)}${BETWEEN}${fact}`;
    if (lines.length > 0 && displayWidth(toPlainText(longer)) <= room) lines[lines.length - 1] = longer;
    else lines.push(fact);
  }
  return lines;
}
