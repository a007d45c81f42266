import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { ServerOptions } from '../../../src/server/create-server.ts';
import type { RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';
import { INDEX, makePageFolder, SCRIPT } from './page-folder.ts';

const startService = serverPerTest();
let server: RunningServer;

async function start(options: ServerOptions = {}): Promise<void> {
  server = await startService({ pageFolder: makePageFolder(), ...options });
}

/** The answer to a path that is sent as it stands, as no client of the web would. */
async function raw(path: string, headers: Record<string, string> = {}) {
  const { port } = new URL(server.url);
  return await new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.on('error', reject).end();
  });
}

test('the page is served without a key, and every path that is no file is the page', async () => {
  await start();
  for (const path of ['/ui', '/ui/', '/ui/acme/demo/calls', '/ui/acme/demo/trace/1?call=2', '/ui/index.html']) {
    const answer = await raw(path);
    expect({ path, status: answer.status, text: answer.text }).toEqual({ path, status: 200, text: INDEX });
    expect(answer.headers['cache-control']).toBe('no-cache');
  }
});

test('files of the build are kept forever, and sent as they were packed', async () => {
  await start();
  const plain = await raw('/ui/assets/app-1a2b3c4d.js');
  expect(plain).toMatchObject({ status: 200, text: SCRIPT });
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'accept-encoding',
  });
  const encodingFor = async (accepted: string) =>
    (await raw('/ui/assets/app-1a2b3c4d.js', { 'accept-encoding': accepted })).headers['content-encoding'];
  expect(await encodingFor('gzip, deflate, br')).toBe('br');
  expect(await encodingFor('gzip')).toBe('gzip');
  expect(await encodingFor('br;q=0, gzip')).toBe('gzip');
  expect(await encodingFor('identity')).toBeUndefined();
  const texts = ['br', 'gzip', 'gzip', 'identity'].map(async (accepted) => {
    const response = await fetch(`${server.url}/ui/assets/app-1a2b3c4d.js`, {
      headers: { 'accept-encoding': accepted },
    });
    return await response.text();
  });
  expect(await Promise.all(texts)).toEqual([SCRIPT, SCRIPT, SCRIPT, SCRIPT]);
  expect((await raw('/ui/icon.svg')).headers['cache-control']).toBe('no-cache');
  // `fetch` unpacks it.
  expect(await (await fetch(`${server.url}/ui/assets/app-1a2b3c4d.js`)).text()).toBe(SCRIPT);
});

test('every answer below /ui says what a browser must not do', async () => {
  await start();
  for (const path of ['/ui/', '/ui/assets/app-1a2b3c4d.js']) {
    const { headers } = await raw(path);
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    });
  }
});

test('no path leads out of the folder', async () => {
  await start();
  const paths = ['../secret.txt', '..%2fsecret.txt', '%2e%2e/secret.txt', '%2e%2e%2fsecret.txt', '..%5csecret.txt'];
  for (const path of [...paths, 'assets/../../secret.txt', 'assets/..%2f..%2fsecret.txt', '%00', '/etc/passwd']) {
    const answer = await raw(`/ui/${path}`);
    expect(answer.text).not.toContain('secret\n');
    expect(answer.text).not.toBe('secret');
    expect([INDEX, 404]).toContain(answer.status === 404 ? 404 : answer.text);
  }
});

test('a script that is not there is no page', async () => {
  await start();
  expect(await raw('/ui/assets/app-00000000.js')).toMatchObject({ status: 404 });
});

test('a browser that asks for the service is sent to the page; everybody else hears what they always have', async () => {
  await start();
  const browser = await raw('/', { accept: 'text/html,application/xhtml+xml' });
  expect(browser).toMatchObject({ status: 302, headers: { location: '/ui/' } });
  expect(await raw('/')).toMatchObject({ status: 401 });
  const answer = await server.get('/');
  expect(answer).toMatchObject({ status: 404, body: { error_code: 'unknown_path', reason: 'No such path: "/"' } });
  expect(await server.post('/', {}, { accept: 'text/html' })).toMatchObject({ status: 404 });
});

test('below a base path the page finds its files', async () => {
  await start({ basePath: '/traces' });
  expect((await raw('/traces/ui/x')).text).toContain('src="/traces/ui/assets/app-1a2b3c4d.js"');
  expect(await raw('/traces/', { accept: 'text/html' })).toMatchObject({ headers: { location: '/traces/ui/' } });
});

test('without a built page the service says so', async () => {
  await start({ pageFolder: '/nowhere/ui' });
  const answer = await raw('/ui/');
  expect(answer.status).toBe(503);
  expect(answer.text).toContain('was not built');
});

test('another host is refused the page too', async () => {
  await start();
  expect(await raw('/ui/', { host: 'evil.example' })).toMatchObject({ status: 403 });
});
