import { existsSync, statSync } from 'node:fs';
import { TracingError } from '../../../protocol/error.ts';

/**
 * The files of an open database, as they were when they were opened. A file that somebody removed or replaced is still
 * written, and gone with the process. They are looked at by name only: whoever opens and closes a file of a database gives
 * up the locks that SQLite has on it in this process.
 */
export class DatabaseFiles {
  readonly #identities: ReadonlyMap<string, string | undefined>;

  constructor(path: string) {
    this.#identities = new Map(['', ...BESIDE].map((suffix) => [path + suffix, identityOf(path + suffix)]));
  }

  /** Throws `unavailable` where one of them is not in its place. */
  check(): void {
    for (const [path, identity] of this.#identities) if (identityOf(path) !== identity) throw gone();
  }
}

/** The log and the index of the log, which are there as long as a connection is. */
const BESIDE = ['-wal', '-shm'];

/** A database, and which file it is where this process has used it before. */
export interface KnownDatabase {
  readonly path: string;
  readonly identity?: string | undefined;
}

/** Throws `unavailable` unless it is the file that it was: opening another one would make a database of its own. */
export function checkSameFile({ path, identity }: KnownDatabase): void {
  if (identity !== undefined && identityOf(path) !== identity) throw gone();
}

/** The same of one that is open elsewhere in this process: its log must be the one that is written. */
export function checkOpenFiles(database: KnownDatabase): void {
  checkSameFile(database);
  const { path, identity } = database;
  if (identity !== undefined && !BESIDE.every((suffix) => existsSync(path + suffix))) throw gone();
}

/** Differs between files; `undefined` where there is none, or nobody lets us look. */
export function identityOf(path: string): string | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino.toString();
  } catch {
    return undefined;
  }
}

function gone(): TracingError {
  return new TracingError(
    'unavailable',
    'Cannot use the database: its files were removed or replaced; put them back, or restart the service',
  );
}
