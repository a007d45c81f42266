import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { backUp } from '../../../src/storage/sqlite/upkeep/backup.ts';
import { checkDatabase } from '../../../src/storage/sqlite/upkeep/check.ts';
import { restore } from '../../../src/storage/sqlite/upkeep/restore.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { readIds, startFact } from '../../../src/testing/storage/facts.ts';
import { newDatabasePath } from './store-folder.ts';

const BACKUP = { notes: {}, isForced: false };

/** A database with one call, and its backup. */
async function makeBackup(): Promise<{ path: string; file: string }> {
  const path = await newDatabasePath();
  const file = `${path}.backup`;
  const storage = await openSqliteStorage({ path });
  await storage.calls.write([startFact('c1')]);
  await backUp(path, file, BACKUP);
  await storage.close();
  return { path, file };
}

async function idsIn(path: string): Promise<string[]> {
  const storage = await openSqliteStorage({ path });
  const ids = await readIds(storage);
  await storage.close();
  return ids;
}

test('a log that is left of a database that is gone is not taken for that of the restored one', async () => {
  const { path, file } = await makeBackup();
  const storage = await openSqliteStorage({ path });
  await storage.calls.write(Array.from({ length: 50 }, (_, index) => startFact(`later${index}`)));
  copyFileSync(`${path}-wal`, `${path}-left`);
  await storage.close();
  rmSync(path);
  copyFileSync(`${path}-left`, `${path}-wal`);
  await restore(file, path, { isForced: false });
  expect([...checkDatabase(path)].filter(({ problem }) => problem !== undefined)).toEqual([]);
  expect(await idsIn(path)).toEqual(['c1']);
});

test('a database is never replaced by its own backup, whatever it is called', async () => {
  const { path } = await makeBackup();
  const folder = `${dirname(path)}-too`;
  symlinkSync(dirname(path), folder);
  for (const file of [path, join(folder, basename(path))]) {
    await expect(backUp(path, file, { notes: {}, isForced: true })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: `Cannot write "${file}": it is the database itself`,
    });
  }
  expect(await idsIn(path)).toEqual(['c1']);
});

test('what a killed backup has left is removed by the next one, what a running one writes is not', async () => {
  const { path, file } = await makeBackup();
  const { pid: gone } = spawnSync(process.execPath, ['--eval', '']);
  const names = [`.draft-${gone}`, `.draft-${gone}-journal`, `.draft-${process.ppid}`, '.draft-mine'];
  for (const name of names) writeFileSync(file + name, '');
  await backUp(path, file, { notes: {}, isForced: true });
  const left = readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.`));
  expect(left.toSorted()).toEqual(
    [`.draft-${process.ppid}`, '.draft-mine'].map((name) => basename(file) + name).toSorted(),
  );
});

const CHILD = fileURLToPath(new URL('./draft-child.ts', import.meta.url));
const PRELOAD = fileURLToPath(new URL('../../load-typescript.js', import.meta.url));

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('a process that ends by %s leaves no draft', async (signal) => {
  const draft = await newDatabasePath();
  mkdirSync(dirname(draft));
  const child = spawn(process.execPath, ['--import', PRELOAD, CHILD, draft]);
  const errors = text(child.stderr);
  const exited = once(child, 'exit');
  await Promise.race([once(child.stdout, 'data'), exited]);
  expect(readdirSync(dirname(draft))).toHaveLength(2);
  child.kill(signal);
  expect(await exited).toEqual([null, signal]);
  expect(await errors).toBe('');
  expect(readdirSync(dirname(draft))).toEqual([]);
});
