import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { TracingError } from '../../../protocol/error.ts';
import type { OnProgress, Restored, RestoreOptions } from '../../contract/upkeep.ts';
import { POLICY, readPolicy } from '../../values/policy-setting.ts';
import { changeDatabase, takeNotes } from './backup.ts';
import { checkDatabase, DAMAGED } from './check.ts';
import { copyDatabase, syncFolderOf, syncToDisk, withDraft } from './copy-database.ts';
import { migrate, refuseForeign } from '../schema/migrate.ts';
import { selectSetting } from '../write/setting-table.ts';
import { ownDatabase } from './ownership.ts';

/**
 * Puts a backup in the place of a database, which is the old one until the moment it is the new one. Throws, and
 * changes nothing, while a service uses the database, when the backup is damaged or was written by a newer version,
 * and, unless forced, when there is a database.
 */
export async function restore(file: string, database: string, options: RestoreOptions): Promise<Restored> {
  if (!existsSync(file)) throw new TracingError('invalid_configuration', `There is no file "${file}"`);
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 });
  const release = ownDatabase(database);
  try {
    if (existsSync(database) && !options.isForced) {
      throw new TracingError('invalid_configuration', `Cannot restore to "${database}": there is data already`);
    }
    return await replace(file, database, options.onProgress);
  } finally {
    release();
  }
}

async function replace(file: string, database: string, onProgress?: OnProgress): Promise<Restored> {
  const draft = `${database}.restore`;
  return await withDraft(draft, async () => {
    const restored = await readBackup(file, draft, onProgress);
    syncToDisk(draft);
    if (existsSync(database)) foldLog(database);
    removeLog(database);
    renameSync(draft, database);
    syncFolderOf(database);
    return restored;
  });
}

async function readBackup(file: string, draft: string, onProgress?: OnProgress): Promise<Restored> {
  await copyBackup(file, draft, onProgress);
  const { notes, setting } = changeDatabase(draft, (copy) => {
    refuseForeign(copy, file);
    migrate(copy);
    return { notes: takeNotes(copy), setting: selectSetting(copy, POLICY) };
  });
  for (const { about, problem } of checkDatabase(draft)) {
    if (problem !== undefined) {
      throw damaged(file, `${about}: ${problem}`);
    }
  }
  const policy = readPolicy(setting);
  return { notes, ...(policy && { policy }) };
}

/** A file that cannot be read as a database is a wrong one; another failure is that of the machine. */
async function copyBackup(file: string, draft: string, onProgress?: OnProgress): Promise<void> {
  try {
    await copyDatabase(file, draft, onProgress);
  } catch (error) {
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    throw DAMAGED.includes(reason) ? damaged(file, reason, error) : error;
  }
}

function damaged(file: string, reason: string, cause?: unknown): TracingError {
  return new TracingError('invalid_configuration', `The backup "${file}" is damaged: ${reason}`, { cause });
}

/** Until it is replaced, the old database is whole without its log. */
function foldLog(database: string): void {
  try {
    changeDatabase(database, (old) => old.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE'));
  } catch {
    // A database that is damaged is often why one restores; its log goes with it.
  }
}

/** A log beside another database would be taken for its own; it may be all that is left of a database. */
function removeLog(database: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(database + suffix, { force: true });
}
