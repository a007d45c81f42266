import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { loadDriver } from '../../../src/storage/sqlite/driver.ts';
import { initialSchema } from '../../../src/storage/sqlite/schema/0001-initial.ts';
import { buildOnce } from '../../build.ts';
import { makeHome, post, runCli, type ServiceProcess, startServiceProcess } from '../../flow/service-process.ts';

const PROJECT = 'acme/backup';

let home: string;
let file: string;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  const made = makeHome();
  home = made.home;
  file = join(home, 'calls.backup');
  onTestFinished(made.remove);
});

async function serve(args: string[] = []): Promise<ServiceProcess> {
  const service = await startServiceProcess(home, args);
  onTestFinished(async () => void (await service.stop()));
  return service;
}

async function write(service: ServiceProcess, id: string): Promise<void> {
  const start = { project_id: PROJECT, id, op_name: 'f', started_at: '2026-01-01T00:00:00Z', inputs: { id } };
  expect((await post(service, '/call/start', { start })).status).toBe(200);
}

async function idsOf(service: ServiceProcess): Promise<string[]> {
  const text = await (await post(service, '/calls/stream_query', { project_id: PROJECT })).text();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { id: string }).id).toSorted();
}

function change(path: string, sql: string): void {
  const database = new (loadDriver().DatabaseSync)(path);
  database.exec(sql);
  database.close();
}

/** Runs a command on another data folder, as on another machine. */
const elsewhere = () => join(home, 'elsewhere');

test('a backup that is made while the service is written to holds what was there before, and is restored', async () => {
  const service = await serve();
  const written: string[] = [];
  for (let index = 0; index < 50; index++) {
    written.push(`c${index}`);
    await write(service, `c${index}`);
  }
  const before = [...written];
  const done = new AbortController();
  const writing = (async () => {
    for (let index = 50; !done.signal.aborted; index++) {
      await write(service, `c${index}`);
      written.push(`c${index}`);
    }
  })();
  const made = await runCli(home, 'backup', file, '--json');
  done.abort();
  await writing;
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const { bytes } = JSON.parse(made.stdout) as { bytes: number };
  expect(statSync(file)).toMatchObject({ size: bytes });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(home).filter((name) => name.startsWith('calls.backup'))).toEqual(['calls.backup']);
  expect(await idsOf(service)).toEqual(written.toSorted());
  await service.stop();

  expect(await runCli(home, 'restore', file, '--data', elsewhere())).toMatchObject({ code: 0, stderr: '' });
  expect(await runCli(home, 'check', '--data', elsewhere())).toMatchObject({ code: 0 });
  const restored = await serve(['--data', elsewhere()]);
  const ids = await idsOf(restored);
  expect(ids).toEqual(expect.arrayContaining(before));
  // No gaps: the backup is one moment.
  expect(ids).toEqual(written.slice(0, ids.length).toSorted());
});

test('a backup holds what a killed service had acknowledged', async () => {
  const service = await serve();
  await write(service, 'c1');
  await service.stop('SIGKILL');
  const made = await runCli(home, 'backup', file);
  expect(made).toMatchObject({ code: 0 });
  expect(made.stdout).toMatch(/^\S+calls\.backup holds all data of \S+data · \d+\.\d kB\n$/);
  await runCli(home, 'restore', file, '--data', elsewhere());
  expect(await idsOf(await serve(['--data', elsewhere()]))).toEqual(['c1']);
});

test('a file that is there is replaced with --force only', async () => {
  await (await serve()).stop();
  writeFileSync(file, 'mine');
  expect(await runCli(home, 'backup', file)).toMatchObject({
    code: 1,
    stderr: `spoor: Cannot write "${file}": it is there already\n`,
  });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect(await runCli(home, 'backup', file, '--force')).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'latin1')).toMatch(/^SQLite format 3/);
});

test('without data there is nothing to back up, and nothing is made', async () => {
  const database = join(home, 'data', 'spoor.db');
  expect(await runCli(home, 'backup', file)).toMatchObject({
    code: 1,
    stderr: `spoor: There is no database "${database}"\n`,
  });
  expect(await runCli(home, 'check')).toMatchObject({ code: 1, stderr: `spoor: There is no database "${database}"\n` });
  expect(readdirSync(home)).toEqual([]);
  mkdirSync(join(home, 'data'));
  change(database, 'CREATE TABLE other(a)');
  expect(await runCli(home, 'backup', file)).toMatchObject({
    code: 1,
    stderr: `spoor: There is no data of spoor in "${database}"\n`,
  });
  expect(readdirSync(home)).toEqual(['data']);
});

test('data is not restored while a service uses the folder, nor over data without --force', async () => {
  const service = await serve();
  await write(service, 'old');
  expect((await runCli(home, 'backup', file)).code).toBe(0);
  await write(service, 'new');
  expect(await runCli(home, 'restore', file, '--force')).toMatchObject({
    code: 1,
    stderr: `spoor: Cannot open the database "${join(home, 'data', 'spoor.db')}": another service uses it\n`,
  });
  // A log is left behind, which must not be taken for that of the restored database.
  await service.stop('SIGKILL');
  expect(await runCli(home, 'restore', file)).toMatchObject({
    code: 1,
    stderr: `spoor: Cannot restore to "${join(home, 'data', 'spoor.db')}": there is data already\n`,
  });
  const kept = await serve();
  expect(await idsOf(kept)).toEqual(['new', 'old']);
  await kept.stop('SIGKILL');
  const restored = await runCli(home, 'restore', file, '--force', '--json');
  expect(JSON.parse(restored.stdout)).toEqual({
    folder: join(home, 'data'),
    createdAt: expect.stringMatching(/^20\d\d-/) as string,
    hasRestoredKeys: false,
    policy: null,
  });
  expect((await runCli(home, 'check')).code).toBe(0);
  expect(await idsOf(await serve())).toEqual(['old']);
});

test('a damaged backup changes nothing', async () => {
  const refuse = async (reason = 'The backup .* is damaged: .*malformed') => {
    const refused = await runCli(home, 'restore', file, '--force');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(`^spoor: ${reason}`) as string });
  };
  const service = await serve();
  for (let index = 0; index < 200; index++) await write(service, `c${index}`);
  expect((await runCli(home, 'backup', file)).code).toBe(0);
  const bytes = readFileSync(file);
  bytes.fill(0x5a, bytes.length / 2, bytes.length / 2 + 40_000);
  writeFileSync(file, bytes);
  await service.stop();
  await refuse();
  expect((await runCli(home, 'backup', file, '--force')).code).toBe(0);
  change(file, "DELETE FROM body_start WHERE pk = 3; UPDATE calls SET op = 99 WHERE id = 'c1'");
  await refuse('The backup .* is damaged: calls that have started have an op and a body: does not hold for 2 rows');
  expect(readdirSync(join(home, 'data')).filter((name) => name.includes('restore'))).toEqual([]);
  expect(await idsOf(await serve())).toHaveLength(200);
});

test('a backup of a newer version, and a file that is none, are refused with a sentence', async () => {
  await (await serve()).stop();
  await runCli(home, 'backup', file);
  change(file, 'PRAGMA user_version = 999');
  const newer = await runCli(home, 'restore', file, '--data', elsewhere());
  expect(newer.code).toBe(1);
  expect(newer.stderr).toMatch(/its schema is version 999 and this program knows up to \d+; use a newer version/);
  writeFileSync(file, 'no database');
  const none = await runCli(home, 'restore', file, '--data', elsewhere());
  expect(none).toMatchObject({ code: 1 });
  expect(none.stderr).toMatch(/^spoor: The backup .* is damaged: file is not a database\n$/);
  writeFileSync(file, '');
  const empty = await runCli(home, 'restore', file, '--data', elsewhere());
  expect(empty).toMatchObject({ code: 1, stderr: `spoor: There is no data of spoor in "${file}"\n` });
});

test('a backup of an older schema is brought up to date', async () => {
  change(file, `${initialSchema}; PRAGMA user_version = 1`);
  expect(await runCli(home, 'restore', file)).toMatchObject({ code: 0, stderr: '' });
  const checked = await runCli(home, 'check');
  expect(checked.code).toBe(0);
  expect(checked.stdout).toContain('tables have all their rows');
});

test('what services were told to keep comes back, and is named', async () => {
  await (await serve(['--retain-days', '30'])).stop();
  await runCli(home, 'backup', file);
  const restored = await runCli(home, 'restore', file, '--data', elsewhere());
  expect(restored.stdout.split('\n')[1]).toBe(
    'a service removes what is older than it was told before the backup (kept: 30 days); with --retain-days all it keeps everything',
  );
  const again = await runCli(home, 'restore', file, '--data', elsewhere(), '--force', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ policy: { all: { days: 30 }, projects: {} } });
});

test('keys come back where there are none, and no revoked one comes to life', async () => {
  const created = await runCli(home, 'keys', 'create', 'ci');
  await (await serve()).stop();
  await runCli(home, 'backup', file);
  expect(readFileSync(file, 'latin1')).not.toContain(created.stdout.trim());
  const restored = await runCli(home, 'restore', file, '--data', elsewhere());
  expect(restored.stdout).toMatch(/ holds the data of 20[\d-]+ [\d:]+, and its keys\n$/);
  const service = await serve(['--data', elsewhere()]);
  await write({ ...service, apiKey: created.stdout.trim() }, 'c1');
  const [, id = ''] = /^(key_\w+) +ci/m.exec((await runCli(home, 'keys', 'list')).stdout) ?? [];
  expect((await runCli(home, 'keys', 'revoke', id)).code).toBe(0);
  expect((await runCli(home, 'restore', file, '--force')).code).toBe(0);
  expect((await runCli(home, 'keys', 'list')).stdout).not.toContain(id);
});
