import type { Span } from '../../filter/tree.ts';
import { displayWidth } from './plain-text.ts';

/** Characters that are shown before and after a place. */
const AROUND = 60;

/** A text with carets under a piece of it, in two lines; of a long text what is around the piece. */
export function caretLines(text: string, { offset, length }: Span): string {
  const start = Math.max(0, offset - AROUND);
  const end = Math.min(text.length, offset + AROUND);
  const [before, piece, after] = [
    text.slice(start, offset),
    text.slice(offset, Math.min(offset + length, end)),
    text.slice(offset, end),
  ].map(visible);
  const head = start > 0 ? '…' : '';
  const carets = '^'.repeat(Math.max(1, displayWidth(piece ?? '')));
  const blanks = ' '.repeat(displayWidth(`${head}${before}`));
  return `  ${head}${before}${after}${end < text.length ? '…' : ''}\n  ${blanks}${carets}`;
}

/** As many columns as characters that cannot be seen, so that carets stand where they should. */
function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
