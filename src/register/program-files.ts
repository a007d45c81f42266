import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import picomatch from 'picomatch';
import type { ProgramCode } from '../client/program-code.ts';

/** How a file is called that the patterns mean, by its path or its address; `undefined` for all others. */
export function matcherOf({ folder, patterns }: ProgramCode): (pathOrUrl: string) => string | undefined {
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(plain);
  const unwanted = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => plain(pattern.slice(1)));
  const isWanted = picomatch(wanted, { ignore: unwanted, dot: true });
  return (pathOrUrl) => {
    const path = pathOf(pathOrUrl);
    if (path === undefined || path.split(/[\\/]/).includes('node_modules')) return undefined;
    const file = relative(folder, path).split(sep).join('/');
    return isWanted(file) ? file : undefined;
  };
}

/** `./src/*` is written, too. */
function plain(pattern: string): string {
  return pattern.replace(/^\.\//, '');
}

function pathOf(pathOrUrl: string): string | undefined {
  if (pathOrUrl.startsWith('file:')) return fileURLToPath(pathOrUrl);
  return /^[a-z-]{2,}:/i.test(pathOrUrl) ? undefined : pathOrUrl;
}
