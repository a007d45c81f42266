import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Rights to write of the group and of everybody else. */
const OTHERS_WRITE = 0o022;
/** In a folder with this bit only owners replace files. */
const STICKY = 0o1000;
/** Whatever is longer was not written by us. */
const MAX_BYTES = 64 * 1024;

/** The bytes of a file, or why nobody should believe it; neither where there is none or we may not read it. */
export interface OwnFile {
  readonly bytes?: Buffer;
  readonly refusal?: string;
}

/**
 * Reads a file of at most `maxBytes` that only we, or the administrator, can have written: whoever else could write or
 * replace it decides what it says. Windows has no such rights; there every file is believed.
 */
export function readOwnFile(path: string, maxBytes: number = MAX_BYTES): OwnFile {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | NO_DETOURS);
    const refusal = refusalOf(fstatSync(file), statSync(dirname(path)), maxBytes);
    return refusal === undefined ? { bytes: readFileSync(file) } : { refusal: `${path}: ${refusal}` };
  } catch (error) {
    const isLink = (error as NodeJS.ErrnoException).code === 'ELOOP';
    return isLink ? { refusal: `${path}: it is a symbolic link` } : {};
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Follows no link, and waits for nobody who writes into a pipe. Windows knows neither. */
const NO_DETOURS =
  ((constants.O_NOFOLLOW as number | undefined) ?? 0) | ((constants.O_NONBLOCK as number | undefined) ?? 0);

function refusalOf(file: Stats, folder: Stats, maxBytes: number): string | undefined {
  if (!file.isFile() || file.size > maxBytes) return 'it is no file of ours';
  const ownUser = process.geteuid?.();
  if (ownUser === undefined) return undefined;
  if (!isOwnedBy(file, ownUser)) return `it belongs to another user (${file.uid})`;
  if (!isOwnedBy(folder, ownUser)) return `its folder belongs to another user (${folder.uid})`;
  if ((file.mode & OTHERS_WRITE) !== 0) return `other users may write it (mode ${modeOf(file)})`;
  const isReplaceable = (folder.mode & OTHERS_WRITE) !== 0 && (folder.mode & STICKY) === 0;
  return isReplaceable ? `other users may write its folder (mode ${modeOf(folder)})` : undefined;
}

/** The administrator may do everything anyway. */
function isOwnedBy({ uid }: Stats, user: number): boolean {
  return uid === user || uid === 0;
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}
