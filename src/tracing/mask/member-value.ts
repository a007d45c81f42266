import { flagValue } from './flag-value.ts';
import type { Key } from './member-key.ts';
import { endOfQuoted, quotedValue, skipSpace, until, type Value } from './quoted-value.ts';

/** The value behind the name of a secret; `undefined` where that is no value. */
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

/** Words behind a colon in declarations and schemas. */
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
