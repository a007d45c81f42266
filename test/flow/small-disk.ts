import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeHome } from './service-process.ts';

/** Puts a disk of its own at `folder`, of so many megabytes; that takes a right which few users have. False without it. */
export function mountDisk(folder: string, megabytes: number): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

export function unmountDisk(folder: string): void {
  execFileSync('umount', [folder], { stdio: 'pipe' });
}

export const canMount = (() => {
  const { home, remove } = makeHome();
  const folder = join(home, 'disk');
  const isMounted = mountDisk(folder, 1);
  if (isMounted) unmountDisk(folder);
  remove();
  return isMounted;
})();

/** Writes `file` until the disk that it is on takes no more. */
export function fillDisk(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const size of [1_000_000, 4096]) fillWith(descriptor, Buffer.alloc(size));
  } finally {
    closeSync(descriptor);
  }
}

function fillWith(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
