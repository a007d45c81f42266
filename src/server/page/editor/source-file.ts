import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/**
 * The file that a record means, below the first of the roots that has it; `undefined` where none has. Links are followed
 * first: one that leads out of a root leads to no file of it.
 */
export async function findSourceFile(roots: readonly string[], file: string): Promise<string | undefined> {
  for (const root of roots) {
    const found = await fileBelow(root, file);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function fileBelow(root: string, file: string): Promise<string | undefined> {
  try {
    const [top, found] = await Promise.all([realpath(root), realpath(resolve(root, file))]);
    return isBelow(top, found) && (await stat(found)).isFile() ? found : undefined;
  } catch {
    // Not there, not to be read, or no path at all: records may name anything.
    return undefined;
  }
}

function isBelow(top: string, path: string): boolean {
  const way = relative(top, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
