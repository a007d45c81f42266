import { foldPoint, isTokenPoint } from './characters.ts';
import { keepByText } from './kept-by-text.ts';

/**
 * Searches of protocol 7.2. Each takes a time that grows with the two texts together: of "aaaa…" and "aaa…b" the searches
 * of the language, and those of SQLite, compare the whole pattern at every place.
 */

/** How a text is searched. */
export interface TextSearch {
  readonly isCaseSensitive: boolean;
  /** Called again and again within a long text: it may throw when the answer is no longer wanted. */
  readonly check?: (() => void) | undefined;
}

/** `substr` is part of `text`; without case, by simple Unicode folding. */
export function containsText(text: string, substr: string, search: TextSearch): boolean {
  if (!mayHold(text, substr)) return false;
  if (isShort(substr, search)) return containsShort(text, substr, search);
  // Nearly all texts lack the beginning already.
  return containsShort(text, beginningOf(substr, search), search) && containsLong(text, substr, search);
}

/** `token` is one whole token of `text`; FALSE when it is no token itself. */
export function containsToken(text: string, token: string, search: TextSearch): boolean {
  if (!mayHold(text, token) || !isToken(token)) return false;
  if (!containsShort(text, beginningOf(token, search), search)) return false;
  // No other place than the beginning of a token is looked at, and of that no more than there is.
  if (!isShort(token, search) || text.length > PIECE) return containsLongToken(text, token, search);
  return patternOf(`(?<!${IN_TOKEN})${token}(?!${IN_TOKEN})`, search).test(text);
}

/** A maximal run of letters and digits. */
export function isToken(text: string): boolean {
  return text !== '' && !/[^\p{L}\p{N}]/u.test(text);
}

const IN_TOKEN = String.raw`[\p{L}\p{N}]`;

/** In units of UTF-16. So many comparisons at each place of a text are a bearable multiple of reading it. */
export const SHORT_PATTERN = 32;
/** Comparing without case takes longer. */
const SHORT_FOLDED_PATTERN = 16;

function shortLength({ isCaseSensitive }: TextSearch): number {
  return isCaseSensitive ? SHORT_PATTERN : SHORT_FOLDED_PATTERN;
}

function isShort(pattern: string, search: TextSearch): boolean {
  return pattern.length <= shortLength(search);
}

/** Half a pair of surrogates is no character. */
function beginningOf(text: string, search: TextSearch): string {
  return text.slice(0, shortLength(search)).replace(/[\uD800-\uDBFF]$/, '');
}

/** Another case may take one unit more or less for a character. */
function mayHold(text: string, pattern: string): boolean {
  return pattern.length <= 2 * text.length;
}

/** So many units are searched between two checks. */
const PIECE = 64 * 1024;

function containsShort(text: string, substr: string, search: TextSearch): boolean {
  const pattern = search.isCaseSensitive ? undefined : patternOf(escapePattern(substr), search);
  const find = (piece: string) => pattern?.test(piece) ?? piece.includes(substr);
  if (text.length <= PIECE) return find(text);
  for (let start = 0; start < text.length; start += PIECE) {
    search.check?.();
    // With what begins in this piece and ends in the next.
    if (find(text.slice(start, start + PIECE + 2 * substr.length))) return true;
  }
  return false;
}

/** The search for a pattern by the method of Knuth, Morris and Pratt, which never looks back in the text. */
function containsLong(text: string, substr: string, search: TextSearch): boolean {
  const { points, borders, fold } = needleOf(substr, search);
  let matched = 0;
  for (let index = 0, nextCheck = PIECE; index < text.length;) {
    const point = text.codePointAt(index) ?? 0;
    index += unitsOf(point);
    matched = advance(points, borders, matched, fold(point));
    if (matched === points.length) return true;
    if (index < nextCheck) continue;
    search.check?.();
    nextCheck += PIECE;
  }
  return false;
}

function containsLongToken(text: string, token: string, search: TextSearch): boolean {
  const { points, fold } = needleOf(token, search);
  /** How much of the token at hand is as in the wanted one; -1 when it is another. */
  let matched = 0;
  for (let index = 0, nextCheck = PIECE; index < text.length;) {
    const point = text.codePointAt(index) ?? 0;
    index += unitsOf(point);
    if (!isTokenPoint(point)) {
      if (matched === points.length) return true;
      matched = 0;
    } else if (matched >= 0) {
      matched = points[matched] === fold(point) ? matched + 1 : -1;
    }
    if (index < nextCheck) continue;
    search.check?.();
    nextCheck += PIECE;
  }
  return matched === points.length;
}

function unitsOf(point: number): number {
  return point > 0xffff ? 2 : 1;
}

/** A pattern by its code points; without case, each is one of those that are the same. */
interface Needle {
  readonly points: Int32Array;
  /** How much of the beginning of the pattern also ends its first n points, for each n. */
  readonly borders: Int32Array;
  readonly fold: (point: number) => number;
}

function makeNeedle(pattern: string, fold: (point: number) => number): Needle {
  const points = new Int32Array(pattern.length);
  let length = 0;
  for (let index = 0; index < pattern.length;) {
    const point = pattern.codePointAt(index) ?? 0;
    index += unitsOf(point);
    points[length++] = fold(point);
  }
  const needle = points.subarray(0, length);
  return { points: needle, borders: bordersOf(needle), fold };
}

function bordersOf(points: Int32Array): Int32Array {
  const borders = new Int32Array(points.length);
  let matched = 0;
  for (let index = 1; index < points.length; index++) {
    matched = advance(points, borders, matched, points[index] ?? 0);
    borders[index] = matched;
  }
  return borders;
}

function advance(points: Int32Array, borders: Int32Array, matched: number, point: number): number {
  let length = matched;
  while (length > 0 && points[length] !== point) length = borders[length - 1] ?? 0;
  return points[length] === point ? length + 1 : length;
}

const exactNeedleOf = keepByText((pattern) => makeNeedle(pattern, (point) => point));
const foldedNeedleOf = keepByText((pattern) => makeNeedle(pattern, foldPoint));

function needleOf(pattern: string, { isCaseSensitive }: TextSearch): Needle {
  return isCaseSensitive ? exactNeedleOf(pattern) : foldedNeedleOf(pattern);
}

/** These are short. */
const PATTERN_CHARACTERS = 100_000;
const exactPatternOf = keepByText((source) => new RegExp(source, 'u'), PATTERN_CHARACTERS);
const foldedPatternOf = keepByText((source) => new RegExp(source, 'iu'), PATTERN_CHARACTERS);

function patternOf(source: string, { isCaseSensitive }: TextSearch): RegExp {
  return isCaseSensitive ? exactPatternOf(source) : foldedPatternOf(source);
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
