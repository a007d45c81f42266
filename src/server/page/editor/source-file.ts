import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';

/** The files that a record may mean, one for each root that has it. */
export async function findSourceFiles(roots: readonly string[], file: string): Promise<readonly string[]> {
  const found = await Promise.all(roots.map((root) => fileBelow(root, file)));
  return [...new Set(found.filter((path) => path !== undefined))];
}

/** Links are followed: one that leads out of a root leads to no file of it. */
async function fileBelow(root: string, file: string): Promise<string | undefined> {
  try {
    const top = await realpath(root);
    const path = resolve(root, file);
    // By its words first: to look at a path may already ask another machine, as network paths of Windows and automounts do.
    if (!isBelow(resolve(root), path) && !isBelow(top, path)) return undefined;
    const found = await realpath(path);
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
