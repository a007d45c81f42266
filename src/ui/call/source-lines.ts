import type { CallRecord } from './call-record.ts';
import { placeOf } from '../../protocol/values/code-place.ts';
import { readException } from '../../protocol/values/exception.ts';

/** The lines of a source as its file counts them. */
export interface SourceLines {
  readonly file: string;
  /** The number of the first one. */
  readonly first: number;
  /** The number of the one that threw. */
  readonly failed: number;
}

/** The function begins on the line of `traced(`, or so many below, where a formatter or a comment has moved it. */
const MAX_BELOW = 3;

/**
 * Where the source of a call stands in its file, as far as that is certain. What a record knows is where the function was given
 * to `traced`: it may begin on a line below or elsewhere in the file, and compilers leave lines out of it. A stack that has
 * passed through the function, by its name, says it, if its column is that of something that can fail in one of the lines
 * that may be meant, and in no other of them.
 */
export function sourceLinesOf(
  { exception, attributes }: Pick<CallRecord, 'exception' | 'attributes'>,
  code: string,
): SourceLines | undefined {
  const place = placeOf(attributes.value);
  if (place === undefined || exception === undefined) return undefined;
  const lines = code.replace(/\n$/, '').split('\n');
  for (const { file, line, column, functionName } of readException(exception).flatMap(({ frames }) => frames)) {
    if (line === undefined || column === undefined || !isFile(file, place.file) || !names(code, functionName)) continue;
    const firsts = [...Array(MAX_BELOW + 1).keys()]
      .map((below) => place.line + below)
      .filter((first) => first <= line && canFail(lines, line - first, column));
    const [first] = firsts;
    if (first !== undefined && firsts.length === 1) return { file: place.file, first, failed: line };
  }
  return undefined;
}

const HEAD = /^(?:async\b\s*)?(?:function\b\s*)?\*?\s*[\w$#]*\s*\(/;
const FALLIBLE = /\b(?:new|await)\b|[\w$]\s*\(|\.\s*[\w$]/;
const STATEMENT =
  /^(?:const|let|var|return|if|else|for|while|do|switch|case|break|continue|throw|try|catch|finally|function|async|of|in)\b/;
const DECLARED = /\b(?:const|let|var)\s+$/;

/** Can the part of a line that begins at a column fail? Of the first line nobody knows the column that it has in its file. */
function canFail(lines: readonly string[], index: number, column: number): boolean {
  const line = lines[index];
  if (line === undefined) return false;
  if (index === 0) return FALLIBLE.test(line.replace(HEAD, ''));
  const [before, rest] = [line.slice(0, column - 1), line.slice(column - 1)];
  if (!/^[\w$#]/.test(rest) || /[\w$#]$/.test(before) || STATEMENT.test(rest)) return false;
  return !(DECLARED.test(before) && /^[\w$]+\s*=/.test(rest));
}

/** Stacks say whole paths, records those from the root of the package on. */
function isFile(path: string, file: string): boolean {
  const normal = path.replaceAll('\\', '/');
  return normal === file || normal.endsWith(`/${file}`);
}

/** `Mailer.send` is the name of what is written as `send`. */
function names(code: string, functionName: string): boolean {
  const own = functionName.split(/[. ]/).at(-1) ?? '';
  return own !== '' && new RegExp(`(?<![\\w$])${own.replaceAll(/[^\w]/g, '\\$&')}(?![\\w$])`).test(code);
}
