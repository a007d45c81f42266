/** Names of the parameters of a function by position. */
export interface ParameterNames {
  /** `undefined` where a parameter has no name: a destructured one. */
  readonly names: readonly (string | undefined)[];
  /** Position of a rest parameter, which takes all further arguments; -1 without one. */
  readonly restAt: number;
}

const NONE: ParameterNames = { names: [], restAt: -1 };

const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u;

/** Reads the names from the source text of a function; nothing where there is no text, or where it was minified. */
export function parameterNames(fn: Function): ParameterNames {
  const source = Function.prototype.toString.call(fn);
  if (source.endsWith('{ [native code] }')) return NONE;
  const list = parameterList(isClass(source) ? constructorSource(source) : source);
  if (list === undefined) return NONE;
  const parameters = splitAtCommas(list.text);
  const names = parameters.map((parameter) => NAME.exec(parameter.replace(/^\.\.\.\s*/, ''))?.[0]);
  if (isMinified(fn.name, names, list)) return NONE;
  return { names, restAt: parameters.findIndex((parameter) => parameter.startsWith('...')) };
}

export function isClass(source: string): boolean {
  return /^class(?![\w$])/.test(source);
}

interface ParameterList {
  readonly text: string;
  /** The characters around the list: what a minifier leaves out there gives it away. */
  readonly after: string;
}

/** Text between the brackets of the parameters, or the only parameter of an arrow function without brackets. */
function parameterList(source: string): ParameterList | undefined {
  const bare = /^(?:async\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)(\s*=>)/u.exec(
    withoutComments(source.slice(0, 512)),
  );
  if (bare) return { text: bare[1] ?? '', after: bare[2] ?? '' };
  const open = openingBracket(source);
  if (open === -1) return undefined;
  const close = skipBracketed(source, open);
  return { text: source.slice(open + 1, close - 1), after: source.slice(close, close + 4) };
}

/** The first round bracket that is not part of a comment or of a computed method name. */
function openingBracket(source: string): number {
  for (let at = 0; at < source.length; at = next(source, at)) if (source[at] === '(') return at;
  return -1;
}

function constructorSource(source: string): string {
  const body = source.indexOf('{');
  for (let at = body + 1; at < source.length; at = next(source, at)) {
    if (/^constructor\s*\(/.test(source.slice(at, at + 64)) && !/(?:static\s+|[\w$.#])$/.test(source.slice(body, at)))
      return source.slice(at);
  }
  return '';
}

function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at = next(text, at)) {
    if (text[at] === ',') {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  const trimmed = parts.map((part) => withoutComments(part).trim());
  // An empty list and a trailing comma leave an empty part.
  if (trimmed.at(-1) === '') trimmed.pop();
  return trimmed;
}

/**
 * A minifier makes names of one or two letters, also for the function itself, and leaves out the blank before the
 * body. Loaders that only take blanks out leave the names, which are worth having.
 */
function isMinified(name: string, names: readonly (string | undefined)[], list: ParameterList): boolean {
  const isShort = [name, ...names].every((each) => each !== undefined && each.length > 0 && each.length <= 2);
  return isShort && !/\s/.test(list.text) && /^(?:=>|\{)/.test(list.after);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ').trimStart();
}

/** Position after the token at `at`: a string, a comment, a bracketed group or one character. */
function next(source: string, at: number): number {
  const char = source[at];
  if (char === '"' || char === "'" || char === '`') return skipString(source, at);
  if (char === '/' && source[at + 1] === '/') return endOr(source, source.indexOf('\n', at));
  if (char === '/' && source[at + 1] === '*') return endOr(source, source.indexOf('*/', at + 2) + 2, 2);
  if (char === '{' || char === '[' || char === '(') return skipBracketed(source, at);
  return at + 1;
}

function skipBracketed(source: string, open: number): number {
  let at = open + 1;
  while (at < source.length && !isClosing(source[at])) at = next(source, at);
  return at + 1;
}

function isClosing(char: string | undefined): boolean {
  return char === '}' || char === ']' || char === ')';
}

function skipString(source: string, start: number): number {
  const quote = source[start];
  let at = start + 1;
  while (at < source.length && source[at] !== quote) {
    if (source[at] === '\\') at += 2;
    else if (quote === '`' && source.startsWith('${', at)) at = skipBracketed(source, at + 1);
    else at += 1;
  }
  return at + 1;
}

/** `indexOf` answers -1 where the end is missing: then all of the rest is skipped. */
function endOr(source: string, found: number, shift = 0): number {
  return found - shift === -1 ? source.length : found;
}
