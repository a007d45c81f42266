/** `substr` is part of `text`; without case, by simple Unicode folding. */
export function containsText(text: string, substr: string, isCaseSensitive: boolean): boolean {
  if (isCaseSensitive) return text.includes(substr);
  return substr.length > MAX_PATTERN_LENGTH
    ? folded(text).includes(folded(substr))
    : patternOf(escapePattern(substr)).test(text);
}

/** `token` is one whole token of `text`; FALSE when it is no token itself. */
export function containsToken(text: string, token: string, isCaseSensitive: boolean): boolean {
  if (!isToken(token)) return false;
  if (!isCaseSensitive && !containsText(text, token, false)) return false;
  const tokens: readonly string[] = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (isCaseSensitive) return tokens.includes(token);
  return tokens.some((found) => isSameFolded(found, token));
}

/** A maximal run of letters and digits. */
export function isToken(text: string): boolean {
  return /^[\p{L}\p{N}]+$/u.test(text);
}

/** A pattern of a hundred thousand characters is refused by the engine; longer ones than this are not made. */
const MAX_PATTERN_LENGTH = 1000;

function isSameFolded(text: string, token: string): boolean {
  return token.length > MAX_PATTERN_LENGTH ? folded(text) === folded(token) : patternOf(`^(?:${token})$`).test(text);
}

const foldedCharacters = new Map<string, string>();

/** Every character as one of those that a pattern without case takes for the same. */
function folded(text: string): string {
  return text.replaceAll(/[^]/gu, (character) => {
    const known = foldedCharacters.get(character) ?? foldedCharacter(character);
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

let lastSource: string | undefined;
let lastPattern = /(?:)/iu;

/** One query asks about one text, call after call: the last pattern is kept. */
function patternOf(source: string): RegExp {
  if (source !== lastSource) {
    lastPattern = new RegExp(source, 'iu');
    lastSource = source;
  }
  return lastPattern;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
