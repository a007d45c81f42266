import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { buildOnce } from '../../build.ts';
import {
  CLI,
  makeHome,
  runCli,
  runNode,
  type ServiceProcess,
  startServiceProcess,
} from '../../flow/service-process.ts';

let home: string;

beforeAll(buildOnce, 120_000);
beforeEach(() => {
  const made = makeHome();
  home = made.home;
  onTestFinished(made.remove);
});

async function start(...args: string[]): Promise<ServiceProcess> {
  const service = await startServiceProcess(home, args);
  onTestFinished(async () => {
    if (service.child.exitCode === null && service.child.signalCode === null) await service.stop('SIGKILL');
  });
  return service;
}

function readVersion(url: string, authorization?: string): Promise<Response> {
  return fetch(`${url}/version`, { headers: authorization === undefined ? {} : { authorization } });
}

test('one line says where the service, its data and its key are', async () => {
  const { readyLine, url } = await start();
  const path = join(home, 'server.json');
  expect(readyLine).toBe(`spoor is ready at ${url} · data ${join(home, 'data')} · key file ${path}`);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('server.json holds url, key, process, version and data folder, for its owner only', async () => {
  const { url, child } = await start();
  const path = join(home, 'server.json');
  const file = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  expect(file).toEqual({
    url,
    apiKey: expect.stringMatching(/^spoor_.{20,}/) as string,
    pid: child.pid,
    version: '0.1.0',
    data: join(home, 'data'),
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('the key of server.json opens the service as Bearer and as Basic password, nothing else does', async () => {
  const { url, apiKey } = await start();
  expect((await readVersion(url, `Bearer ${apiKey}`)).status).toBe(200);
  expect((await readVersion(url, `Basic ${btoa(`api:${apiKey}`)}`)).status).toBe(200);
  expect((await readVersion(url)).status).toBe(401);
  expect((await readVersion(url, `Bearer ${apiKey}x`)).status).toBe(401);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it with exit code 0 and removes server.json', async (signal) => {
  const service = await start();
  expect(await service.stop(signal)).toBe(0);
  expect(existsSync(join(home, 'server.json'))).toBe(false);
});

test('a signal in the moment in which it can be found ends it as later, and all is closed', async () => {
  const early = join(import.meta.dirname, 'stopped-when-found.mjs');
  const { code, stdout, stderr } = await runNode(
    ['--import', early, CLI, 'serve', '--port', '0', '--retain-days', '7', '--log-level', 'warn'],
    { home },
  );
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(existsSync(join(home, 'server.json'))).toBe(false);
  const { stderr: said } = await start('--log-level', 'warn');
  expect(said).not.toContain('storage was not closed');
});

test('a second signal ends it at once', async () => {
  const service = await start();
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  // A request whose body never comes keeps the first signal waiting.
  const expectation = 'Expect: 100-continue\r\n';
  socket.write(
    `POST /call/read HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.apiKey}\r\n${expectation}Content-Length: 9\r\n\r\n`,
  );
  await once(socket, 'data');
  service.child.kill('SIGTERM');
  await vi.waitUntil(() => !existsSync(join(home, 'server.json')), { timeout: 10_000 });
  await service.stop('SIGTERM');
  expect(service.child.signalCode).toBe('SIGTERM');
});

test('a second spoor for the state folder prints the address of the first and exits 0', async () => {
  const { url, apiKey } = await start();
  const second = await runCli(home);
  expect(second).toMatchObject({ code: 0, stderr: '' });
  const [first, link] = second.stdout.split('\n');
  expect(first).toBe(`spoor is running at ${url} · key file ${join(home, 'server.json')}`);
  expect(link).toContain(`see what was recorded: ${url}/ui/login#token=`);
  expect((await readVersion(url, `Bearer ${apiKey}`)).status).toBe(200);
});

test('beside a service with its data elsewhere it says that it does not go to ClickHouse', async () => {
  const { child } = await start();
  const env = { SPOOR_STORAGE: 'clickhouse', SPOOR_STORAGE_URL: 'http://127.0.0.1:1/spoor' };
  const { code, stderr } = await runNode([CLI, 'serve'], { home, env });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: `spoor: the service that runs has its data in ${join(home, 'data')}, not in ClickHouse. Stop it first (process ${child.pid}), or name another state folder with SPOOR_HOME\n`,
  });
});

test('flags beside a service that runs are said to be ignored', async () => {
  const { child, url } = await start();
  const second = await runCli(home, 'serve', '--port', '1', '--log-level', 'debug');
  expect(second.code).toBe(0);
  expect(second.stdout).toContain(`spoor is running at ${url}`);
  expect(second.stderr).toBe(
    `spoor: --port, --log-level were ignored: the service that runs keeps its own. Stop it first (process ${child.pid}), or name another state folder with SPOOR_HOME\n`,
  );
});

test('a server.json whose process number is another process by now does not hinder it', async () => {
  const { port, close } = await occupyPort();
  await close();
  const stale = { url: `http://127.0.0.1:${port}`, apiKey: 'k', pid: process.pid, version: '0.1.0' };
  writeFileSync(join(home, 'server.json'), JSON.stringify(stale));
  const { readyLine } = await start();
  expect(readyLine).toContain('spoor is ready at');
});

test('a port that is taken is one line and exit code 1', async () => {
  const { port } = await occupyPort();
  const { code, stdout, stderr } = await runCli(home, 'serve', '--port', String(port));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toBe(
    `spoor: Cannot listen on 127.0.0.1:${port}: the port is taken; choose another with --port, or 0 for a free one\n`,
  );
  expect(existsSync(join(home, 'server.json'))).toBe(false);
});

test('a state folder in which nobody can find it is one line and exit code 1', async () => {
  mkdirSync(join(home, 'server.json'));
  const { code, stdout, stderr } = await runCli(home, 'serve', '--port', '0');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^spoor: .*server\.json.*\n$/);
});

test('an address of another machine is one line and exit code 1', async () => {
  const { code, stderr } = await runCli(home, 'serve', '--port', '0', '--host', '192.0.2.1');
  expect(code).toBe(1);
  expect(stderr).toBe(
    'spoor: Cannot listen on 192.0.2.1:0: the address is not one of this machine; choose another with --host\n',
  );
});

test('data are where --data says', async () => {
  const { readyLine } = await start('--data', join(home, 'elsewhere'));
  expect(readyLine).toContain(join(home, 'elsewhere'));
  expect(existsSync(join(home, 'elsewhere', 'keys.json'))).toBe(true);
  expect(existsSync(join(home, 'data'))).toBe(false);
});

test('the storage in memory is named in the ready line', async () => {
  expect((await start('--storage', 'memory')).readyLine).toContain('data in memory');
});

async function occupyPort() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  onTestFinished(close);
  // An address with a port: the server listens on TCP.
  return { port: (server.address() as AddressInfo).port, close };
}

test('a price list is read from a file, and a mistake in it is one line and exit code 1', async () => {
  const path = join(home, 'prices.json');
  const entry = { llm_id: 'm', prompt_token_cost: 1, completion_token_cost: 2 };
  writeFileSync(path, JSON.stringify([entry]));
  expect((await start('--prices', path)).readyLine).toContain('spoor is ready at');
  writeFileSync(path, JSON.stringify([{ ...entry, prompt_token_cost: -1 }]));
  const other = join(home, 'other');
  const wrong = await runCli(other, 'serve', '--port', '0', '--prices', path);
  expect(wrong).toMatchObject({ code: 1, stderr: 'spoor: Cannot use the price list: entry 0: a price is below 0\n' });
  const missing = await runCli(other, 'serve', '--port', '0', '--prices', `${path}x`);
  expect(missing).toMatchObject({ code: 1 });
  expect(missing.stderr).toMatch(/^spoor: Cannot read the price list ".*prices\.jsonx": ENOENT.*\n$/);
});

test('a key of the configuration file that nobody knows is one line and exit code 1', async () => {
  const path = join(home, 'own.json');
  writeFileSync(path, '{"prot": 1}');
  const { code, stdout, stderr } = await runCli(home, 'serve', '--config', path);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^spoor: Unknown key "prot" in ".*own\.json": want port, host, .*\n$/);
});

test('options of every kind reach the service, and lines of its log are JSON', async () => {
  const limits = ['--limits', 'batch_items=7', '--rate-limit', '0.001', '--rate-burst', '3'];
  const network = ['--cors-origins', 'https://app.example', '--trust-proxy', 'loopback'];
  const service = await start('--log-level', 'info', '--open-health', '--open-metrics', ...limits, ...network);
  let log = '';
  service.child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ask = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });
  const key = { authorization: `Bearer ${service.apiKey}` };
  expect((await ask('/health')).status).toBe(200);
  expect((await ask('/metrics')).status).toBe(200);
  const info = await ask('/server_info', { ...key, origin: 'https://app.example' });
  expect(info.headers.get('access-control-allow-origin')).toBe('https://app.example');
  expect(await info.json()).toMatchObject({ limits: { batch_items: 7, requests_per_second: 0.001 } });
  const located = await ask('/geolocate', { ...key, 'x-forwarded-for': '203.0.113.7', 'svc-request-id': 'r1' });
  expect(await located.json()).toMatchObject({ ip: '203.0.113.7' });
  expect((await ask('/version', key)).status).toBe(200);
  const refused = await ask('/version', key);
  expect([refused.status, Number(refused.headers.get('retry-after')) > 900]).toEqual([429, true]);
  // The last line may not be whole yet.
  const lines = () => log.split('\n').slice(0, -1);
  await expect
    .poll(() => lines().map((line) => JSON.parse(line) as unknown))
    .toContainEqual(
      expect.objectContaining({ requestId: 'r1', address: '203.0.113.7', status: 200, path: '/geolocate' }),
    );
  expect(log).not.toContain(service.apiKey);
});
