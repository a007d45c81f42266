import { closeSync, openSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { DATA_FILES } from '../../server/data-files.ts';
import { databasePath } from '../../server/database-path.ts';
import { dataUpkeep } from '../data-upkeep.ts';
import { isOpenToOthers, modeOf, reasonNotWritable, statOf } from './access.ts';
import type { Finding } from './finding.ts';
import { describeDisk, type FreeRoom, freeRoomBeside } from './free-room.ts';

/** With less the log of the database has no room; with much less nothing has. */
const LOG_BYTES = 64 * 1024 * 1024;
const LEAST_BYTES = 1024 * 1024;
/** Reading so much takes less than a second. */
const MAX_CHECKED_BYTES = 128 * 1024 * 1024;

export interface DataCheck {
  readonly folder: string;
  /** A service uses it now. */
  readonly isServed: boolean;
  /** Somebody has named it, so that it should be there. */
  readonly isNamed: boolean;
  /** @default as the system tells */
  readonly freeRoom?: (path: string) => FreeRoom | undefined;
}

/** Is the folder of the database closed to others, is there room on its disk, and are its files whole? */
export async function checkData(check: DataCheck): Promise<Finding[]> {
  const { folder } = check;
  try {
    const stats = statOf(folder);
    if (stats === undefined) return checkMissing(check);
    if (!stats.isDirectory()) return [problem(`${folder} is not a folder`, 'Remove it, or name another with --data')];
    return await checkContent(check, stats);
  } catch (error) {
    const message = `${folder} cannot be looked into: ${error instanceof Error ? error.message : String(error)}`;
    return [problem(message, WRONG_PLACE)];
  }
}

const WRONG_PLACE = 'Change its owner or mode, or name another with --data';

function checkMissing({ folder, isServed, isNamed }: DataCheck): Finding[] {
  if (isServed) return [problem(`${folder} is gone, and a service uses it`, GONE)];
  return isNamed ? [{ level: 'ok', about: 'data folder', message: `${folder} (made when it is needed)` }] : [];
}

const GONE = 'Put it back as it was, or restart the service, which begins with what is there then';

async function checkContent(check: DataCheck, stats: Stats): Promise<Finding[]> {
  const { folder, freeRoom = freeRoomBeside } = check;
  const rights = checkRights(folder, stats);
  if (rights.some(({ level }) => level === 'problem')) return rights;
  const files = DATA_FILES.map((name) => join(folder, name)).flatMap(checkFile);
  const database = await checkDatabaseFile(check, stats);
  return [...rights, ...files, ...checkDisk(folder, freeRoom(folder)), ...database];
}

function checkRights(folder: string, stats: Stats): Finding[] {
  const reason = reasonNotWritable(folder, stats);
  if (reason !== undefined) return [problem(`${folder} cannot be written: ${reason}`, WRONG_PLACE)];
  const about = 'data folder';
  if (!isOpenToOthers(stats)) return [{ level: 'ok', about, message: folder }];
  const message = `${folder} is open to other users (mode ${modeOf(stats)})`;
  return [{ level: 'warning', about, message, advice: `Run: chmod 700 ${folder}` }];
}

function checkFile(path: string): Finding[] {
  const stats = statOf(path);
  if (stats === undefined) return [];
  const reason = reasonNotWritable(path, stats);
  if (reason !== undefined) return [problem(`${path} cannot be written: ${reason}`, WRONG_PLACE)];
  if (!isOpenToOthers(stats)) return [];
  const message = `${path} is open to other users (mode ${modeOf(stats)})`;
  return [{ level: 'warning', about: 'data folder', message, advice: `Run: chmod 600 ${path}` }];
}

function checkDisk(folder: string, room: FreeRoom | undefined): Finding[] {
  const about = 'data disk';
  if (room === undefined) return [];
  const path = databasePath(folder);
  if (room.bytes < LEAST_BYTES || room.files === 0) {
    const message = `${describeDisk(room)} has no room for ${path}`;
    return [{ level: 'problem', about, message, advice: 'Make room there: writing goes on without a restart' }];
  }
  if (room.bytes >= LOG_BYTES) return [{ level: 'ok', about, message: 'has room' }];
  const message = `${describeDisk(room)} is nearly full: the log of ${path} may need 64 MiB`;
  return [
    {
      level: 'warning',
      about,
      message,
      advice: 'Make room there, or let "spoor serve --retain-days" remove what is old',
    },
  ];
}

async function checkDatabaseFile({ folder, isServed }: DataCheck, { uid }: Stats): Promise<Finding[]> {
  const path = databasePath(folder);
  const file = statOf(path);
  if (file === undefined || (isServed && statOf(`${path}-wal`) === undefined)) {
    const gone = file === undefined ? path : `${path}-wal`;
    return isServed ? [problem(`${gone} is gone, and a service uses it`, GONE)] : [];
  }
  if (!isDatabase(path) && (isServed || file.size > 0)) return [damaged(path, 'it is no database')];
  // What another user's service opens next must not be made by us; and a service may not find others' files in its place.
  const isOurs = process.getuid === undefined || process.getuid() === uid;
  const sizes = [path, `${path}-wal`].map((each) => statOf(each)?.size ?? 0);
  if (isServed || !isOurs || file.size === 0 || Math.max(...sizes) > MAX_CHECKED_BYTES) return [];
  return await checkPages(folder);
}

/** The beginning of a database tells what it is. */
function isDatabase(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MAGIC.length);
    readSync(file, bytes, 0, bytes.length, 0);
    return bytes.toString('latin1') === MAGIC;
  } finally {
    closeSync(file);
  }
}

const MAGIC = 'SQLite format 3\0';

/** The pages of the file, which a check looks at first; the rest takes long. */
async function checkPages(folder: string): Promise<Finding[]> {
  const path = databasePath(folder);
  for await (const { problem: reason } of (await dataUpkeep(folder)).check()) {
    if (reason !== undefined) return [damaged(path, reason)];
    break;
  }
  return [{ level: 'ok', about: 'database', message: `${path} is whole` }];
}

function damaged(path: string, reason: string): Finding {
  const advice = 'Stop the service and restore a backup ("spoor restore"): the disk or the memory is at fault';
  return { level: 'problem', about: 'database', message: `${path} is damaged: ${reason}`, advice };
}

function problem(message: string, advice: string): Finding {
  return { level: 'problem', about: 'data folder', message, advice };
}
