import { skipBlanks, type Token, tokensFrom } from './source-tokens.ts';

/** Names of the parameters of a function by position. */
export interface ParameterNames {
  /** `undefined` where a parameter has no name of its own: a destructured one, or one whose name comes twice. */
  readonly names: readonly (string | undefined)[];
  /** Position of a rest parameter, which takes all further arguments; -1 without one. */
  readonly restAt: number;
}

const NONE: ParameterNames = { names: [], restAt: -1 };

/**
 * Reads the names from the source text of a function; nothing where there is no text, or where it was minified. Only
 * what stands before the body is looked at; of a class, what stands before the body of its constructor.
 */
export function parameterNames(fn: Function): ParameterNames {
  try {
    const source = Function.prototype.toString.call(fn);
    if (source.endsWith('{ [native code] }')) return NONE;
    if (isClass(source)) return namesOfClass(fn, source);
    return namesIn(fn, source, 0);
  } catch {
    // Text that no engine has accepted, or a proxy with something against being asked: there are no names to be had.
    return NONE;
  }
}

/** A method can be called `class`, too. */
export function isClass(source: string): boolean {
  if (!source.startsWith('class')) return false;
  const after = skipBlanks(source, 5);
  return source[after] !== '(' && (after > 5 || source[after] === '{');
}

/** A derived class without a constructor hands on all arguments to the class that it extends. */
function namesOfClass(fn: Function, source: string): ParameterNames {
  const at = constructorIn(source);
  if (at !== undefined) return namesIn(fn, source, at);
  const base: unknown = Object.getPrototypeOf(fn);
  return typeof base === 'function' && base !== Function.prototype ? parameterNames(base) : NONE;
}

function namesIn(fn: Function, source: string, at: number): ParameterNames {
  const list = parameterList(source, at);
  if (list === undefined) return NONE;
  const parameters = list.kind === 'word' ? [{ name: nameOf(source, list), isRest: false }] : readList(source, list);
  const lastOf = new Map(parameters.map(({ name }, index) => [name, index]));
  // Old functions may have two parameters of one name; the function itself sees the last one only.
  const names = parameters.map(({ name }, index) => (lastOf.get(name) === index ? name : undefined));
  if (isMinified(fn, names, source, list)) return NONE;
  return { names, restAt: parameters.findIndex(({ isRest }) => isRest) };
}

/** The first round brackets, or the only parameter of an arrow function without brackets. */
function parameterList(source: string, at: number): Token | undefined {
  let last: Token | undefined;
  for (const token of tokensFrom(source, at)) {
    if (token.kind === 'round') return token;
    if (token.kind === 'mark' && source.startsWith('=>', token.start)) return last;
    last = token;
  }
  return undefined;
}

/** Where the constructor begins in the source of a class. Its name may be written as a string. */
function constructorIn(source: string): number | undefined {
  const body = bodyOf(source);
  if (body === undefined) return undefined;
  let before: Token | undefined;
  let name: Token | undefined;
  let list: Token | undefined;
  for (const token of tokensFrom(source, body.start + 1)) {
    if (token.kind === 'curly' && list?.kind === 'round' && isConstructor(source, name, before)) return list.start;
    [before, name, list] = [name, list, token];
  }
  return undefined;
}

/** The first curly brackets, unless what the class extends is written with some itself: then the last ones. */
function bodyOf(source: string): Token | undefined {
  let body: Token | undefined;
  let isPlain = true;
  let last = '';
  for (const token of tokensFrom(source, 5)) {
    if (token.kind === 'curly' && last === 'extends') isPlain = false;
    if (token.kind === 'curly') body = token;
    if (body !== undefined && isPlain) return body;
    last = token.kind === 'word' ? source.slice(token.start, token.end) : '';
    if (last === 'class' || last === 'function') isPlain = false;
  }
  return body;
}

function isConstructor(source: string, name: Token | undefined, before: Token | undefined): boolean {
  if (name === undefined || !/^(["']?)constructor\1$/.test(source.slice(name.start, name.end))) return false;
  const text = before === undefined ? '' : source.slice(before.start, before.end);
  return !/^(?:static|async|get|set|function|[*#.])$/.test(text);
}

interface Parameter {
  readonly name: string | undefined;
  readonly isRest: boolean;
}

function readList(source: string, list: Token): Parameter[] {
  const parameters: Parameter[] = [];
  let dots = 0;
  let isBegun = false;
  for (const token of tokensFrom(source, list.start + 1)) {
    const char = source[token.start];
    if (token.kind === 'mark' && char === ',') {
      isBegun = false;
    } else if (!isBegun && token.kind === 'mark' && char === '.') {
      dots += 1;
    } else if (!isBegun) {
      parameters.push({ name: token.kind === 'word' ? nameOf(source, token) : undefined, isRest: dots > 0 });
      isBegun = true;
    }
  }
  return parameters;
}

function nameOf(source: string, { start, end }: Token): string {
  return source
    .slice(start, end)
    .replace(/\\u(?:\{([\da-f]+)\}|([\da-f]{4}))/gi, (_escape, code?: string, unit?: string) =>
      String.fromCodePoint(Number.parseInt(code ?? unit ?? '', 16)),
    );
}

/**
 * A minifier makes names of one or two letters, also for the function itself, and leaves out the blank before the
 * body. People write such names, too, and loaders that only take blanks out leave them: so it takes all of this to
 * give names up, and a function without a name keeps them.
 */
function isMinified(fn: Function, names: readonly (string | undefined)[], source: string, list: Token): boolean {
  const isShort = [fn.name, ...names].every((each) => each !== undefined && each.length > 0 && each.length <= 2);
  const after = source.slice(list.end, list.end + 2);
  return isShort && /^(?:=>|\{)/.test(after) && !/\s/.test(source.slice(list.start, list.end));
}
