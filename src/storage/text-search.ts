/** `substr` is part of `text`; without case, by simple Unicode folding. */
export function containsText(text: string, substr: string, isCaseSensitive: boolean): boolean {
  return isCaseSensitive ? text.includes(substr) : patternOf(escapePattern(substr)).test(text);
}

/** `token` is one whole token of `text`; FALSE when it is no token itself. */
export function containsToken(text: string, token: string, isCaseSensitive: boolean): boolean {
  if (!isToken(token)) return false;
  if (!isCaseSensitive && !patternOf(token).test(text)) return false;
  const whole = patternOf(`^(?:${token})$`);
  const tokens = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return tokens.some((found) => (isCaseSensitive ? found === token : whole.test(found)));
}

/** A maximal run of letters and digits. */
export function isToken(text: string): boolean {
  return /^[\p{L}\p{N}]+$/u.test(text);
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
