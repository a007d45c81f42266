import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { checkData, type DataCheck } from '../../../src/cli/checks/data.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/sqlite-storage.ts';
import { makeHome } from '../../flow/service-process.ts';

let folder: string;

beforeEach(() => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  folder = join(home, 'data');
});

const MIB = 1024 * 1024;
const ROOMY = { bytes: 1000 * MIB, totalBytes: 2000 * MIB, files: 1000, mountedAt: '/disk' };

function check(options: Partial<DataCheck> = {}) {
  return checkData({ folder, isServed: false, isNamed: true, freeRoom: () => ROOMY, ...options });
}

const levelsOf = (findings: Awaited<ReturnType<typeof check>>) =>
  findings.map(({ about, level }) => `${about}: ${level}`);

async function makeData(): Promise<void> {
  const storage = await openSqliteStorage({ path: join(folder, 'spoor.db') });
  await storage.close();
}

test('a folder that is not there is made when it is needed, and gone where a service uses it', async () => {
  expect(levelsOf(await check())).toEqual(['data folder: ok']);
  expect(await check({ isNamed: false })).toEqual([]);
  expect(await check({ isServed: true })).toMatchObject([
    { level: 'problem', message: `${folder} is gone, and a service uses it` },
  ]);
});

test('a file in its place is a problem', async () => {
  writeFileSync(folder, '');
  expect(await check()).toMatchObject([{ level: 'problem', message: `${folder} is not a folder` }]);
});

test('the data of a service that was stopped is whole', async () => {
  await makeData();
  expect(levelsOf(await check())).toEqual(['data folder: ok', 'data disk: ok', 'database: ok']);
});

test.each([
  [64 * MIB, 1000, 'ok'],
  [64 * MIB - 1, 1000, 'warning'],
  [MIB, 1, 'warning'],
  [MIB - 1, 1000, 'problem'],
  [0, undefined, 'problem'],
  [1000 * MIB, 0, 'problem'],
  [1000 * MIB, undefined, 'ok'],
])('%i bytes and %s files free: %s', async (bytes, files, level) => {
  await makeData();
  const findings = await check({ freeRoom: () => ({ ...ROOMY, bytes, files }) });
  const disk = findings.filter(({ about }) => about === 'data disk');
  expect(disk).toMatchObject([{ level }]);
  expect(disk[0]?.message).toMatch(level === 'ok' ? /^has room$/ : /^the disk at \/disk \(.* free.*\) .*spoor\.db/);
});

test('each file that is open to others has its warning', async () => {
  await makeData();
  writeFileSync(join(folder, 'keys.json'), '{"keys":[]}');
  chmodSync(join(folder, 'keys.json'), 0o640);
  chmodSync(join(folder, 'spoor.db'), 0o604);
  chmodSync(folder, 0o711);
  expect((await check()).map(({ level, message }) => `${level}: ${message}`)).toEqual([
    `warning: ${folder} is open to other users (mode 711)`,
    `warning: ${join(folder, 'spoor.db')} is open to other users (mode 604)`,
    `warning: ${join(folder, 'keys.json')} is open to other users (mode 640)`,
    'ok: has room',
    `ok: ${join(folder, 'spoor.db')} is whole`,
  ]);
});

test('what is no database is a problem, also in the place of one that a service uses', async () => {
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, 'spoor.db');
  writeFileSync(path, '', { mode: 0o600 });
  expect(levelsOf(await check())).toEqual(['data folder: ok', 'data disk: ok']);
  expect((await check({ isServed: true })).at(-1)).toMatchObject({
    level: 'problem',
    message: `${path}-wal is gone, and a service uses it`,
  });
  writeFileSync(`${path}-wal`, '', { mode: 0o600 });
  expect((await check({ isServed: true })).at(-1)).toMatchObject({
    level: 'problem',
    message: `${path} is damaged: it is no database`,
  });
  writeFileSync(path, 'Dear diary');
  expect((await check()).at(-1)).toMatchObject({ about: 'database', level: 'problem' });
});
