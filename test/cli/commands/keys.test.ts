import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../../build.ts';
import { makeHome, ROOT, runCli, runNode, startServiceProcess } from '../../flow/service-process.ts';

let home: string;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  const made = makeHome();
  home = made.home;
  onTestFinished(made.remove);
});

async function readJson(...args: string[]): Promise<unknown> {
  const { stdout, stderr, code } = await runCli(home, ...args, '--json');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return JSON.parse(stdout) as unknown;
}

const idsOf = (list: unknown) => (list as { id: string }[]).map(({ id }) => id);

test('a created key is alone on standard output and is listed without the key itself', async () => {
  const { stdout, stderr, code } = await runCli(home, 'keys', 'create', 'ci', '--entities', 'acme, other');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^spoor_\S{20,}\n$/);
  expect(stderr).toMatch(/^Key "key_\w+" for ci; it is not shown again\n$/);
  const list = await runCli(home, 'keys', 'list');
  expect(list.stdout).toMatch(
    /^id +name +key +entities +privileges +created\nkey_\w+ +ci +spoor_[\w-]{4}… +acme, other +20\d\d-/,
  );
  expect(list.stdout).not.toContain(stdout.trim());
  expect(statSync(join(home, 'data', 'keys.json')).mode & 0o777).toBe(0o600);
});

test('--json prints the record of a key, never its hash', async () => {
  const created = await readJson('keys', 'create', 'copy', '--import');
  expect(created).toEqual({
    key: expect.stringMatching(/^spoor_/) as string,
    id: expect.stringMatching(/^key_/) as string,
    name: 'copy',
    prefix: expect.stringMatching(/^spoor_/) as string,
    userId: 'copy',
    entities: ['*'],
    privileges: ['import'],
    createdAt: expect.stringMatching(/^\d{4}-/) as string,
  });
  const { key: _key, ...record } = created as { key: string };
  expect(await readJson('keys', 'list')).toEqual([record]);
});

test('a running service takes a key when it is created and refuses it when it is revoked', async () => {
  const service = await startServiceProcess(home, ['--storage', 'memory']);
  onTestFinished(async () => void (await service.stop()));
  const { key, id } = (await readJson('keys', 'create', 'ci', '--entities', 'acme')) as { key: string; id: string };
  const read = async (project_id: string) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ project_id, id: 'c1' });
    return (await fetch(`${service.url}/call/read`, { method: 'POST', headers, body })).status;
  };
  expect([await read('acme/demo'), await read('other/demo')]).toEqual([200, 403]);
  expect(await runCli(home, 'keys', 'revoke', id)).toMatchObject({ code: 0, stdout: `Key "${id}" is revoked\n` });
  await expect.poll(() => read('acme/demo')).toBe(401);
});

test('a revoked key is gone from the list', async () => {
  const { id } = (await readJson('keys', 'create', 'one')) as { id: string };
  const { id: other } = (await readJson('keys', 'create', 'two')) as { id: string };
  expect(await readJson('keys', 'revoke', id)).toEqual({ id, revoked: true });
  expect(idsOf(await readJson('keys', 'list'))).toEqual([other]);
});

test('an unknown key cannot be revoked: one line, exit code 1', async () => {
  expect(await runCli(home, 'keys', 'revoke', 'nope')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `spoor: There is no key "nope" in ${join(home, 'data')}\n`,
  });
});

test('--data names another folder', async () => {
  await readJson('keys', 'create', 'elsewhere', '--data', join(home, 'other'));
  expect(await readJson('keys', 'list')).toEqual([]);
  expect(await readJson('keys', 'list', '--data', join(home, 'other'))).toHaveLength(1);
});

test('no keys are said on standard error', async () => {
  expect(await runCli(home, 'keys', 'list')).toMatchObject({
    code: 0,
    stdout: '',
    stderr: `No keys in ${join(home, 'data')}\n`,
  });
});

test('keys are made where the configuration file of the service puts its data', async () => {
  const folder = join(home, 'elsewhere');
  mkdirSync(folder);
  const config = join(folder, 'spoor.config.json');
  writeFileSync(config, '{"data": "kept", "port": 1}');
  const run = (cwd: string, args: readonly string[], env = {}) =>
    runNode([join(ROOT, 'dist', 'cli', 'main.js'), 'keys', ...args], { home, cwd, env });
  expect(await run(folder, ['create', 'here'])).toMatchObject({ code: 0 });
  expect(await run(home, ['create', 'named'], { SPOOR_CONFIG: config })).toMatchObject({ code: 0 });
  expect(await run(folder, ['create', 'flag', '--data', join(home, 'other')])).toMatchObject({ code: 0 });
  const list = await run(home, ['list', '--data', join(folder, 'kept'), '--json']);
  expect((JSON.parse(list.stdout) as { name: string }[]).map(({ name }) => name)).toEqual(['here', 'named']);
  writeFileSync(config, '{"data": 5}');
  expect(await run(folder, ['list'])).toMatchObject({
    code: 1,
    stderr: `spoor: Cannot use "data" of "${config}": It is not a path.\n`,
  });
});
