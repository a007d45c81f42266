import { backslashesBefore, isQuoteCode } from './member-key.ts';

/** A value within a text. `quote` goes around the replacement: an object becomes a text in the quotes of its key. */
export interface Value {
  readonly from: number;
  readonly to: number;
  readonly quote?: string;
}

/** Up to the first letter that ends it. */
export function until(text: string, at: number, end: RegExp, from = at): Value {
  end.lastIndex = at;
  return { from, to: end.exec(text)?.index ?? text.length };
}

/** Within quotes, however many strings they are nested in; an open quote ends with its line. */
export function quotedValue(text: string, at: number): Value | undefined {
  const quote = quoteAt(text, at);
  if (quote === '') return undefined;
  const from = at + quote.length;
  return { from, to: endOfQuoted(text, from, quote) };
}

function quoteAt(text: string, at: number): string {
  let mark = at;
  while (text[mark] === '\\') mark += 1;
  return isQuoteCode(text.charCodeAt(mark)) ? text.slice(at, mark + 1) : '';
}

/**
 * A quote within the value has more backslashes in front than the one that ends it: in JSON n of them become 2n + 1.
 * One with fewer ends a string around the value, which was cut.
 */
export function endOfQuoted(text: string, from: number, quote: string): number {
  const level = quote.length - 1;
  const end = QUOTE_OR_LINE[quote.at(-1) as '"' | "'" | '`'];
  for (let at = from; ; at += 1) {
    end.lastIndex = at;
    at = end.exec(text)?.index ?? text.length;
    if (at === text.length || text[at] === '\n') return at;
    const slashes = backslashesBefore(text, at, from);
    if (slashes < level || slashes % (2 * level + 2) === level) return at - Math.min(slashes, level);
  }
}

/** Whichever comes first; a template goes on in the next line. */
const QUOTE_OR_LINE = { '"': /["\n]/g, "'": /['\n]/g, '`': /`/g };

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at - from < 64 && (text[at] === ' ' || text[at] === '\t')) at += 1;
  return at;
}
