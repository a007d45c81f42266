import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { SERVED } from '../../src/protocol/endpoints.ts';
import { createServer, type ServerOptions } from '../../src/server/create-server.ts';
import { createKey, keysFile, listKeys, openLocalKey, revokeKey } from '../../src/server/keys/keys.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

let dataDir: string;
let open: RunningServer[];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'spoor-keys-'));
  open = [];
});
afterEach(async () => {
  for (const server of open) await server.close();
  rmSync(dataDir, { recursive: true });
});

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer({ dataDir, ...options });
  open.push(server);
  return server;
}

async function statusWith(server: RunningServer, authorization: string, path = '/version'): Promise<number> {
  return (await server.get(path, { authorization })).status;
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

test('an empty key in the environment opens nothing', async () => {
  vi.stubEnv('SPOOR_API_KEY', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await createServer({ storage: 'memory', dataDir, port: 0, logLevel: 'silent' });
  onTestFinished(() => server.close());
  expect(server.apiKey).toMatch(/^spoor_/);
  const response = await fetch(`${server.url}/version`, { headers: { authorization: basic('api:') } });
  expect(response.status).toBe(401);
});

test('a service that is kept out of the database leaves the keys alone', async () => {
  const first = await createServer({ dataDir, apiKey: 'given', port: 0, logLevel: 'silent' });
  onTestFinished(() => first.close());
  await expect(createServer({ dataDir, port: 0, logLevel: 'silent' })).rejects.toThrow('another service uses it');
  expect(existsSync(keysFile(dataDir))).toBe(false);
});

test('the key counts as password of Basic whatever the user, and as token of Bearer', async () => {
  const server = await start({ apiKey: 'k:with:colons' });
  for (const header of [
    'Bearer k:with:colons',
    'bearer k:with:colons',
    basic('api:k:with:colons'),
    basic(':k:with:colons'),
  ]) {
    expect(await statusWith(server, header)).toBe(200);
  }
  expect(await statusWith(server, basic('x:k:with:colons').replace('Basic', 'bASIC'))).toBe(200);
});

test.each([
  'Bearer other',
  'Bearer',
  'Bearer ',
  'k',
  basic('api:other'),
  basic('k'),
  'Digest k',
  'Basic !!!',
  'Bearer k k',
])('the header "%s" is refused', async (header) => {
  const server = await start({ apiKey: 'k' });
  expect(await statusWith(server, header)).toBe(401);
});

test('without a key every endpoint answers 401 before it looks at the body', async () => {
  const server = await start();
  for (const { method, path } of Object.values(SERVED)) {
    const response = await fetch(server.url + path, { method, ...(method === 'POST' ? { body: 'no JSON' } : {}) });
    expect([path, response.status, ((await response.json()) as { error_code: string }).error_code]).toEqual([
      path,
      401,
      'unauthenticated',
    ]);
  }
  expect((await fetch(`${server.url}/nowhere`)).status).toBe(401);
});

test('an open health answers without a key, and nothing else does', async () => {
  const server = await start({ openHealth: true });
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  expect((await fetch(`${server.url}/version`)).status).toBe(401);
});

test('a key reaches the projects of its entities only', async () => {
  const server = await start();
  const { key } = createKey(dataDir, { name: 'ci', entities: ['acme', 'other'] });
  const read = (project_id: string) =>
    server.post('/call/read', { project_id, id: 'c' }, { authorization: `Bearer ${key}` });
  expect((await read('acme/demo')).status).toBe(200);
  expect((await read('other/x')).status).toBe(200);
  expect((await read('acmee/demo')).body).toMatchObject({ error_code: 'forbidden' });
  expect((await read('acme')).body).toMatchObject({ error_code: 'invalid_project_id' });
});

test('one foreign project refuses all references', async () => {
  const server = await start();
  const { key } = createKey(dataDir, { name: 'ci', entities: ['acme'] });
  const read = (...refs: string[]) => server.post('/refs/read_batch', { refs }, { authorization: `Bearer ${key}` });
  expect((await read('svc:///acme/demo/call/c')).body).toEqual({ vals: [null] });
  expect((await read('svc:///acme/demo/call/c', 'svc:///foe/demo/call/c')).status).toBe(403);
});

test('one foreign project refuses the whole batch', async () => {
  const server = await start();
  const { key } = createKey(dataDir, { name: 'ci', entities: ['acme'] });
  const item = (project_id: string) => ({
    mode: 'start',
    req: { start: { project_id, id: 'c', op_name: 'f', started_at: '2026-01-01T00:00:00Z' } },
  });
  const answer = await server.post(
    '/call/upsert_batch',
    { batch: [item('acme/demo'), item('foe/demo')] },
    { authorization: `Bearer ${key}` },
  );
  expect(answer.status).toBe(403);
  expect((await server.post('/calls/query_stats', { project_id: 'acme/demo' })).body).toMatchObject({ count: 0 });
});

test('a key that is created or revoked while the service runs counts at once', async () => {
  const server = await start();
  const { key, record } = createKey(dataDir, { name: 'ci' });
  expect(await statusWith(server, `Bearer ${key}`)).toBe(200);
  expect(revokeKey(dataDir, record.id)).toBe(true);
  await expect.poll(() => statusWith(server, `Bearer ${key}`)).toBe(401);
  expect(revokeKey(dataDir, record.id)).toBe(false);
});

test('a file of keys that cannot be read changes nothing for those that are known, and the log tells', async () => {
  const server = await start();
  const { key } = createKey(dataDir, { name: 'ci' });
  expect(await statusWith(server, `Bearer ${key}`)).toBe(200);
  writeFileSync(keysFile(dataDir), '{"keys":5}');
  expect(await statusWith(server, 'Bearer unknown')).toBe(401);
  expect(await statusWith(server, `Bearer ${key}`)).toBe(200);
  expect(server.log.find(({ msg }) => msg === 'keys not reloaded')).toMatchObject({ level: 50 });
});

test('a service does not start on keys that cannot be read', async () => {
  writeFileSync(keysFile(dataDir), 'no JSON');
  await expect(start()).rejects.toThrow(/^Cannot read ".*keys.json": /);
});

test('keys are kept as hashes, in a file for the owner only', () => {
  const { key, record } = createKey(dataDir, { name: 'ci', entities: ['acme'], privileges: ['import'], userId: 'u-1' });
  const text = readFileSync(keysFile(dataDir), 'utf8');
  expect(text).not.toContain(key);
  expect(statSync(keysFile(dataDir)).mode & 0o777).toBe(0o600);
  expect(listKeys(dataDir)).toEqual([record]);
  expect(record).toMatchObject({
    name: 'ci',
    prefix: key.slice(0, 10),
    userId: 'u-1',
    entities: ['acme'],
    privileges: ['import'],
  });
});

test('the first start makes the local key, later ones find it, and a revoked one is replaced', () => {
  const key = openLocalKey(dataDir);
  expect(key).toMatch(/^spoor_[\w-]{32}$/);
  expect(openLocalKey(dataDir)).toBe(key);
  expect(statSync(join(dataDir, 'local-key')).mode & 0o777).toBe(0o600);
  revokeKey(dataDir, 'local');
  expect(openLocalKey(dataDir)).not.toBe(key);
  expect(listKeys(dataDir)).toHaveLength(1);
});

const startOf = (fields: object) => ({
  start: { project_id: PROJECT, id: 'c', op_name: 'f', started_at: '2026-01-01T00:00:00Z', ...fields },
});

async function writerOf(server: RunningServer, headers: Record<string, string>, fields: object): Promise<unknown> {
  await server.post('/call/start', startOf(fields), headers);
  const { body } = await server.post('/call/read', { project_id: PROJECT, id: 'c' });
  return (body as { call: { svc_user_id: string } }).call.svc_user_id;
}

test('a start bears the name of its caller, whoever it names', async () => {
  const server = await start();
  const { key } = createKey(dataDir, { name: 'ci', userId: 'u-ci' });
  expect(await writerOf(server, { authorization: `Bearer ${key}` }, { svc_user_id: 'other' })).toBe('u-ci');
});

test('a key that may import keeps the user a start names', async () => {
  const server = await start();
  const { key } = createKey(dataDir, { name: 'copy', privileges: ['import'] });
  expect(await writerOf(server, { authorization: `Bearer ${key}` }, { svc_user_id: 'other' })).toBe('other');
});

test('updates and deletions take the own user id and no other', async () => {
  const server = await start();
  const update = (svc_user_id: string | null) =>
    server.post('/call/update', { project_id: PROJECT, call_id: 'c', display_name: 'n', svc_user_id });
  expect((await update(null)).status).toBe(200);
  expect((await update('local')).status).toBe(200);
  expect((await update('other')).body).toMatchObject({ error_code: 'user_id_not_allowed' });
  const deletion = await server.post('/calls/delete', { project_id: PROJECT, call_ids: [], svc_user_id: 'other' });
  expect(deletion.body).toMatchObject({ error_code: 'user_id_not_allowed' });
});

test('no log line holds a key', async () => {
  const server = await start({ apiKey: 'very-secret-key' });
  await server.get('/version', { 'svc-request-id': 'a' });
  await server.get('/version', { authorization: 'Bearer wrong-secret-key', 'svc-request-id': 'b' });
  await server.logged('a');
  await server.logged('b');
  expect(JSON.stringify(server.log)).not.toContain('secret-key');
});
