import { rmSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { createReader } from '../../../src/reader/reader.ts';
import { createKey } from '../../../src/server/keys/keys.ts';
import { ClientLedger, CONNECTED_MS, MAX_CLIENTS } from '../../../src/server/page/client-ledger.ts';
import { type RunningServer, startServer } from '../running-server.ts';
import { PROJECT } from './seed.ts';

let server: RunningServer | undefined;
afterEach(async () => {
  const folder = server?.dataDir;
  await server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  server = undefined;
});

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
  const client = { keyId: 'k', userAgent: 'spoor/1', address: '::1' };
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
