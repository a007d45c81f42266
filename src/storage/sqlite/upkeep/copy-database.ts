import { closeSync, fsyncSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { TracingError } from '../../../protocol/error.ts';
import type { OnProgress } from '../../contract/upkeep.ts';
import type { CopyData } from './copy-thread.ts';
import { threadFlags } from '../../thread-flags.ts';

const PROGRESS_MS = 200;

/**
 * Makes a copy of one moment of a database that others may be writing, at a path where nothing is yet. `VACUUM INTO`
 * reads in one transaction; the copying interface of SQLite begins again whenever another process writes, and so
 * never ends under load.
 */
export async function copyDatabase(from: string, to: string, onProgress: OnProgress = () => undefined): Promise<void> {
  const whole = statSync(from).size;
  let timer: NodeJS.Timeout | undefined;
  try {
    // Before anything is in it, nobody else may read it.
    writeFileSync(to, '', { flag: 'wx', mode: 0o600 });
    timer = setInterval(() => onProgress(statSync(to, { throwIfNoEntry: false })?.size ?? 0, whole), PROGRESS_MS);
    await runThread({ from, to });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TracingError('unavailable', `Cannot copy "${from}" to "${to}": ${reason}`, { cause });
  } finally {
    clearInterval(timer);
  }
}

function runThread(data: CopyData): Promise<void> {
  const worker = new Worker(createRequire(import.meta.url).resolve('#copy-thread'), {
    workerData: data,
    name: 'spoor storage copy',
    ...threadFlags(),
  });
  return new Promise((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => resolve());
  });
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Works on a draft of a database, which is gone afterwards unless it was given another name: also when the process is
 * told to end meanwhile.
 */
export async function withDraft<Result>(draft: string, work: () => Promise<Result>): Promise<Result> {
  const onSignal = (signal: NodeJS.Signals) => {
    removeDatabase(draft);
    // Nobody listens any more, so that the process ends as it would have.
    process.kill(process.pid, signal);
  };
  removeDatabase(draft);
  for (const signal of SIGNALS) process.once(signal, onSignal);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    removeDatabase(draft);
  }
}

/** Waits until the disk has a file, or the names in a folder. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until the disk knows that a file was renamed. */
export function syncFolderOf(path: string): void {
  // Windows cannot open a folder; there a rename is written through.
  if (process.platform !== 'win32') syncToDisk(dirname(path));
}

/** Removes a file of a database, with what SQLite may have left beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}
