import { chmodSync, closeSync, fchmodSync, lstatSync, openSync } from 'node:fs';

/** Read and write for the owner, nothing for anybody else. */
const OWNER_ONLY = 0o600;

/**
 * Sees to it that a file of a database is for its owner only, whatever folder and umask; makes it where there is none. What
 * SQLite puts beside it gets the same mode. One that exists is never opened here: closing it would give up the locks that
 * SQLite may have on it in this process.
 */
export function makePrivate(path: string): void {
  if (path === ':memory:') return;
  try {
    const file = openSync(path, 'wx', OWNER_ONLY);
    fchmodSync(file, OWNER_ONLY);
    closeSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    closeToOthers(path);
  }
}

/**
 * A file of another user stays as it is, and so does what a link leads to, which may be anybody's: that is for its owner to
 * change. False when it is open to others still.
 */
export function closeToOthers(path: string): boolean {
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.uid !== (process.getuid?.() ?? stats.uid)) return false;
    chmodSync(path, OWNER_ONLY);
    return true;
  } catch {
    return false;
  }
}
