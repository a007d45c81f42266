import { displayWidth, toPlainText } from './plain-text.ts';
import { screenWidth } from './screen.ts';

export interface WrapOptions {
  /** In characters. @default the width of the terminal that standard output goes to */
  readonly room?: number;
  /** Blanks before the lines after the first. @default 2 */
  readonly indent?: number;
}

/**
 * A sentence in lines for which there is room, broken between its words. A longer word stays whole: it may be a path or an
 * address, which is copied. One for which there is no room behind the blanks has none. A word may be painted.
 */
export function wrapped(text: string, { room = screenWidth(), indent = 2 }: WrapOptions = {}): string[] {
  if (room === Infinity) return [text];
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length === 0) lines.push(word);
    else if (displayWidth(toPlainText(longer)) <= room) lines[lines.length - 1] = longer;
    else lines.push(`${' '.repeat(displayWidth(toPlainText(word)) + indent <= room ? indent : 0)}${word}`);
  }
  return lines;
}

/** The same for texts that stand in a drawing: longer words are broken, too. Lines keep the blanks they begin with. */
export function wrappedWithin(line: string, room: number): string[] {
  if (room === Infinity) return [line];
  const [lead = ''] = /^ */.exec(line) ?? [];
  const width = Math.max(room - lead.length, LEAST_WIDTH);
  const parts = wrapped(line.slice(lead.length), { room: width, indent: 0 });
  return parts.flatMap((part) => pieces(part, width)).map((piece) => `${lead}${piece}`);
}

/** Narrower than this, lines would be letters. */
const LEAST_WIDTH = 8;

function pieces(text: string, width: number): string[] {
  const found: string[] = [];
  let piece = '';
  for (const char of text) {
    if (displayWidth(piece + char) > width) {
      found.push(piece);
      piece = '';
    }
    piece += char;
  }
  return [...found, piece];
}
