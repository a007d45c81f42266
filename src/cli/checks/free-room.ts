import { statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { formatBytes } from '../output/numbers.ts';

/** The room on a disk, as the system tells it. */
export interface FreeRoom {
  readonly bytes: number;
  readonly totalBytes: number;
  /** How many more files, where the disk has a limit. */
  readonly files: number | undefined;
  /** Folder where the disk is mounted. */
  readonly mountedAt: string;
}

/** Of the disk of a folder or, as long as it is not there, of the one it would be made in; `undefined`: nobody tells. */
export function freeRoomBeside(path: string): FreeRoom | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined && dirname(path) !== path)
      return freeRoomBeside(dirname(path));
    const { bavail, blocks, bsize, files, ffree } = statfsSync(path);
    const limits = { bytes: bavail * bsize, totalBytes: blocks * bsize, files: files > 0 ? ffree : undefined };
    return { ...limits, mountedAt: mountOf(resolve(path)) };
  } catch {
    return undefined;
  }
}

/** `the disk at /data (12.0 kB of 32.0 MB free)`. */
export function describeDisk({ bytes, totalBytes, files, mountedAt }: FreeRoom): string {
  const noFiles = files === 0 ? ', and no file more' : '';
  return `the disk at ${mountedAt} (${formatBytes(bytes)} of ${formatBytes(totalBytes)} free${noFiles})`;
}

/** The highest folder that is on the same device. */
function mountOf(path: string): string {
  const above = dirname(path);
  return above === path || statSync(above).dev !== statSync(path).dev ? path : mountOf(above);
}
