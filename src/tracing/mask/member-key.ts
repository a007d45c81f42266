/** The name of a member within a text: where it stands, and the quote around it with the backslashes in front. */
export interface Key {
  readonly from: number;
  readonly to: number;
  readonly quote: string;
}

/** Longer ones are cut, so that no text is read again and again. */
const MAX_KEY_LENGTH = 64;

const EQUALS = 0x3d;
const BLANK = 0x20;
const TAB = 0x09;
const BACKSLASH = 0x5c;
const CLOSING = 0x5d;

/** The name that begins here. */
export function keyAfter(text: string, from: number): Key | undefined {
  let to = from;
  while (to - from < MAX_KEY_LENGTH && isKeyLetter(text.charCodeAt(to))) to += 1;
  return to === from ? undefined : { from, to, quote: '' };
}

/** Reads backwards from a separator, never into what was replaced already. */
export function keyBefore(text: string, at: number, copied: number): Key | undefined {
  const end = endOfKey(text, at, copied);
  const isQuoted = end > copied && isQuoteCode(text.charCodeAt(end - 1));
  return isQuoted ? quotedKey(text, end, copied) : plainKey(text, end, copied);
}

function endOfKey(text: string, at: number, copied: number): number {
  let to = at;
  // Other ways to assign: `?=`, `::=`, `.=`.
  if (text.charCodeAt(at) === EQUALS)
    while (to > copied && at - to < 3 && isOfAssignment(text.charCodeAt(to - 1))) to -= 1;
  while (to > copied && at - to < 8 && isSpaceCode(text.charCodeAt(to - 1))) to -= 1;
  return text.charCodeAt(to - 1) === CLOSING ? to - 1 : to;
}

function quotedKey(text: string, end: number, copied: number): Key | undefined {
  const slashes = backslashesBefore(text, end - 1, copied);
  const to = end - 1 - slashes;
  const first = Math.max(copied, to - MAX_KEY_LENGTH);
  let from = to;
  while (from > first && isQuotedKeyLetter(text.charCodeAt(from - 1))) from -= 1;
  return from >= to ? undefined : { from, to, quote: text.slice(to, end) };
}

function plainKey(text: string, to: number, copied: number): Key | undefined {
  const first = Math.max(copied, to - MAX_KEY_LENGTH);
  let from = to;
  while (from > first && isKeyLetter(text.charCodeAt(from - 1))) from -= 1;
  // The letter of an escape is none of the key.
  if (from > 0 && text.charCodeAt(from - 1) === BACKSLASH && to - from > 1) from += text[from] === 'u' ? 5 : 1;
  return from >= to ? undefined : { from, to, quote: '' };
}

/** The colon, the question mark, the dot. */
function isOfAssignment(code: number): boolean {
  return code === 0x3a || code === 0x3f || code === 0x2e;
}

export function backslashesBefore(text: string, at: number, from: number): number {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return at - first;
}

export function isSpaceCode(code: number): boolean {
  return code === BLANK || code === TAB;
}

/** One of the three kinds of quotes. */
export function isQuoteCode(code: number): boolean {
  return code === 0x22 || code === 0x27 || code === 0x60;
}

function isQuotedKeyLetter(code: number): boolean {
  return code === BLANK || IS_KEY_LETTER[code] === 1;
}

export function isKeyLetter(code: number): boolean {
  return IS_KEY_LETTER[code] === 1;
}

/** Of ASCII. */
const IS_KEY_LETTER = Uint8Array.from({ length: 128 }, (_, code) =>
  Number(/[A-Za-z0-9_$.-]/.test(String.fromCharCode(code))),
);
