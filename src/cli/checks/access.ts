import { accessSync, constants, type Stats, statSync } from 'node:fs';

/** Rights of the group and of everybody else. */
const OTHERS = 0o077;

/** Windows has no such rights; its modes say nothing. */
export function isOpenToOthers({ mode }: Stats): boolean {
  return process.platform !== 'win32' && (mode & OTHERS) !== 0;
}

/** `755`. */
export function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}

/** `undefined` where there is nothing. Throws what the system says where nobody lets us look. */
export function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** The reason why we cannot write a file, or in a folder, as far as the system tells it. */
export function reasonNotWritable(path: string, stats: Stats): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | (stats.isDirectory() ? constants.X_OK : 0));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS'
      ? 'its disk may only be read'
      : 'its rights do not allow it';
  }
}
