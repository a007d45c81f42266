import { BrokenJson, endOfString, endOfValue, skipSpace } from './scan.ts';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'word';

/** A value as a range of the text that it stands in; nothing of it is decoded. */
export interface JsonNode {
  readonly kind: JsonKind;
  readonly start: number;
  readonly end: number;
}

/** A member of an object or an item of an array. */
export interface JsonChild extends JsonNode {
  /** `undefined` for items. */
  readonly key: string | undefined;
  readonly index: number;
  /** Where its name begins, or it itself. */
  readonly from: number;
}

/** The value that the whole text is. Throws `BrokenJson`. */
export function rootOf(text: string): JsonNode {
  const node = nodeAt(text, skipSpace(text, 0));
  const rest = skipSpace(text, node.end);
  if (rest < text.length) throw new BrokenJson('something follows the value', rest);
  return node;
}

/** The values in an object or array; its own children only, each found by its brackets. Throws `BrokenJson`. */
export function childrenOf(text: string, parent: JsonNode): JsonChild[] {
  const children: JsonChild[] = [];
  const isObject = parent.kind === 'object';
  let at = skipSpace(text, parent.start + 1);
  if (at === parent.end - 1) return children;
  for (;;) {
    const { key, valueAt } = isObject ? keyAt(text, at) : { key: undefined, valueAt: at };
    const node = nodeAt(text, valueAt);
    children.push({ ...node, key, index: children.length, from: at });
    at = skipSpace(text, node.end);
    if (at === parent.end - 1) return children;
    if (text[at] !== ',') throw new BrokenJson('a comma is missing', at);
    at = skipSpace(text, at + 1);
  }
}

/** The value of one member, without a list of the others. The last of two that bear the same name counts. */
export function memberOf(text: string, parent: JsonNode, key: string): JsonNode | undefined {
  return parent.kind === 'object' ? childrenOf(text, parent).findLast((child) => child.key === key) : undefined;
}

function keyAt(text: string, at: number): { readonly key: string; readonly valueAt: number } {
  if (text[at] !== '"') throw new BrokenJson('a name is missing', at);
  const end = endOfString(text, at);
  const colon = skipSpace(text, end);
  if (text[colon] !== ':') throw new BrokenJson('a colon is missing', colon);
  return { key: decodeString(text, at, end).text, valueAt: skipSpace(text, colon + 1) };
}

function nodeAt(text: string, start: number): JsonNode {
  return { kind: kindAt(text[start]), start, end: endOfValue(text, start) };
}

function kindAt(first: string | undefined): JsonKind {
  if (first === '{') return 'object';
  if (first === '[') return 'array';
  if (first === '"') return 'string';
  return first === 't' || first === 'f' || first === 'n' ? 'word' : 'number';
}

export interface DecodedString {
  readonly text: string;
  /** Is this all of it? */
  readonly isWhole: boolean;
}

/** The text of a string, or its first `limit` units. Halves of surrogate pairs become U+FFFD, as on any screen. */
export function decodeString(
  text: string,
  start: number,
  end: number,
  limit = Number.POSITIVE_INFINITY,
): DecodedString {
  const isWhole = end - start - 2 <= limit;
  const raw = text.slice(start + 1, isWhole ? end - 1 : cutBeforeEscape(text, start + 1, start + 1 + limit));
  return { text: (raw.includes('\\') ? unescape(raw) : raw).toWellFormed(), isWhole };
}

/** Longest escape, `\ud83d\ude00`: a cut within it would show its pieces. */
const LONGEST_ESCAPE = 12;

function cutBeforeEscape(text: string, start: number, cut: number): number {
  let at = Math.max(start, text.lastIndexOf('\\', cut - 1));
  if (cut - at >= LONGEST_ESCAPE) return cut;
  while (at > start && text[at - 1] === '\\') at -= 1;
  return Math.max(start, at);
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Also of a broken string something can be read, so nothing throws here. */
function unescape(raw: string): string {
  return raw.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_whole, code: string | undefined, sign: string | undefined) =>
    code === undefined ? (ESCAPES[sign ?? ''] ?? sign ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
