import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildOnce } from '../build.ts';
import { runProgram } from './program.ts';
import { makeHome, post, runCli, type ServiceProcess, startServiceProcess } from './service-process.ts';

// Who else may read what was recorded, and whom a program believes where its records go.

let home: string;
let data: string;
let cleanUp: (() => unknown)[];

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  const made = makeHome();
  home = made.home;
  data = join(home, 'elsewhere');
  cleanUp = [made.remove];
});
afterEach(async () => {
  for (const step of cleanUp.toReversed()) await step();
});

/** What is started inside inherits it. */
async function withUmask<T>(umask: number, work: () => Promise<T>): Promise<T> {
  const before = process.umask(umask);
  try {
    return await work();
  } finally {
    process.umask(before);
  }
}

async function serve(): Promise<ServiceProcess> {
  const service = await startServiceProcess(home, ['--data', data]);
  cleanUp.push(() => service.stop());
  return service;
}

async function write(service: ServiceProcess): Promise<void> {
  const start = { project_id: 'acme/x', id: 'c1', op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
  expect((await post(service, '/call/start', { start })).status).toBe(200);
}

/** The mode of each file below a folder. */
function modesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    lstatSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
}

const WHILE_IT_RUNS = ['keys.json', 'local-key', 'spoor.db', 'spoor.db-owner', 'spoor.db-shm', 'spoor.db-wal'];
const isOpen = (mode: string) => mode !== '600';

describe.each([0o000, 0o022, 0o077, 0o177])('with umask %o', (umask) => {
  test.each([0o755, 0o777, 0o700])('in a data folder of mode %o every file is for its owner only', async (mode) => {
    mkdirSync(data);
    chmodSync(data, mode);
    await withUmask(umask, async () => {
      const service = await serve();
      await write(service);
    });
    const modes = modesOf(data);
    expect(Object.keys(modes)).toEqual(expect.arrayContaining(WHILE_IT_RUNS));
    expect(Object.values(modes).filter(isOpen)).toEqual([]);
    expect(modesOf(home)['server.json']).toBe('600');
  });

  // Folders that are made under the last one are for the administrator only, who may enter any.
  test.skipIf(umask === 0o177 && process.getuid?.() !== 0)(
    'backups, restored data and records on disk are for their owner only',
    async () => {
      const service = await withUmask(umask, serve);
      await write(service);
      const shared = join(home, 'shared');
      mkdirSync(shared);
      chmodSync(shared, 0o755);
      mkdirSync(join(shared, 'restored'));
      chmodSync(join(shared, 'restored'), 0o755);
      await withUmask(umask, async () => {
        const backup = join(shared, 'backup.db');
        expect(await runCli(home, 'backup', backup, '--data', data)).toMatchObject({ code: 0 });
        const restored = await runCli(home, 'restore', backup, '--data', join(shared, 'restored'));
        expect(restored).toMatchObject({ code: 0 });
        await service.stop();
        await runProgram(home, 'step(1);');
      });
      const modes = { ...modesOf(shared), ...modesOf(join(home, 'spool')) };
      expect(Object.keys(modes)).toEqual(
        expect.arrayContaining(['backup.db', join('restored', 'spoor.db'), join('restored', 'keys.json')]),
      );
      expect(Object.keys(modes).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
      expect(Object.entries(modes).filter(([, mode]) => isOpen(mode))).toEqual([]);
    },
  );
});

test('files of before that others may read are closed to them at the start', async () => {
  const before = await serve();
  await write(before);
  await before.stop('SIGKILL');
  for (const name of readdirSync(data)) chmodSync(join(data, name), 0o644);
  const warned = await runCli(home, 'doctor', '--data', data);
  expect(warned.stdout).toContain(`! data folder: ${join(data, 'spoor.db')} is open to other users (mode 644)`);
  await write(await serve());
  expect(Object.values(modesOf(data)).filter(isOpen)).toEqual([]);
});

test('a data folder that is open to others is said at the start and by the doctor', async () => {
  mkdirSync(data);
  chmodSync(data, 0o755);
  const service = await serve();
  await service.stop();
  expect(service.stderr).toContain(`"path":"${data}"`);
  expect(service.stderr).toContain('data folder is open to other users: run chmod 700 on it');
  const { stdout } = await runCli(home, 'doctor', '--data', data);
  expect(stdout).toContain(`! data folder: ${data} is open to other users (mode 755)\n  → Run: chmod 700 ${data}`);
});

const isRoot = process.getuid?.() === 0;
const NOBODY_KNOWN = 54_321;
const file = () => join(home, 'server.json');

/** How somebody else may have written what a program is to believe, and what it says to that. */
const FOREIGN: [string, () => void, RegExp][] = [
  ['everybody may write it', () => chmodSync(file(), 0o666), /other users may write it \(mode 666\)/],
  ['its group may write it', () => chmodSync(file(), 0o620), /other users may write it \(mode 620\)/],
  ['everybody may write its folder', () => chmodSync(home, 0o777), /other users may write its folder \(mode 777\)/],
  ['its group may write its folder', () => chmodSync(home, 0o770), /other users may write its folder \(mode 770\)/],
  [
    'it is a symbolic link',
    () => {
      renameSync(file(), join(home, 'other.json'));
      symlinkSync('other.json', file());
    },
    /it is a symbolic link/,
  ],
];

const FOREIGN_OWNERS: typeof FOREIGN = [
  ['another user owns it', () => chownSync(file(), NOBODY_KNOWN, 0), /it belongs to another user/],
  ['another user owns its folder', () => chownSync(home, NOBODY_KNOWN, 0), /its folder belongs to another user/],
];

describe.each([...FOREIGN, ...(isRoot ? FOREIGN_OWNERS : [])])('when %s', (_name, change, reason) => {
  test('a program does not believe server.json, says so once, and keeps its records', async () => {
    const service = await serve();
    change();
    const source = `for (let n = 0; n < 5; n++) { step(n); await flush(); }
      console.log(JSON.stringify(stats()));`;
    const { stderr: said, code } = await runProgram(home, source);
    const lines = said.split('\n').filter((line) => line.includes('server.json'));
    expect({ code, count: lines.length }).toEqual({ code: 0, count: 1 });
    expect(lines[0]).toMatch(reason);
    const query = await post(service, '/calls/query_stats', { project_id: 'local/flow' });
    expect(await query.json()).toMatchObject({ count: 0 });
    const doctor = await runCli(home, 'doctor');
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(new RegExp(`✗ server file: .*${reason.source}`));
    const listed = await runCli(home, 'ls');
    expect(listed.code).toBe(1);
    expect(listed.stderr).toMatch(reason);
  });
});

test.runIf(!isRoot)('SKIPPED for users without the right to give files away: files of other users', () => {
  expect(isRoot).toBe(false);
});

test('a folder where everybody may write and only owners may replace is good enough for a file of our own', async () => {
  chmodSync(home, 0o1777);
  const service = await serve();
  const { stderr: said } = await runProgram(home, 'step(1); await flush();');
  expect(said).toBe('');
  const query = await post(service, '/calls/query_stats', { project_id: 'local/flow' });
  expect(await query.json()).toMatchObject({ count: 1 });
});

test('a service says at its start that programs will not believe its file', async () => {
  mkdirSync(data);
  chmodSync(data, 0o700);
  chmodSync(home, 0o777);
  const service = await serve();
  await service.stop();
  chmodSync(home, 0o700);
  expect(service.stderr).toMatch(/^spoor: .*server\.json.* other users may write its folder \(mode 777\)/m);
});
