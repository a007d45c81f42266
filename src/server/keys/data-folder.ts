import { TracingError } from '../../protocol/error.ts';
import { ensurePrivateFolder } from '../../spool/state-folder.ts';

/** Makes the folder of the data for its owner only. Throws `invalid_configuration` with what stands in the way. */
export function makeDataFolder(dataDir: string): void {
  try {
    ensurePrivateFolder(dataDir);
  } catch (cause) {
    const { code = String(cause), path = dataDir } = cause as NodeJS.ErrnoException;
    const reason = REASONS[code]?.(path) ?? code;
    const remedy = 'choose another with --data, or a state folder with SPOOR_HOME';
    throw new TracingError('invalid_configuration', `Cannot make the data folder "${dataDir}": ${reason}; ${remedy}`, {
      cause,
    });
  }
}

const REASONS: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `this user may not make "${path}"`,
  EPERM: (path) => `this user may not make "${path}"`,
  EROFS: () => 'the disk can only be read',
  ENOSPC: () => 'the disk is full',
  ENOTDIR: () => 'a part of the path is not a folder',
  EEXIST: (path) => `"${path}" is not a folder`,
  ENOENT: (path) => `the system takes no "${path}"`,
};
