import { readException } from './exception.ts';
import { isObject } from './parsed-object.ts';

/** A line of a file, counted from 1. */
export interface CodePlace {
  readonly file: string;
  readonly line: number;
}

/** The line to look at first: where a call failed in code of the program, else where the client said that its op stands. */
export function placeToOpen(exception: string | undefined, attributes: unknown): CodePlace | undefined {
  const frames = readException(exception ?? '').flatMap((error) => error.frames);
  for (const { isOwn, file, line } of frames) if (isOwn && line !== undefined) return { file, line };
  return placeOf(attributes);
}

/** Where the code of a call stands, as far as the client said. */
export function placeOf(attributes: unknown): CodePlace | undefined {
  const svc = isObject(attributes) && isObject(attributes['svc']) ? attributes['svc'] : undefined;
  const [file, line] = [svc?.['code_file'], svc?.['code_line']];
  return typeof file === 'string' && typeof line === 'number' ? { file, line } : undefined;
}
