import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { readOwnFile } from '../../spool/own-file.ts';

/** Compiled code is some hundred kilobytes. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * Compiled code that `keepCode` has kept for a text with this digest. Code that anybody else can have written, or that is not whole, is
 * as good as none: the engine runs it as it is.
 */
export function keptCode(path: string, digest: string): Buffer | undefined {
  const { bytes } = readOwnFile(path, MAX_BYTES);
  const head = digest.length + CHECKSUM_BYTES;
  if (bytes === undefined || bytes.length <= head || bytes.toString('latin1', 0, digest.length) !== digest)
    return undefined;
  const code = bytes.subarray(head);
  return crc32(code) === bytes.readUInt32LE(digest.length) ? code : undefined;
}

const CHECKSUM_BYTES = 4;

/** Replaces the file in one step. Where it cannot be written all is as it was: the next time is as slow as this one. */
export function keepCode(path: string, { digest, code }: { readonly digest: string; readonly code: Buffer }): void {
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}.tmp`;
  const head = Buffer.alloc(digest.length + CHECKSUM_BYTES);
  head.write(digest, 'latin1');
  head.writeUInt32LE(crc32(code), digest.length);
  try {
    // A state folder is not made for this.
    if (!existsSync(dirname(folder))) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([head, code]), { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch {
    rmSync(temporary, { force: true });
  }
}
