import { hasWaitingFiles, prepareFiles, prepareFilesNow } from './file-work.ts';
import { heldRecords, writeHeldRecords } from './held-records.ts';

/**
 * Resolves when files that are being made ready and records that wait for the content of a Blob have been written;
 * `undefined` when there are none. The client asks before it flushes.
 */
export function pendingContent(): Promise<unknown> | undefined {
  const held = heldRecords();
  const files = prepareFiles();
  return held === undefined ? files : Promise.all([held, files]).then(prepareFiles);
}

export function hasPendingContent(): boolean {
  return hasWaitingFiles() || heldRecords() !== undefined;
}

/** The same at once, without the content of Blobs: for a process that ends. */
export function writePendingContent(): void {
  writeHeldRecords();
  prepareFilesNow();
}
