/**
 * Searches of protocol 7.2. Each takes a time that grows with the two texts together: of "aaaa…" and "aaa…b" the searches
 * of the language, and those of SQLite, compare the whole pattern at every place.
 */

/** `substr` is part of `text`; without case, by simple Unicode folding. */
export function containsText(text: string, substr: string, isCaseSensitive: boolean): boolean {
  if (substr.length <= SHORT_PATTERN) {
    return isCaseSensitive ? text.includes(substr) : patternOf(escapePattern(substr)).test(text);
  }
  // Nearly all texts lack the beginning already.
  if (!containsText(text, beginningOf(substr), isCaseSensitive)) return false;
  return isCaseSensitive ? searchOf(substr)(text) : searchOf(folded(substr))(folded(text));
}

/** `token` is one whole token of `text`; FALSE when it is no token itself. */
export function containsToken(text: string, token: string, isCaseSensitive: boolean): boolean {
  if (!isToken(token) || !containsText(text, token, isCaseSensitive)) return false;
  // No other place than the beginning of a token is looked at, and of that no more than there is.
  if (token.length <= SHORT_PATTERN)
    return patternOf(`(?<!${IN_TOKEN})${token}(?!${IN_TOKEN})`, isCaseSensitive).test(text);
  const wanted = isCaseSensitive ? token : folded(token);
  for (const [found] of text.matchAll(TOKENS)) {
    if (isAsLong(found, token) && (isCaseSensitive ? found : folded(found)) === wanted) return true;
  }
  return false;
}

/** A maximal run of letters and digits. */
export function isToken(text: string): boolean {
  return text !== '' && !/[^\p{L}\p{N}]/u.test(text);
}

const IN_TOKEN = String.raw`[\p{L}\p{N}]`;
const TOKENS = /[\p{L}\p{N}]+/gu;

/** In units of UTF-16. So many comparisons at each place of a text are a bearable multiple of reading it. */
export const SHORT_PATTERN = 32;

/** Half a pair of surrogates is no character. */
function beginningOf(text: string): string {
  return text.slice(0, SHORT_PATTERN).replace(/[\uD800-\uDBFF]$/, '');
}

/** Another case may take one unit more or less for a character. */
function isAsLong(text: string, other: string): boolean {
  return text.length <= 2 * other.length && other.length <= 2 * text.length;
}

/** The search for a pattern by the method of Knuth, Morris and Pratt, which never looks back in the text. */
function makeSearch(pattern: string): (text: string) => boolean {
  const borders = bordersOf(pattern);
  return (text) => {
    let matched = 0;
    for (let index = 0; index < text.length; index++) {
      matched = advance(pattern, borders, matched, text.charCodeAt(index));
      if (matched === pattern.length) return true;
    }
    return false;
  };
}

/** How much of the beginning of the pattern also ends its first n units, for each n. */
function bordersOf(pattern: string): Int32Array {
  const borders = new Int32Array(pattern.length);
  let matched = 0;
  for (let index = 1; index < pattern.length; index++) {
    matched = advance(pattern, borders, matched, pattern.charCodeAt(index));
    borders[index] = matched;
  }
  return borders;
}

function advance(pattern: string, borders: Int32Array, matched: number, unit: number): number {
  let length = matched;
  while (length > 0 && pattern.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
  return pattern.charCodeAt(length) === unit ? length + 1 : length;
}

const foldedCharacters = new Map<string, string>();
/** Texts of ordinary languages have a few thousand. */
const MAX_FOLDED = 10_000;

/** Every character as one of those that a pattern without case takes for the same. */
function folded(text: string): string {
  return text.replaceAll(/[^]/gu, (character) => {
    const known = foldedCharacters.get(character) ?? foldedCharacter(character);
    if (foldedCharacters.size >= MAX_FOLDED) foldedCharacters.clear();
    foldedCharacters.set(character, known);
    return known;
  });
}

function foldedCharacter(character: string): string {
  const same = new RegExp(`^${escapePattern(character)}$`, 'iu');
  // Some become two characters in upper case, and some, as the dotless i, another one on the way back.
  const candidates = [character.toUpperCase().toLowerCase(), character.toLowerCase()];
  return candidates.find((candidate) => same.test(candidate)) ?? character;
}

/** One query asks about one text, call after call: the last pattern is kept. */
let last: { readonly source: string; readonly flags: string; readonly pattern: RegExp } | undefined;

function patternOf(source: string, isCaseSensitive = false): RegExp {
  const flags = isCaseSensitive ? 'u' : 'iu';
  if (last?.source !== source || last.flags !== flags) last = { source, flags, pattern: new RegExp(source, flags) };
  return last.pattern;
}

let lastSearch: { readonly pattern: string; readonly search: (text: string) => boolean } | undefined;

function searchOf(pattern: string): (text: string) => boolean {
  if (lastSearch?.pattern !== pattern) lastSearch = { pattern, search: makeSearch(pattern) };
  return lastSearch.search;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
