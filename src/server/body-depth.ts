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

function endOfString(body: Uint8Array, start: number): number {
  let index = start + 1;
  while (index < body.length && body[index] !== QUOTE) index += body[index] === BACKSLASH ? 2 : 1;
  return index;
}
