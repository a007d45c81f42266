import { backslashesBefore, isQuoteCode, type Key } from './member-key.ts';

/** A value within a text. `instead` goes around the replacement: an object becomes a text in the quotes of its key. */
export interface Value {
  readonly from: number;
  readonly to: number;
  readonly quote?: string;
}

/** What stands behind the name of a secret; `undefined` where that is no value. */
export function valueOf(text: string, at: number, key: Key): Value | undefined {
  const separator = text[at];
  if (separator === '-') return flagValue(text, key.to);
  if (separator === '<') return until(text, key.to + 1, /</g);
  const next = text[at + 1];
  if (separator === ':' && next === '/') return undefined;
  const isArrow = separator === '=' && next === '>';
  const start = isArrow || (separator === ':' && next === '=') ? at + 2 : at + 1;
  if (text[start] === '=') return undefined;
  const from = skipSpace(text, start);
  const quoted = quotedValue(text, from);
  if (quoted !== undefined || isArrow) return quoted;
  const first = text[from];
  if (first === '{' || first === '[') return key.quote === '' ? undefined : blockValue(text, from, key.quote);
  return separator === '=' ? assignedValue(text, start, from) : namedValue(text, start, from, key);
}

/** `--token x` */
function flagValue(text: string, at: number): Value | undefined {
  // Spaces are `+` in a form.
  if (text[at] === '+') return until(text, at + 1, /[\s"'`\\+&]/g);
  if (text[at] !== ' ') return undefined;
  const from = skipSpace(text, at);
  return quotedValue(text, from) ?? (text[from] === '-' ? undefined : until(text, from, /[\s"'`\\]/g));
}

/** Without spaces all up to the next member; with them, as in files of settings and in code, only what looks random. */
function assignedValue(text: string, start: number, from: number): Value | undefined {
  if (from === start) return until(text, from, /[&;,\s"'`<>\\]/g);
  const value = until(text, from, /[\s"'`,;(){}[\]<>&\\]/g);
  return isOdd(text.slice(value.from, value.to)) && !/[;,([]/.test(text[value.to] ?? '') ? value : undefined;
}

/** A header, a line of YAML, or a remark in a message. */
function namedValue(text: string, start: number, from: number, key: Key): Value | undefined {
  if (/^(?:proxy-)?authorization$|^(?:set-)?cookie$/i.test(text.slice(key.from, key.to))) return lineOf(text, from);
  // Up to the next colon, since all behind it would be looked at again when this is no secret.
  const value = until(text, from, /[\s"'`,;(){}[\]<>&\\:]/g);
  const word = text.slice(value.from, value.to);
  if (isOdd(word)) return until(text, value.to, /[\s"'`,;(){}[\]<>&\\]/g, from);
  return from > start && isLine(text, key, value.to) && !HARMLESS_VALUE.test(word) ? value : undefined;
}

/** What stands behind a colon in declarations and schemas. */
const HARMLESS_VALUE =
  /^(?:string|number|boolean|any|unknown|never|object|null|undefined|none|true|false|str|int|required|optional|\W*)$/i;

/** Does what stands here look like a code that a login hands over? */
export function isCode(text: string, at: number): boolean {
  CODE.lastIndex = at;
  return isOdd(CODE.exec(text)?.[0] ?? '');
}

/** The beginning of one tells. */
const CODE = /[^&;,\s"'`<>\\]{0,256}/y;

function isOdd(word: string): boolean {
  return word.length >= 6 && /\d/.test(word) && /[A-Za-z]|\d{6}/.test(word);
}

/** Is there nothing else in this line, whether it is a line of the text or of a text within? */
function isLine(text: string, key: Key, to: number): boolean {
  const before = text.slice(Math.max(0, key.from - 40), key.from);
  const isFirst = /(?:^|[\n\r]|\\[nr])[ \t-]*$/.test(before) && (key.from <= 40 || /[\n\r]|\\[nr]/.test(before));
  return isFirst && /^[ \t]*(?:$|[\n\r]|\\[nr])/.test(text.slice(to, to + 40));
}

/** Up to the end of the line, or of the text around it when that is a member of JSON. */
function lineOf(text: string, from: number): Value {
  return until(text, from, /[\n\r]|\\[nr]|\\{0,7}["'](?=\s{0,9}(?:[}\]]|,\s{0,9}\\{0,7}["'{[]|https?:|$))/g);
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
function endOfQuoted(text: string, from: number, quote: string): number {
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

/** An object or list of JSON, with all that is in it. */
function blockValue(text: string, from: number, quote: string): Value {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const letter = text[at];
    if (letter === '{' || letter === '[') depth += 1;
    else if (letter === '}' || letter === ']') depth -= 1;
    else if (letter === quote.at(-1)) at = endOfQuoted(text, at + 1, quote) + quote.length - 1;
    if (depth === 0) return { from, to: at + 1, quote };
  }
  return { from, to: text.length, quote };
}

export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at - from < 64 && (text[at] === ' ' || text[at] === '\t')) at += 1;
  return at;
}
