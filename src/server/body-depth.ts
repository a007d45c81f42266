const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** How many arrays and objects of a JSON text lie inside one another, found without parsing it. */
export function measureDepth(body: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (byte === QUOTE) index = endOfString(body, index);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) deepest = Math.max(deepest, ++depth);
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
  }
  return deepest;
}

/**
 * A JSON text without what lies deeper than so many levels: `[]` stands there. Parsers that keep every digit call
 * themselves for each level, and a value that is refused or replaced for its depth need not be known to its end.
 */
export function cutBelow(body: Uint8Array, levels: number): Buffer {
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

function endOfString(body: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < body.length && body[index] !== QUOTE) index += body[index] === BACKSLASH ? 2 : 1;
  return index;
}
