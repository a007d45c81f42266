import type { CallRecord } from './call-record.ts';
import { placeOf } from '../../protocol/values/code-place.ts';
import { readException, type StackFrame } from '../../protocol/values/exception.ts';

/** The lines of a source as its file counts them. */
export interface SourceLines {
  readonly file: string;
  /** The number of the first one. */
  readonly first: number;
  /** The number of the one that threw. */
  readonly failed: number;
}

/**
 * Where the source of a call stands in its file, as far as that is certain. What a record knows is where the function was given
 * to `traced`: it may be written elsewhere in the file, and compilers leave lines out of it. A stack that has passed through
 * the function, by its name, within as many lines from there on as the source has, says that it begins there.
 */
export function sourceLinesOf(
  { exception, attributes }: Pick<CallRecord, 'exception' | 'attributes'>,
  code: string,
): SourceLines | undefined {
  const place = placeOf(attributes.value);
  if (place === undefined || exception === undefined) return undefined;
  const count = code.split('\n').length;
  const isHere = ({ file, line = 0, functionName }: StackFrame): boolean =>
    isFile(file, place.file) && line >= place.line && line < place.line + count && names(code, functionName);
  const frame = readException(exception)
    .flatMap(({ frames }) => frames)
    .find(isHere);
  return frame?.line === undefined ? undefined : { file: place.file, first: place.line, failed: frame.line };
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
