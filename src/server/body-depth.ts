const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const EXPONENT = 0x65;
const LOWER_CASE = 0x20;

/** Whole numbers of so many digits are doubles. */
const EXACT_DIGITS = 15;

/** What is known of a JSON text before it is parsed. */
export interface BodyShape {
  /** How many arrays and objects lie inside one another. */
  readonly depth: number;
  /** No number has a fraction, an exponent or more digits than a double, and no text an escaped code unit. */
  readonly isPlain: boolean;
}

/** Looks through a JSON text without parsing it. */
export function measureBody(body: Buffer): BodyShape {
  let depth = 0;
  let deepest = 0;
  let digits = 0;
  let isPlain = true;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] ?? 0;
    if (byte === QUOTE) index = endOfString(body, index);
    else if (byte >= ZERO && byte <= NINE) {
      if (++digits > EXACT_DIGITS) isPlain = false;
      continue;
    } else if (byte === POINT || (digits > 0 && (byte | LOWER_CASE) === EXPONENT)) isPlain = false;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    digits = 0;
  }
  return { depth: deepest, isPlain: isPlain && !body.includes('\\u') };
}

/** How many arrays and objects of a JSON text lie inside one another. */
export function measureDepth(body: Buffer): number {
  return measureBody(body).depth;
}

/**
 * A JSON text without what lies deeper than so many levels: `[]` stands there. Parsers that keep every digit call
 * themselves for each level, and a value that is refused or replaced for its depth need not be known to its end.
 */
export function cutBelow(body: Buffer, levels: number): Buffer {
  const kept: Uint8Array[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === QUOTE) index = endOfString(body, index);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth === levels + 1) kept.push(body.subarray(start, index), EMPTY);
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      if (depth-- === levels + 1) start = index + 1;
    }
  }
  return Buffer.concat([...kept, body.subarray(start)]);
}

const EMPTY = Buffer.from('[]');

/** Longer strings are left to a search of the system, which costs as much to begin. */
const SHORT_STRING = 40;

/** Where the closing quote of a string is; behind the text, where there is none. */
function endOfString(body: Buffer, start: number): number {
  const near = Math.min(body.length, start + SHORT_STRING);
  let index = start + 1;
  while (index < near && body[index] !== QUOTE) index += body[index] === BACKSLASH ? 2 : 1;
  if (index < near) return index;
  return farEndOfString(body, index);
}

/** `start` is the place of a whole character of the string. */
function farEndOfString(body: Buffer, start: number): number {
  let from = start;
  for (;;) {
    const quote = body.indexOf(QUOTE, from);
    if (quote < 0) return body.length;
    let first = quote;
    while (first > start && body[first - 1] === BACKSLASH) first--;
    if ((quote - first) % 2 === 0) return quote;
    from = quote + 1;
  }
}
