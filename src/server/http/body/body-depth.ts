import { surveyAtOnce } from './body-survey.ts';
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.ts';

/** How many arrays and objects of a JSON text lie inside one another. */
export function measureDepth(body: Buffer): number {
  return surveyAtOnce(body).depth;
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
export function endOfString(body: Buffer, start: number): number {
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
