import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import { readOwnFile } from '../../spool/own-file.ts';

/** Compiled code is some hundred kilobytes. */
const MAX_BYTES = 8 * 1024 * 1024;
const CHECKSUM_BYTES = 4;
/** Files that were written longer ago are of a Node or a version of this package that has gone, or are written again. */
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Node 21 and the first of 22 have none; there nothing is kept. */
const { crc32 } = zlib as Partial<Pick<typeof zlib, 'crc32'>>;

/**
 * Compiled code that `keepCode` has kept. What anybody else can have written, or is not whole, is as good as none: the
 * engine runs it as it is.
 */
export function keptCode(path: string): Buffer | undefined {
  const { bytes } = readOwnFile(path, MAX_BYTES);
  if (crc32 === undefined || bytes === undefined || bytes.length <= CHECKSUM_BYTES) return undefined;
  const code = bytes.subarray(CHECKSUM_BYTES);
  return crc32(code) === bytes.readUInt32LE(0) ? code : undefined;
}

/** Replaces the file in one step. Where it cannot be written all is as it was: the next time is as slow as this one. */
export function keepCode(path: string, codeOf: () => Buffer): void {
  if (crc32 === undefined) return;
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    // Not `recursive`, which never returns where the system takes no folders, as below /proc on Node 20.
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    removeOld(folder);
    const code = codeOf();
    const head = Buffer.alloc(CHECKSUM_BYTES);
    head.writeUInt32LE(crc32(code));
    writeFileSync(temporary, Buffer.concat([head, code]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch {
    // A command that has done what it should does not fail for this. A draft that stays is removed as all that is old.
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > MAX_AGE_MS)
      rmSync(path, { force: true });
  }
}
