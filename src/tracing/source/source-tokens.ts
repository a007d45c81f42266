// docs/decisions/0043-parameter-names-are-read-by-us.md says why.

/** A piece of source text, from `start` up to `end`. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

/** `round`, `square` and `curly` are whole groups with their brackets; `mark` is any other single character. */
export type TokenKind = 'word' | 'literal' | 'round' | 'square' | 'curly' | 'mark';

const BLANKS = /\s+/y;
const LINE_END = /[\n\r\u2028\u2029]/g;
const PLAIN_WORD = /[\w$]+/y;
const WORD = /(?:[\p{ID_Continue}$\u200c\u200d]|\\u[\dA-Fa-f]{4}|\\u\{[\dA-Fa-f]+\})+/uy;
const NUMBER = /\d[\w.]*/y;
const REGEX_FLAGS = /\w*/y;

/** Words after which a value is expected, so that a slash begins a regular expression. */
const BEFORE_VALUE = new Set(
  'return typeof case void delete throw new in instanceof yield await else do extends'.split(' '),
);
const BEFORE_CONDITION = new Set(['if', 'while', 'for', 'with']);

/**
 * Splits source text that the engine has accepted into tokens, from `at` up to the bracket that closes what is open
 * there. Comments and blanks are left out. A slash is told apart by what stands before it, as the grammar does.
 */
export function* tokensFrom(source: string, at: number): Generator<Token, void> {
  const place = startOf(false);
  for (let start = skipBlanks(source, at); start < source.length;) {
    if (isClosing(source[start])) return;
    const token = tokenAt(source, start, place);
    yield token;
    start = skipBlanks(source, token.end);
  }
}

/** The state of reading one group so far. */
interface Place {
  readonly isBlock: boolean;
  isAfterValue: boolean;
  last: Token | undefined;
  lastWord: string;
  /** Question marks whose colon is still to come, below 0 after the colon of a label or of a `case`. */
  openConditions: number;
}

function startOf(isBlock: boolean): Place {
  return { isBlock, isAfterValue: false, last: undefined, lastWord: '', openConditions: 0 };
}

/** Position of the next character that is neither blank nor comment. */
export function skipBlanks(source: string, at: number): number {
  for (;;) {
    BLANKS.lastIndex = at;
    const start = BLANKS.test(source) ? BLANKS.lastIndex : at;
    const after = source[start] === '/' ? skipComment(source, start) : start;
    if (after === start) return start;
    at = after;
  }
}

function skipComment(source: string, at: number): number {
  if (source[at + 1] === '*') return afterText(source, '*/', at + 2);
  if (source[at + 1] !== '/') return at;
  LINE_END.lastIndex = at;
  return LINE_END.test(source) ? LINE_END.lastIndex : source.length;
}

function tokenAt(source: string, start: number, place: Place): Token {
  const token = readToken(source, start, place);
  note(source, token, place);
  return token;
}

function readToken(source: string, start: number, place: Place): Token {
  const char = source[start];
  if (char === '"' || char === "'") return { kind: 'literal', start, end: skipString(source, start, char) };
  if (char === '`') return { kind: 'literal', start, end: skipTemplate(source, start) };
  if (char === '(') return { kind: 'round', start, end: skipGroup(source, start, false) };
  if (char === '[') return { kind: 'square', start, end: skipGroup(source, start, false) };
  if (char === '{') return { kind: 'curly', start, end: skipGroup(source, start, !isObjectLiteral(source, place)) };
  if (char === '/' && !place.isAfterValue) return { kind: 'literal', start, end: skipRegex(source, start) };
  // A digit begins a number, which is a token of its own only because of its dot.
  const number = matchEnd(NUMBER, source, start);
  if (number > start) return { kind: 'literal', start, end: number };
  const word = skipWord(source, start);
  return word > start ? { kind: 'word', start, end: word } : { kind: 'mark', start, end: start + 1 };
}

/** Remembers whether a value ends here, which makes a following slash a division. */
function note(source: string, token: Token, place: Place): void {
  const { last } = place;
  const text = token.kind === 'word' ? source.slice(token.start, token.end) : '';
  const isMember = last?.kind === 'mark' && source[last.start] === '.';
  if (token.kind === 'word') place.isAfterValue = isMember || !BEFORE_VALUE.has(text);
  else if (token.kind === 'round') place.isAfterValue = !BEFORE_CONDITION.has(place.lastWord);
  else if (token.kind === 'curly') place.isAfterValue = isObjectLiteral(source, place);
  else if (token.kind !== 'mark') place.isAfterValue = true;
  else if (!isDoubled(source, token)) place.isAfterValue = false;
  if (token.kind === 'mark') countConditions(source, token, place);
  place.last = token;
  place.lastWord = isMember ? '' : text;
}

function countConditions(source: string, { start }: Token, place: Place): void {
  const char = source[start];
  if (char === ':') place.openConditions = Math.max(place.openConditions, 0) - 1;
  // Neither `??` nor `?.`, unless the latter is a number.
  else if (char === '?' && !/\?\?|\?\.(?!\d)/.test(source.slice(start - 1, start + 3))) place.openConditions += 1;
}

/** `++` and `--` stand before or after a value, and change nothing about what may follow. */
function isDoubled(source: string, { start }: Token): boolean {
  const char = source[start];
  return (char === '+' || char === '-') && (source[start - 1] === char || source[start + 1] === char);
}

/** Does a curly bracket here open an object, or a block, a body of a function or of a class? */
function isObjectLiteral(source: string, { last, isAfterValue, isBlock, openConditions }: Place): boolean {
  if (last === undefined) return !isBlock;
  if (last.kind === 'word') return !isAfterValue && source.slice(last.start, last.end) !== 'else';
  if (last.kind !== 'mark') return false;
  const char = source[last.start];
  const isArrow = char === '>' && source[last.start - 1] === '=';
  const isLabel = char === ':' && isBlock && openConditions < 0;
  return !isArrow && !isLabel && char !== ';';
}

function skipGroup(source: string, open: number, isBlock: boolean): number {
  const place = startOf(isBlock);
  let at = skipBlanks(source, open + 1);
  while (at < source.length && !isClosing(source[at])) at = skipBlanks(source, tokenAt(source, at, place).end);
  return at + 1;
}

/** Most words are plain, and the expression for all of Unicode takes long to be made. */
function skipWord(source: string, start: number): number {
  const end = matchEnd(PLAIN_WORD, source, start);
  const isPlain = end < source.length && source.charCodeAt(end) < 128 && source[end] !== '\\';
  return isPlain ? end : matchEnd(WORD, source, start);
}

function isClosing(char: string | undefined): boolean {
  return char === '}' || char === ']' || char === ')';
}

function skipString(source: string, start: number, quote: string): number {
  let at = source.indexOf(quote, start + 1);
  while (at !== -1 && isEscaped(source, at)) at = source.indexOf(quote, at + 1);
  return at === -1 ? source.length : at + 1;
}

function isEscaped(source: string, at: number): boolean {
  let before = at;
  while (source[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}

function skipTemplate(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== '`') {
    if (source[at] === '\\') at += 2;
    else if (source[at] === '$' && source[at + 1] === '{') at = skipGroup(source, at + 1, false);
    else at += 1;
  }
  return at + 1;
}

/** A slash inside of a character class ends nothing. */
function skipRegex(source: string, start: number): number {
  let isInClass = false;
  let at = start + 1;
  while (at < source.length && (isInClass || source[at] !== '/')) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '[') isInClass = true;
    else if (source[at] === ']') isInClass = false;
    at += 1;
  }
  return matchEnd(REGEX_FLAGS, source, at + 1);
}

/** End of what `expression` matches at `at`, or `at` itself. */
function matchEnd(expression: RegExp, source: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(source) ? expression.lastIndex : at;
}

function afterText(source: string, text: string, from: number): number {
  const at = source.indexOf(text, from);
  return at === -1 ? source.length : at + text.length;
}
