import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { formatSender, type Sender } from '../../../src/protocol/sender.ts';
import { createReader } from '../../../src/reader/reader.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import {
  ClientLedger,
  CONNECTED_MS,
  MAX_CLIENTS,
  MAX_CLIENTS_OF_KEY,
  MAX_STRANGERS,
} from '../../../src/server/page/client-ledger.ts';
import { namespaceHere, processHere } from '../../../src/spool/process-here.ts';
import type { RunningServer } from '../running-server.ts';
import { serverPerTest } from '../server-per-test.ts';
import { PROJECT } from './seed.ts';

const startService = serverPerTest();

const readerOf = ({ url, apiKey }: RunningServer) => createReader({ url, apiKey });
/** A process of this machine as it tells itself. */
const senderOf = (pid: number): Sender => ({
  host: hostname(),
  pid,
  started: processHere(pid)?.started,
  namespace: namespaceHere().own,
});
const start = { project_id: PROJECT, id: 'a', op_name: 'x', started_at: '2026-01-01T00:00:00Z' };
const end = { project_id: PROJECT, id: 'a', ended_at: '2026-01-01T00:00:01Z' };

test('each program that sends calls is in the ledger, with what it sent and what it was refused', async () => {
  const server = await startService();
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
  const server = await startService();
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)']);
  const headersOf = (pid: number) => ({ 'user-agent': 'spoor/1.2.3', 'svc-sender': formatSender(senderOf(pid)) });
  const [own, gone] = [headersOf(process.pid), headersOf(child.pid ?? 0)];
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

describe('senders of spans', () => {
  const headers = { 'user-agent': 'OTel-OTLP-Exporter-JavaScript/0.57', project_id: PROJECT };
  const ENDED = '1767225601000000000';
  const spanOf = (endTimeUnixNano: string, more: object = {}) => ({
    traceId: '0123456789abcdef0123456789abcdef',
    spanId: '0123456789abcdef',
    name: 'chat',
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano,
    ...more,
  });
  const resourceOf = (host: string, pid: number, spans: readonly object[] = [spanOf(ENDED)]) => {
    const attributes = [
      { key: 'host.name', value: { stringValue: host } },
      { key: 'process.pid', value: { intValue: String(pid) } },
    ];
    return { resource: { attributes }, scopeSpans: [{ spans }] };
  };
  const send = async (server: RunningServer, ...resourceSpans: readonly object[]) => {
    expect((await server.post('/otel/v1/traces', { resourceSpans }, headers)).status).toBe(200);
  };
  const clientsSoon = async (server: RunningServer, count: number) => {
    const { page } = readerOf(server);
    await expect.poll(async () => (await page.clients({ project_id: PROJECT })).length).toBe(count);
    return await page.clients({ project_id: PROJECT });
  };

  test('are clients, with the process that their resource names, and with what they were refused', async () => {
    const server = await startService();
    await server.post('/otel/v1/traces', { resourceSpans: 1 }, headers);
    await clientsSoon(server, 1);
    await send(server, resourceOf('build-7', 4711));
    const refusal = { status: 400, error_code: 'invalid_request' };
    const client = { name: 'OTel-OTLP-Exporter-JavaScript', version: '0.57', host: 'build-7', pid: 4711 };
    await expect.poll(async () => await clientsSoon(server, 1)).toMatchObject([{ ...client, received_ends: 1 }]);
    expect(await clientsSoon(server, 1)).toMatchObject([{ last_error: refusal, received_starts: 1, missing: 0 }]);
    await server.post('/otel/v1/traces', { resourceSpans: [{ scopeSpans: 1 }] }, headers);
    await send(server, resourceOf('build-8', 4712));
    expect(await clientsSoon(server, 2)).toMatchObject([
      { host: 'build-8', last_error: null },
      { host: 'build-7', last_error: refusal },
    ]);
  });

  test('who sends a span before its end sends it again, and is not counted', async () => {
    const server = await startService();
    await send(server, resourceOf('build-7', 4711, [spanOf('0')]));
    await send(server, resourceOf('build-7', 4711, [spanOf(ENDED)]));
    await expect.poll(async () => await clientsSoon(server, 1)).toMatchObject([{ received_ends: 1, missing: null }]);
  });

  test('who passes on what several processes or unknown ones have recorded is none of them', async () => {
    const server = await startService();
    await send(server, resourceOf('build-7', 4711), resourceOf('build-7', 4712));
    await send(server, resourceOf('build-7', 4711), { scopeSpans: [{ spans: [spanOf(ENDED)] }] });
    const known = [{ host: null, pid: null, received_starts: 4, missing: 0 }];
    await expect.poll(async () => await clientsSoon(server, 1)).toMatchObject(known);
    await send(server, resourceOf('build-7', 4711), resourceOf('build-7', 4711));
    expect(await clientsSoon(server, 2)).toMatchObject([{ host: 'build-7', pid: 4711, received_starts: 2 }, ...known]);
  });

  test('are the same client when they send much', async () => {
    const server = await startService({ storage: 'sqlite' });
    const long = { attributes: [{ key: 'text', value: { stringValue: 'x'.repeat(5 * 1024 * 1024) } }] };
    await send(server, resourceOf('build-7', 4711));
    await send(server, resourceOf('build-7', 4711, [spanOf(ENDED, { ...long, spanId: '1123456789abcdef' })]));
    const known = [{ host: 'build-7', received_starts: 2, received_ends: 2, missing: 0 }];
    await expect.poll(async () => await clientsSoon(server, 1)).toMatchObject(known);
    const text = 'x'.repeat(5 * 1024 * 1024);
    await server.post('/call/start', { start: { ...start, inputs: { text } } }, { 'user-agent': 'spoor/1' });
    expect((await clientsSoon(server, 2))[0]).toMatchObject({ name: 'spoor', received_starts: 1, missing: 1 });
  });

  test('have no process when the name of its host is longer than any', async () => {
    const server = await startService();
    await send(server, resourceOf('x'.repeat(256), 4711));
    await clientsSoon(server, 1);
    await send(server, resourceOf('x'.repeat(255), 4711));
    expect(await clientsSoon(server, 2)).toMatchObject([{ host: 'x'.repeat(255) }, { host: null, pid: null }]);
  });
});

test('who has no key that is known is told to keys for everything, and never in the place of a client', async () => {
  const server = await startService({ storage: 'sqlite' });
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
  const server = await startService({ storage: 'sqlite' });
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

  const none = { projects: ['a/b'], counts: undefined };
  const addresses = (ledger: ClientLedger, keyId: string) =>
    ledger
      .list(
        () => true,
        (id) => id === keyId,
      )
      .map(({ address }) => address);

  test('of too many clients of a key the one that was seen longest ago is forgotten, and none of others', () => {
    const ledger = new ClientLedger();
    ledger.noteReceived({ ...client, keyId: 'other', address: 'other' }, none);
    for (let index = 0; index <= MAX_CLIENTS; index++) {
      ledger.noteReceived({ ...client, address: String(index) }, none);
    }
    const known = ledger.list(...everything);
    expect(known).toHaveLength(MAX_CLIENTS_OF_KEY + 1);
    expect(known[0]).toMatchObject({ address: String(MAX_CLIENTS), missing: null });
    expect(known.at(-1)?.address).toBe('other');
    expect(known.at(-2)?.address).toBe(String(MAX_CLIENTS + 1 - MAX_CLIENTS_OF_KEY));
  });

  test('of too many clients of many keys the one that was seen longest ago is forgotten', () => {
    const ledger = new ClientLedger();
    for (let index = 0; index <= MAX_CLIENTS; index++) {
      ledger.noteReceived({ ...client, keyId: String(index % 10), address: String(index) }, none);
    }
    expect(ledger.list(...everything)).toHaveLength(MAX_CLIENTS);
    expect(addresses(ledger, '0')).not.toContain('0');
  });

  test('those that are gone are forgotten first', async () => {
    const child = spawn(process.execPath, ['--eval', '']);
    const sender = senderOf(child.pid ?? 0);
    await once(child, 'exit');
    const ledger = new ClientLedger();
    const note = (address: string, more: object = {}) => ledger.noteReceived({ ...client, address, ...more }, none);
    note('first');
    note('gone', { sender });
    for (let index = 2; index < MAX_CLIENTS_OF_KEY; index++) note(String(index));
    expect(ledger.list(...everything).at(-2)).toMatchObject({ address: 'gone', is_connected: false });
    note('more');
    const known = ledger.list(...everything).map(({ address }) => address);
    expect(known).toHaveLength(MAX_CLIENTS_OF_KEY);
    expect(known.at(-1)).toBe('first');
    expect(known).not.toContain('gone');
  });

  test('nobody knows what is missing of one that is gone, as others may bring it', () => {
    let at = 0;
    const ledger = new ClientLedger(() => at);
    ledger.noteReceived({ ...client, address: 'all' }, { projects: ['a/b'], counts: { starts: 2, ends: 2 } });
    ledger.noteReceived(client, { projects: ['a/b'], counts: { starts: 2, ends: 1 } });
    expect(ledger.list(...everything).map(({ missing }) => missing)).toEqual([1, 0]);
    at = CONNECTED_MS + 1;
    expect(ledger.list(...everything).map(({ missing }) => missing)).toEqual([null, 0]);
  });

  test('starts that come behind ends of earlier ones do not make them good', () => {
    const ledger = new ClientLedger();
    ledger.noteReceived(client, { projects: ['a/b'], counts: { starts: 0, ends: 3 } });
    ledger.noteReceived(client, { projects: ['a/b'], counts: { starts: 5, ends: 0 } });
    expect(ledger.list(...everything)).toMatchObject([{ missing: null }]);
  });

  test.each([
    ['another process that has its number now', { ...senderOf(process.pid), started: 1 }, [false, false]],
    ['a number of another container', { ...senderOf(process.pid), namespace: 1 }, [true, false]],
    ['a number that may be of another container', { host: hostname(), pid: 2 ** 31 - 1 }, [true, false]],
  ])('a client is not taken for %s', (_name, sender, [soon, later]) => {
    let at = 0;
    const ledger = new ClientLedger(() => at);
    ledger.noteReceived({ ...client, sender }, none);
    expect(ledger.list(...everything)).toMatchObject([{ is_connected: soon }]);
    at = CONNECTED_MS + 1;
    expect(ledger.list(...everything)).toMatchObject([{ is_connected: later }]);
  });
});
