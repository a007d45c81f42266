/** Answers the first place of one kind at or behind `from`; the length of the text when there is none. */
type Find = (text: string, from: number) => number;

/** What stands between a key and its value; the last two are in front of the key: `--token x`, `<token>x<`. */
const KINDS: readonly Find[] = [
  (text, from) => place(text, ':', from),
  (text, from) => place(text, '=', from),
  flag,
  tag,
];

/** Can there be one? Most texts are prose. */
export function mayHoldSeparator(text: string): boolean {
  return text.includes(':') || text.includes('=') || text.includes('<') || text.includes('--');
}

/**
 * Finds the separators of a text from left to right. Each kind is searched for by itself, since a search for a single
 * character is ten times as fast as an expression.
 */
export class Separators {
  readonly #text: string;
  /** The next one of each kind. */
  readonly #places = KINDS.map(() => -1);

  constructor(text: string) {
    this.#text = text;
  }

  /** The first one at or behind `from`; the length of the text when there is none. */
  next(from: number): number {
    let first = this.#text.length;
    for (let kind = 0; kind < KINDS.length; kind++) first = Math.min(first, this.#nextOf(kind, from));
    return first;
  }

  #nextOf(kind: number, from: number): number {
    const known = this.#places[kind] ?? -1;
    return known >= from ? known : (this.#places[kind] = KINDS[kind]?.(this.#text, from) ?? this.#text.length);
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

/** Of ASCII. */
function isLetter(code: number): boolean {
  const small = code | 32;
  return small >= 97 && small <= 122;
}
