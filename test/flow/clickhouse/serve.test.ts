import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { buildOnce } from '../../build.ts';
import { MISSING, useClickhouse } from '../../clickhouse/bench.ts';
import { openLine } from '../../clickhouse/line.ts';
import {
  CLI,
  makeHome,
  post,
  runNode,
  type Finished,
  type ServiceProcess,
  startServiceProcess,
} from '../service-process.ts';

const bench = useClickhouse();
const PROJECT = 'acme/demo';

let home: string;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  const made = makeHome();
  home = made.home;
  onTestFinished(made.remove);
});

/** The engine of the bench lets everybody in. */
function withPassword(url: string): string {
  const address = new URL(url);
  address.username = 'default';
  address.password = 'hidden-word';
  return address.href;
}

function shownOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

async function serve(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const service = await startServiceProcess(home, args, { env });
  onTestFinished(async () => {
    if (service.child.exitCode === null && service.child.signalCode === null) await service.stop('SIGKILL');
  });
  return service;
}

async function read(service: ServiceProcess, id: string): Promise<unknown> {
  const answer = await post(service, '/call/read', { project_id: PROJECT, id });
  return ((await answer.json()) as { call: unknown }).call;
}

describe.skipIf(MISSING !== undefined)('spoor serve on ClickHouse', () => {
  test('keeps calls in the database of the variables, and says where without a password', async () => {
    const url = withPassword(await bench.newDatabase());
    const env = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: url };
    const first = await serve([], env);
    expect(first.readyLine).toContain(` · data in ClickHouse at ${shownOf(url)} · `);
    const file = readFileSync(join(home, 'server.json'), 'utf8');
    expect(JSON.parse(file)).toMatchObject({ database: shownOf(url) });
    const start = { project_id: PROJECT, id: 'c1', op_name: 'f', started_at: '2026-01-01T00:00:00Z', inputs: {} };
    expect((await post(first, '/call/start', { start })).status).toBe(200);
    expect(await first.stop()).toBe(0);
    const second = await serve(['--log-level', 'debug'], env);
    expect(await read(second, 'c1')).toMatchObject({ id: 'c1', op_name: 'f' });
    expect([file, first.readyLine, first.stderr, second.stderr].join('\n')).not.toContain('hidden-word');
  });

  test.runIf(process.platform === 'linux')('hides a password that stands in a flag', async () => {
    const url = withPassword(await bench.newDatabase());
    const service = await serve(['--storage', 'clickhouse', '--storage-url', url], {});
    expect(service.stderr).toContain('set SPOOR_STORAGE_URL instead');
    expect(service.stderr).not.toContain('hidden-word');
    expect(readFileSync(`/proc/${service.child.pid}/cmdline`, 'utf8')).not.toContain('hidden-word');
  });

  test('keys of the commands count in the service, which says where they are', async () => {
    const url = withPassword(await bench.newDatabase());
    const env = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: url };
    const service = await serve([], env);
    const spoor = (...args: string[]) => runNode([CLI, ...args], { home, env });
    const created = await spoor('keys', 'create', 'ci', '--json');
    const { key, id } = JSON.parse(created.stdout) as { key: string; id: string };
    const ask = async () =>
      (await fetch(`${service.url}/version`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await ask()).toBe(200);
    expect((await spoor('keys', 'list')).stdout).toMatch(new RegExp(`^id .*\\nlocal +local .*\\n${id} +ci `));
    expect((await spoor('keys', 'revoke', id)).stdout).toBe(`Key "${id}" is revoked\n`);
    await expect.poll(ask).toBe(401);
    const again = await spoor('keys', 'revoke', id);
    expect(again.stderr).toBe(`spoor: There is no key "${id}" in ClickHouse at ${shownOf(url)}\n`);
    expect((await spoor('keys', 'list')).stdout).toMatch(/^id .*\nlocal +local [^\n]*\n$/);
    const elsewhere = await runNode([CLI, 'keys', 'create', 'ci'], { home });
    expect(elsewhere.stderr).toMatch(/^spoor: The service that runs here has its keys in ClickHouse at http/);
  });

  test('the key of the machine can be revoked, and the next start makes another', async () => {
    const env = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: await bench.newDatabase() };
    const spoor = (...args: string[]) => runNode([CLI, ...args], { home, env });
    const first = await serve([], env);
    const ask = async ({ url, apiKey }: ServiceProcess) =>
      (await fetch(`${url}/version`, { headers: { authorization: `Bearer ${apiKey}` } })).status;
    expect(await ask(first)).toBe(200);
    expect(await spoor('keys', 'revoke', 'local')).toMatchObject({ code: 0, stdout: 'Key "local" is revoked\n' });
    await expect.poll(() => ask(first)).toBe(401);
    await first.stop();
    const second = await serve([], env);
    expect(second.apiKey).not.toBe(first.apiKey);
    expect([await ask(second), await ask({ ...second, apiKey: first.apiKey })]).toEqual([200, 401]);
    await second.stop();
    expect((await serve([], env)).apiKey).toBe(second.apiKey);
  });

  test('check and doctor name the engine, and a backup is left to it', async () => {
    const line = await openLine(await bench.newDatabase());
    const url = withPassword(line.url);
    const env = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: url };
    const service = await serve([], env);
    const start = { project_id: PROJECT, id: 'c1', op_name: 'f', started_at: '2026-01-01T00:00:00Z', inputs: {} };
    expect((await post(service, '/call/start', { start })).status).toBe(200);
    const spoor = (...args: string[]) => runNode([CLI, ...args], { home, env });
    const check = await spoor('check');
    expect({ code: check.code, stderr: check.stderr }).toEqual({ code: 0, stderr: '' });
    expect(check.stdout).toMatch(/^✓ ClickHouse \d+\.\d+\S* at http\S+\n✓ table call_halves\n/);
    expect(check.stdout).toContain('✓ table calls\n');
    const findings = async () => {
      const { stdout } = await spoor('doctor', '--json');
      return (JSON.parse(stdout) as { findings: { about: string; level: string; message: string }[] }).findings;
    };
    const shown = shownOf(url);
    expect(await findings()).toContainEqual({
      about: 'storage',
      level: 'ok',
      message: `ClickHouse at ${shown} can be read and written`,
    });
    await line.cut();
    const storage = (await findings()).find(({ about }) => about === 'storage');
    expect(storage).toMatchObject({
      level: 'problem',
      message: expect.stringContaining(`(ClickHouse at ${shown})`) as string,
      advice: expect.stringContaining('goes on without a restart') as string,
    });
    expect((await spoor('check')).stderr).toMatch(/^spoor: Cannot use ClickHouse at http\S+: connect ECONNREFUSED/);
    const backup = await spoor('backup', join(home, 'b.db'));
    expect(backup.stderr).toBe(
      'spoor: Cannot back up or restore data that is in ClickHouse: BACKUP and RESTORE of its own do that (docs/guides/scale.md)\n',
    );
  });

  test('a database that is not there is named, with what makes it', async () => {
    const url = new URL(await bench.newDatabase());
    url.pathname = '/nowhere';
    const { code, stderr } = await refused(url.href);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `spoor: Cannot use ClickHouse at ${url.href}: there is no database "nowhere"; make it with CREATE DATABASE "nowhere"\n`,
    });
  });
});

function refused(url: string | undefined, ...node: string[]): Promise<Finished> {
  const env = { SPOOR_STORAGE: 'clickhouse', ...(url !== undefined && { SPOOR_STORAGE_URL: url }) };
  return runNode([...node, CLI, 'serve', '--port', '0'], { home, env });
}

test('without an address it says how to give one', async () => {
  const { code, stderr } = await refused(undefined);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'spoor: Cannot read the address of ClickHouse: there is none: set SPOOR_STORAGE_URL, or storageUrl in the configuration file\n',
  });
});

test.each(['clickhouse:9000', 'ftp://me:hidden-word@host/db', 'http://me:hidden-word%@host/db', 'http://h:1/a/b'])(
  'what is no address is refused without being shown: %s',
  async (url) => {
    const { code, stderr } = await refused(url);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^spoor: Cannot read the address of ClickHouse: .*want http:\/\/user:password@host:8123\//);
    expect(stderr).not.toMatch(/hidden-word|9000/);
  },
);

test('a server that is away is named, with what to look at', async () => {
  const url = await answering(() => undefined);
  await closeAll();
  const { code, stderr } = await refused(url.replace('//', '//me:hidden-word@'));
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^spoor: Cannot use ClickHouse at http:\/\/127\.0\.0\.1:\d+\/db: connect ECONNREFUSED .*; does it run there, and is this the port of its HTTP interface, 8123 mostly\?\n$/,
  );
});

// What a server answers that the bench is not.
test('a wrong password, an old server and something else are told apart', async () => {
  const wrong = await answering((response) => {
    response.writeHead(403, { 'X-ClickHouse-Exception-Code': '516' });
    response.end('Code: 516. DB::Exception: me: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)');
  });
  const { stderr } = await refused(wrong.replace('//', '//me:hidden-word@'));
  expect(stderr).toMatch(
    /^spoor: Cannot use ClickHouse at \S+: the user "me" or the password is refused; both stand in/,
  );
  expect(stderr).not.toContain('hidden-word');
  const old = await answering((response) => response.end('{"version":"25.3.1.2703"}\n'));
  expect((await refused(old)).stderr).toMatch(/: its version is 25\.3\.1\.2703; want 25\.8 or newer\n$/);
  const page = await answering((response) => {
    response.writeHead(404, { 'content-type': 'text/html' });
    response.end('<h1>Not here</h1>');
  });
  expect((await refused(page)).stderr).toMatch(/^spoor: Cannot use ClickHouse at \S+: .*Not here/);
});

test('a package that is not installed is named, with the command that installs it', async () => {
  const hooks = `export function resolve(name, context, next) {
    if (name === '@clickhouse/client') throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  }`;
  const register = `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}));`;
  const { code, stderr } = await refused(
    'http://127.0.0.1:1/db',
    '--import',
    `data:text/javascript,${encodeURIComponent(register)}`,
  );
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'spoor: Cannot use ClickHouse: the package "@clickhouse/client" is not installed; run `npm install @clickhouse/client`\n',
  });
});

const closers: (() => Promise<void>)[] = [];

async function closeAll(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}

/** The address of a server that answers every request so. */
async function answering(answer: (response: ServerResponse) => unknown): Promise<string> {
  const server = createServer((_request, response) => void answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  onTestFinished(closeAll);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/db`;
}
