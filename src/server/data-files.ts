import { type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { closeToOthers } from '../storage/private-file.ts';

/** Files of a data folder: all of them are for the user of the service only. */
export const DATA_FILES = [
  'spoor.db',
  'spoor.db-wal',
  'spoor.db-shm',
  'spoor.db-journal',
  'spoor.db-owner',
  'spoor.db-owner-journal',
  'keys.json',
  'local-key',
] as const;

/** Rights of the group and of everybody else. */
const OTHERS = 0o077;

/** Closes the files to others, which may be of a time when they were not; the folder may be shared, so that it is said. */
export function closeData(dataDir: string, logger: Logger): void {
  for (const path of DATA_FILES.map((name) => join(dataDir, name))) {
    if (!isOpen(statOf(path)) || closeToOthers(path)) continue;
    logger.warn({ path }, 'data file is open to other users, and is a link or belongs to another one');
  }
  const folder = statOf(dataDir);
  if (!isOpen(folder)) return;
  const mode = (folder.mode & 0o777).toString(8);
  logger.warn({ path: dataDir, mode }, 'data folder is open to other users: run chmod 700 on it');
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

/** Windows has no such rights; its modes say nothing. */
function isOpen(stats: Stats | undefined): stats is Stats {
  return stats !== undefined && process.platform !== 'win32' && (stats.mode & OTHERS) !== 0;
}
