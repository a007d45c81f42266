/** Where a JSON text stops being one. Shown beside the text itself, which stays readable. */
export class BrokenJson extends Error {
  override readonly name = 'BrokenJson';
  readonly at: number;

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;

/** The first place from `at` on that holds no white space. */
export function skipSpace(text: string, at: number): number {
  let place = at;
  for (;;) {
    const code = text.charCodeAt(place);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return place;
    place += 1;
  }
}

/** The place behind the string that begins at `start`. Quotes are jumped to, so a long string costs next to nothing. */
export function endOfString(text: string, start: number): number {
  for (let quote = start; ;) {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) throw new BrokenJson('the string has no end', start);
    let first = quote;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
}

/**
 * The place behind the value that begins at `start`, found without recursion and without making anything of it. What
 * stands between brackets is looked at when it is opened.
 */
export function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return endOfString(text, start);
  if (code === OPEN_OBJECT || code === OPEN_ARRAY) return endOfContainer(text, start);
  return endOfWord(text, start);
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    if (code === OPEN_OBJECT || code === OPEN_ARRAY) depth += 1;
    else if ((code === CLOSE_OBJECT || code === CLOSE_ARRAY) && --depth === 0) return at + 1;
    at += 1;
  }
  throw new BrokenJson('the bracket is never closed', start);
}

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function endOfWord(text: string, start: number): number {
  WORD.lastIndex = start;
  if (!WORD.test(text))
    throw new BrokenJson(start >= text.length ? 'the text ends here' : 'no value begins here', start);
  return WORD.lastIndex;
}
