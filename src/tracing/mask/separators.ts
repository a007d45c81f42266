import type { Marks } from './text-marks.ts';

/** Can there be one? Most texts are prose. */
export function mayHoldSeparator(text: string, { hasColon, hasDash }: Marks): boolean {
  if (hasColon || text.includes('=') || text.includes('<')) return true;
  return (hasDash && text.includes('--')) || pair(text, 0) < text.length;
}

/**
 * Finds what stands between a key and its value, from left to right: `:` and `=`, and in front of the key a flag or a tag:
 * `--token x`, `<token>x<`, or a list that is a pair: `["token","x"]`. Each kind is searched for by itself, since a search for a single character is ten times as
 * fast as an expression.
 */
export class Separators {
  readonly #text: string;
  /** The next one of each kind. */
  #colon = -1;
  #equals = -1;
  #flag = -1;
  #tag = -1;
  #pair = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The first one at or behind `from`; the length of the text when there is none. */
  next(from: number): number {
    const text = this.#text;
    if (this.#colon < from) this.#colon = place(text, ':', from);
    if (this.#equals < from) this.#equals = place(text, '=', from);
    if (this.#flag < from) this.#flag = flag(text, from);
    if (this.#tag < from) this.#tag = tag(text, from);
    if (this.#pair < from) this.#pair = pair(text, from);
    return Math.min(this.#colon, this.#equals, this.#flag, this.#tag, this.#pair);
  }
}

function place(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at;
}

/** The second dash of a flag. */
function flag(text: string, from: number): number {
  let at = place(text, '--', Math.max(0, from - 1)) + 1;
  while (at < text.length && !isLetter(text.charCodeAt(at + 1))) at = place(text, '--', at) + 1;
  return Math.min(at, text.length);
}

const OPEN_TAG = /<[A-Za-z][\w:.-]{0,63}>\s{0,32}[^<\s]/y;

/** The beginning of an element that has a text. */
function tag(text: string, from: number): number {
  let at = place(text, '<', from);
  while (at < text.length && !isOpenTag(text, at)) at = place(text, '<', at + 1);
  return at;
}

function isOpenTag(text: string, at: number): boolean {
  if (!isLetter(text.charCodeAt(at + 1))) return false;
  OPEN_TAG.lastIndex = at;
  return OPEN_TAG.test(text);
}

/** The beginning of a list within one, or behind one, that begins with a text. */
function pair(text: string, from: number): number {
  let at = place(text, '[', from);
  while (at < text.length && !(isAround(text.charCodeAt(at - 1)) && isAround(text.charCodeAt(at + 1)))) {
    at = place(text, '[', at + 1);
  }
  return at;
}

/** May it stand before such a list, or behind its bracket? A bracket, comma, space or escape, and a quote. */
function isAround(code: number): boolean {
  return AROUND[code] === 1;
}

const AROUND = Uint8Array.from({ length: 128 }, (_, code) => Number(/[[,\s\\nrt"'`]/.test(String.fromCharCode(code))));

/** Of ASCII. */
function isLetter(code: number): boolean {
  const small = code | 32;
  return small >= 97 && small <= 122;
}
