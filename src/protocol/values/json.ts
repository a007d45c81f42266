import { stringify } from 'lossless-json';
import { wellFormedText } from '../../host/well-formed.ts';
import { canonicalNumber, type JsonValue, NumberToken } from './canonical-json.ts';
import { TracingError } from '../error.ts';

/**
 * Number tokens that `JSON.parse` and `JSON.stringify` would not give back in canonical form (`1.0`, exponents,
 * 16 digits and more, small fractions), and escapes that may be half of a surrogate pair. Nearly all texts have
 * none, so the native parser can be used; a match that is no such token only costs time.
 */
const NEEDS_LOSSLESS =
  /(?:^|[[,:])\s*-?(?:\d{16}|\d+\.\d*0\s*(?:$|[,\]}])|0\.0000|\d+\.\d{16}|\d+(?:\.\d+)?[eE][+-]?\d)|\\u[dD][89a-fA-F]/;

/**
 * Reads JSON text without loss: numbers keep their class and digits, the last of duplicate keys wins, unpaired
 * surrogate escapes become U+FFFD. Throws `invalid_json`.
 */
export function parseJson(text: string): JsonValue {
  const value = parsePlainJson(text);
  return NEEDS_LOSSLESS.test(text) ? parseLosslessly(text) : value;
}

/** Compact JSON text, members in the order of the value, number tokens as they are. */
export function stringifyJson(value: JsonValue): string {
  const before = NumberToken.stringifiedCount;
  const text = JSON.stringify(value);
  if (NumberToken.stringifiedCount === before) return text;
  return stringify(value, undefined, undefined, [NUMBER_TOKEN_STRINGIFIER]) ?? 'null';
}

const NUMBER_TOKEN_STRINGIFIER = {
  test: (value: unknown) => value instanceof NumberToken,
  stringify: (value: unknown) => (value as NumberToken).text,
};

/** Reads JSON text of which it is known that nothing in it needs more care. Throws `invalid_json`. */
export function parsePlainJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    throw new TracingError('invalid_json', 'Cannot read the body: it is not JSON', { cause: error });
  }
}

/**
 * Number tokens that a double cannot keep become texts with a mark, which the native parser reads a hundred times
 * faster than any parser that looks at each character.
 */
function parseLosslessly(text: string): JsonValue {
  const mark = markFor(text);
  const marked = replaceNumbers(text, (token) => {
    const kept = keptToken(token);
    return kept === undefined ? token : `"${mark}${kept}"`;
  });
  const value = withMarked(JSON.parse(marked) as JsonValue, mark, (kept) => new NumberToken(kept));
  return /\\u[dD][89a-fA-F]/.test(text) ? withWellFormedText(value) : value;
}

/** Characters that hardly any text has, each a byte in memory. */
const RARE = ['\u007f', '\u0080', '\u0081', '\u008d', '\u008f', '\u0090', '\u009d'];

/** A beginning that no text of a client has: short, for it is written once for each number. */
function markFor(text: string): string {
  const rare = text.includes('\\u00') ? undefined : RARE.find((character) => !text.includes(character));
  // Nobody knows it before.
  return rare ?? `${String(Math.random())}${crypto.getRandomValues(new Uint32Array(4)).join('-')}#`;
}

/**
 * A quote, or the beginning of a number that may not print as it was written: a fraction, an exponent, many digits,
 * minus zero. Its length is bounded: a pattern over a million digits overflows the stack.
 */
const QUOTE_OR_NUMBER = /"|-?\d{16}|-?\d{1,15}[.eE]|-0/g;

/** Replaces numbers outside of strings, which are jumped over from quote to quote. */
function replaceNumbers(text: string, replace: (token: string) => string): string {
  const pattern = new RegExp(QUOTE_OR_NUMBER);
  const result = new PieceText();
  let done = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[0] === '"') {
      pattern.lastIndex = endOfString(text, match.index);
      continue;
    }
    const end = endOfNumber(text, pattern.lastIndex);
    result.add(text.slice(done, match.index), replace(text.slice(match.index, end)));
    pattern.lastIndex = done = end;
  }
  return result.finish(text.slice(done));
}

/** A text that is made of very many: those that were added are not kept one by one. */
class PieceText {
  readonly #pieces: string[] = [];
  #last: string[] = [];

  add(...texts: readonly string[]): void {
    this.#last.push(...texts);
    if (this.#last.length >= PIECE_TEXTS) this.#join();
  }

  finish(text: string): string {
    this.add(text);
    this.#join();
    return this.#pieces.join('');
  }

  #join(): void {
    this.#pieces.push(this.#last.join(''));
    this.#last = [];
  }
}

const PIECE_TEXTS = 1000;

/** So many at a time: a pattern over a million digits overflows the stack. */
const NUMBER_CHARACTERS = /[\d.eE+-]{1,1000}/y;

function endOfNumber(text: string, start: number): number {
  NUMBER_CHARACTERS.lastIndex = start;
  let end = start;
  while (NUMBER_CHARACTERS.test(text)) end = NUMBER_CHARACTERS.lastIndex;
  return end;
}

function endOfString(text: string, quote: number): number {
  let end = quote;
  do end = text.indexOf('"', end + 1);
  while (isEscaped(text, end));
  return end + 1;
}

/** Is the character behind an odd number of backslashes? */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text[first - 1] === '\\') first -= 1;
  return (index - first) % 2 === 1;
}

/** The canonical text of a number that would lose its class or digits as a plain one. */
function keptToken(token: string): string | undefined {
  const value = Number(token);
  // Nearly all numbers print as they were written; below this, fractions print with an exponent in canonical text.
  if (String(value) === token && (Math.abs(value) >= 0.0001 || value === 0)) return undefined;
  const canonical = canonicalNumber(token);
  if (canonical === undefined)
    throw new TracingError('invalid_json', `Cannot read the number ${token.slice(0, 100)}: it is too large`);
  return JSON.stringify(value) === canonical ? undefined : canonical;
}

/**
 * Puts what is made of the rest of texts that begin with a mark in their place; the value is changed, for nobody else has it
 * yet.
 */
export function withMarked(value: JsonValue, mark: string, make: (rest: string) => JsonValue): JsonValue {
  if (typeof value === 'string') return value.startsWith(mark) ? make(value.slice(mark.length)) : value;
  if (typeof value !== 'object' || value === null || value instanceof NumberToken) return value;
  // Nobody else has it yet.
  if (Array.isArray(value)) putItems(value as JsonValue[], mark, make);
  else putMembers(value as Record<string, JsonValue>, mark, make);
  return value;
}

function putItems(items: JsonValue[], mark: string, make: (rest: string) => JsonValue): void {
  for (const [index, item] of items.entries()) {
    const replaced = withMarked(item, mark, make);
    if (replaced !== item) items[index] = replaced;
  }
}

function putMembers(holder: Record<string, JsonValue>, mark: string, make: (rest: string) => JsonValue): void {
  for (const key of Object.keys(holder)) {
    const member = holder[key];
    if (typeof member !== 'string' && (typeof member !== 'object' || member === null)) continue;
    const replaced = withMarked(member, mark, make);
    if (replaced !== member) putMember(holder, key, replaced);
  }
}

/** Assigning to `__proto__` would not make a member. */
export function putMember(holder: Record<string, JsonValue>, key: string, value: JsonValue): void {
  if (key !== '__proto__') holder[key] = value;
  else Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
}

function withWellFormedText(value: JsonValue): JsonValue {
  if (typeof value === 'string') return wellFormedText(value);
  if (value === null || typeof value !== 'object' || value instanceof NumberToken) return value;
  if (Array.isArray(value)) return value.map(withWellFormedText);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [wellFormedText(key), withWellFormedText(member)]),
  );
}
