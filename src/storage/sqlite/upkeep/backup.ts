import { existsSync, readdirSync, realpathSync, renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { TracingError } from '../../../protocol/error.ts';
import type { BackupNotes, BackupOptions } from '../../contract/upkeep.ts';
import { copyDatabase, removeDatabase, syncFolderOf, syncToDisk, withDraft } from './copy-database.ts';
import { type DatabaseSync, loadDriver } from '../driver.ts';
import { refuseForeign } from '../schema/migrate.ts';
import { textOf } from '../read/text.ts';

/**
 * Writes a backup of a database, whether a service uses it or not: one file, for its owner only, that is there whole
 * or not at all. Returns its bytes.
 */
export async function backUp(database: string, file: string, options: BackupOptions): Promise<number> {
  if (!existsSync(database)) throw new TracingError('invalid_configuration', `There is no database "${database}"`);
  if (existsSync(file)) checkReplaceable(file, database, options);
  removeOldDrafts(file);
  const draft = file + DRAFT + process.pid;
  await withDraft(draft, async () => {
    await copyDatabase(database, draft, options.onProgress);
    changeDatabase(draft, (copy) => {
      refuseForeign(copy, database);
      addNotes(copy, options.notes);
    });
    syncToDisk(draft);
    renameSync(draft, file);
    syncFolderOf(file);
  });
  return statSync(file).size;
}

function checkReplaceable(file: string, database: string, { isForced }: BackupOptions): void {
  const isItself = realpathSync(file) === realpathSync(database);
  if (isForced && !isItself) return;
  const reason = isItself ? 'it is the database itself' : 'it is there already';
  throw new TracingError('invalid_configuration', `Cannot write "${file}": ${reason}`);
}

/** Stands between the name of a backup and the number of the process that writes it. */
const DRAFT = '.draft-';

/** A backup that was killed could not remove its draft, which is as large as the data. */
function removeOldDrafts(file: string): void {
  const folder = dirname(file);
  const prefix = basename(file) + DRAFT;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.startsWith(prefix)) continue;
    const pid = name.slice(prefix.length);
    if (/^\d+$/.test(pid) && !isRunning(Number(pid))) removeDatabase(file + DRAFT + pid);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of others one may not know more than that they run.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function addNotes(database: DatabaseSync, notes: BackupNotes): void {
  database.exec('BEGIN; DROP TABLE IF EXISTS backup; CREATE TABLE backup(name TEXT PRIMARY KEY, value TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO backup(name, value) VALUES (?, ?)');
  for (const [name, value] of Object.entries(notes)) insert.run(name, value);
  database.exec('COMMIT');
}

/** Takes the notes out of a database; a copy that was made by other means has none. */
export function takeNotes(database: DatabaseSync): BackupNotes {
  if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'backup'").get() === undefined) return {};
  const rows = database.prepare('SELECT name, value FROM backup').all();
  database.exec('DROP TABLE backup');
  return Object.fromEntries(rows.map(({ name, value }) => [textOf(name) ?? '', textOf(value) ?? '']));
}

/** Works on a database that nobody else uses. */
export function changeDatabase<Result>(path: string, work: (database: DatabaseSync) => Result): Result {
  const database = new (loadDriver().DatabaseSync)(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}
