import { COMPARE } from './pages.ts';
import { paths } from './paths.ts';

/** Where two calls or traces are compared, by their ids. @param b absent: the run before `a` */
export function comparePath(project: string, a: string, b?: string): string {
  return `${paths.compare(project)}?${COMPARE.write('', { a, ...(b !== undefined && { b }) })}`;
}
