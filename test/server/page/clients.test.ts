import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterEach, describe, expect, test } from 'vitest';
import { formatSender } from '../../../src/protocol/sender.ts';
import { createReader } from '../../../src/reader/reader.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import { ClientLedger, CONNECTED_MS, MAX_CLIENTS, MAX_STRANGERS } from '../../../src/server/page/client-ledger.ts';
import { type RunningServer, startServer } from '../running-server.ts';
import { PROJECT } from './seed.ts';

let server: RunningServer | undefined;
afterEach(async () => {
  const folder = server?.dataDir;
  await server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  server = undefined;
});

const readerOf = ({ url, apiKey }: RunningServer) => createReader({ url, apiKey });
const start = { project_id: PROJECT, id: 'a', op_name: 'x', started_at: '2026-01-01T00:00:00Z' };
const end = { project_id: PROJECT, id: 'a', ended_at: '2026-01-01T00:00:01Z' };

test('each program that sends calls is in the ledger, with what it sent and what it was refused', async () => {
  server = await startServer();
  const agent = { 'user-agent': 'spoor/1.2.3 node' };
  await server.post('/call/upsert_batch', { batch: [{ mode: 'start', req: { start } }] }, agent);
  await server.post('/call/start', { start: { ...start, id: 'b' } }, agent);
  await server.post('/call/end', { end }, agent);
  await server.post('/call/end', { end: { project_id: PROJECT } }, agent);
  const reader = createReader({ url: server.url, apiKey: server.apiKey });
  await expect
    .poll(async () => await reader.page.clients({ project_id: PROJECT }))
    .toMatchObject([
      {
        name: 'spoor',
        version: '1.2.3',
        address: '127.0.0.1',
        is_connected: true,
        received_starts: 2,
        received_ends: 1,
        missing: 1,
        last_error: { status: 422, error_code: 'validation_error' },
      },
    ]);
});

test('a client is the process that it says it is, and is there while that runs', async () => {
  server = await startServer();
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  const headersOf = (host: string, pid: number) => ({
    'user-agent': 'spoor/1.2.3',
    'svc-sender': formatSender({ host, pid }),
  });
  const [own, gone] = [headersOf(hostname(), process.pid), headersOf(hostname(), child.pid ?? 0)];
  await server.post('/call/start', { start }, own);
  await server.post('/call/start', { start: { ...start, id: 'b' } }, gone);
  await server.post('/call/start', { start: { ...start, id: 'c' } }, { 'svc-sender': 'host=far;pid=-1' });
  const reader = readerOf(server);
  const known = async () => await reader.page.clients({ project_id: PROJECT });
  await expect.poll(async () => (await known()).length).toBe(3);
  expect(await known()).toMatchObject([
    { host: null, pid: null, name: 'node', is_connected: true },
    { host: hostname(), pid: child.pid, is_connected: true },
    { host: hostname(), pid: process.pid, is_connected: true, received_starts: 1 },
  ]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect((await known()).map(({ is_connected: isConnected }) => isConnected)).toEqual([true, false, true]);
});

test('senders of spans are clients, with the process that their resource names', async () => {
  server = await startServer();
  const span = (spanId: string, endTimeUnixNano: string) => ({
    traceId: '0123456789abcdef0123456789abcdef',
    spanId,
    name: 'chat',
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano,
  });
  const attributes = [
    { key: 'host.name', value: { stringValue: 'build-7' } },
    { key: 'process.pid', value: { intValue: '4711' } },
  ];
  const spans = [span('0123456789abcdef', '1767225601000000000'), span('1123456789abcdef', '0')];
  const headers = { 'user-agent': 'OTel-OTLP-Exporter-JavaScript/0.57', project_id: PROJECT };
  const body = { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ spans }] }] };
  await server.post('/otel/v1/traces', body, headers);
  await server.post('/otel/v1/traces', { resourceSpans: 1 }, headers);
  const reader = readerOf(server);
  await expect
    .poll(async () => await reader.page.clients())
    .toMatchObject([
      { host: null, last_error: { status: 400, error_code: 'invalid_request' } },
      {
        name: 'OTel-OTLP-Exporter-JavaScript',
        version: '0.57',
        host: 'build-7',
        pid: 4711,
        received_starts: 2,
        received_ends: 1,
        missing: 1,
      },
    ]);
  expect(await reader.page.clients({ project_id: PROJECT })).toHaveLength(2);
});

test('who has no key that is known is told to keys for everything, and never in the place of a client', async () => {
  server = await startServer({ storage: 'sqlite' });
  const { key } = createKey(server.dataDir ?? '', { name: 'ada', entities: ['local'] });
  await server.post('/call/start', { start });
  for (const agent of ['python-sdk/0.54', ...Array.from({ length: MAX_STRANGERS - 1 }, (_, index) => `x${index}`)]) {
    await server.post('/call/upsert_batch', { batch: [] }, { 'user-agent': agent, authorization: 'Bearer wrong' });
  }
  await server.post('/obj/create', {}, { 'user-agent': 'curl/8', authorization: '' });
  // The page itself is no client, whoever looks at it.
  await server.post('/x/clients', {}, { 'user-agent': 'Mozilla/5', authorization: 'Bearer wrong' });
  const reader = readerOf(server);
  const found = async () => await reader.page.clients();
  await expect.poll(async () => (await found()).length).toBe(MAX_STRANGERS + 1);
  expect((await found())[0]).toMatchObject({ name: 'curl', last_error: { status: 401, message: 'no key' } });
  expect((await found())[1]).toMatchObject({ last_error: { status: 401, message: 'wrong key' } });
  expect((await found()).map(({ name }) => name)).not.toContain('python-sdk');
  expect((await found()).at(-1)).toMatchObject({ received_starts: 1 });
  const theirs = createReader({ url: server.url, apiKey: key });
  expect((await theirs.page.clients()).filter(({ last_error: error }) => error?.status === 401)).toEqual([]);
});

test('a key sees the clients of its projects only', async () => {
  server = await startServer({ storage: 'sqlite' });
  const { key } = createKey(server.dataDir ?? '', { name: 'ada', entities: ['other'] });
  await server.post('/call/start', { start });
  const theirs = createReader({ url: server.url, apiKey: key });
  const all = createReader({ url: server.url, apiKey: server.apiKey });
  await expect.poll(async () => (await all.page.clients()).length).toBe(1);
  expect(await theirs.page.clients()).toEqual([]);
  await expect(theirs.page.clients({ project_id: PROJECT })).rejects.toMatchObject({ code: 'forbidden' });
});

describe('the ledger', () => {
  const client = { keyId: 'k', userAgent: 'spoor/1', address: '::1', sender: undefined };
  const everything = [() => true, () => true] as const;

  test('a client that is silent is not there any more', () => {
    let now = 0;
    const ledger = new ClientLedger(() => now);
    ledger.noteReceived(client, { projects: ['a/b'], counts: { starts: 1, ends: 1 } });
    now = CONNECTED_MS;
    expect(ledger.list(...everything)).toMatchObject([{ is_connected: true, missing: 0 }]);
    now += 1;
    expect(ledger.list(...everything)).toMatchObject([{ is_connected: false }]);
  });

  test('of too many clients the one that was seen longest ago is forgotten', () => {
    const ledger = new ClientLedger();
    for (let index = 0; index <= MAX_CLIENTS; index++) {
      ledger.noteReceived({ ...client, address: String(index) }, { projects: ['a/b'], counts: undefined });
    }
    const known = ledger.list(...everything);
    expect(known).toHaveLength(MAX_CLIENTS);
    expect(known.map(({ address }) => address)).not.toContain('0');
    expect(known[0]?.missing).toBeNull();
  });
});
