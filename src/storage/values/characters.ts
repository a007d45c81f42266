/**
 * Data of searches on every character of a text, by code point. It is kept for 256 characters at a time, for all that
 * were ever asked for: emptied in the middle of a text it would be made again for every character.
 */

const PAGE_BITS = 8;
const PAGE_CHARACTERS = 1 << PAGE_BITS;

/** The number to add to each code point. Most pages have no case and are the same one. */
const foldings: Int32Array[] = [];
const WITHOUT_CASE = new Int32Array(PAGE_CHARACTERS);

/** The one of those characters that a pattern without case takes for the same. */
export function foldPoint(point: number): number {
  const page = (foldings[point >> PAGE_BITS] ??= makeFolding(point >> PAGE_BITS));
  return point + (page[point & (PAGE_CHARACTERS - 1)] ?? 0);
}

function makeFolding(page: number): Int32Array {
  const characters = charactersOf(page);
  const text = characters.join('');
  if (text.toUpperCase() === text && text.toLowerCase() === text) return WITHOUT_CASE;
  return Int32Array.from(characters, (character) => pointOf(folded(character)) - pointOf(character));
}

function folded(character: string): string {
  const upper = character.toUpperCase();
  const lower = character.toLowerCase();
  // A pattern takes several microseconds to make.
  if (upper === character && lower === character) return character;
  const same = new RegExp(`^${character}$`, 'iu');
  // Some become two characters in upper case, and some, as the dotless i, another one on the way back.
  return [upper.toLowerCase(), lower].find((candidate) => same.test(candidate)) ?? character;
}

/** Is each character a letter or a digit? */
const parts: Uint8Array[] = [];
const NO_PARTS = new Uint8Array(PAGE_CHARACTERS);
const ALL_PARTS = new Uint8Array(PAGE_CHARACTERS).fill(1);

export function isTokenPoint(point: number): boolean {
  const page = (parts[point >> PAGE_BITS] ??= makeParts(point >> PAGE_BITS));
  return page[point & (PAGE_CHARACTERS - 1)] === 1;
}

function makeParts(page: number): Uint8Array {
  const characters = charactersOf(page);
  const text = characters.join('');
  if (!/[\p{L}\p{N}]/u.test(text)) return NO_PARTS;
  if (!/[^\p{L}\p{N}]/u.test(text)) return ALL_PARTS;
  return Uint8Array.from(characters, (character) => Number(/[\p{L}\p{N}]/u.test(character)));
}

function charactersOf(page: number): string[] {
  const first = page << PAGE_BITS;
  return Array.from({ length: PAGE_CHARACTERS }, (_, index) => String.fromCodePoint(first + index));
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
