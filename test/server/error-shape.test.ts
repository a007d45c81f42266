import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode, TracingError } from '../../src/protocol/error.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { type Answer, PROJECT, type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
let failing: RunningServer;

/** A real storage of which some calls fail, as a broken disk makes them. */
function failingStorage(): Storage {
  const storage = openMemoryStorage();
  const calls = Object.assign(storage.calls, {
    get: () => Promise.reject(new RangeError('secret path /var/lib/x')),
    count: () => Promise.reject(new TracingError('query_timeout', 'The query took too long')),
    write: () => Promise.reject(new TracingError('rate_limited', 'The write queue is full')),
  });
  const checkHealth = () => Promise.reject(new TracingError('unavailable', 'The disk is full'));
  return { ...storage, calls, checkHealth };
}

beforeAll(async () => {
  server = await startServer({ limits: { request_bytes: 20_000, body_depth: 100, calls_per_delete: 2 } });
  failing = await startServer({ storage: failingStorage() });
});
afterAll(async () => {
  await server.close();
  await failing.close();
});

/** Writes bytes to the service and reads its answer to the end of the connection. */
async function sendRaw(text: string): Promise<Answer> {
  const socket = connect(server.port, '127.0.0.1');
  socket.end(text);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  await once(socket, 'close');
  return parseAnswer(received);
}

function parseAnswer(received: string): Answer {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(first.split(' ')[1]), headers, text: body, body: JSON.parse(body) as unknown };
}

const start = { project_id: PROJECT, op_name: 'f', started_at: '2026-01-01T00:00:00Z' };

async function updateDeleted(): Promise<Answer> {
  await server.post('/call/start', { start: { ...start, id: 'gone' } });
  await server.post('/calls/delete', { project_id: PROJECT, call_ids: ['gone'] });
  return await server.post('/call/update', { project_id: PROJECT, call_id: 'gone', display_name: 'x' });
}

async function readDeleted(): Promise<Answer> {
  await server.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'gone', val: 1 } });
  await server.post('/obj/delete', { project_id: PROJECT, object_id: 'gone' });
  return await server.post('/obj/read', { project_id: PROJECT, object_id: 'gone', digest: 'latest' });
}

/** The answer to a request that follows a stream on its connection while the service shuts down. */
async function askWhileStopping(): Promise<Answer> {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const storage = openMemoryStorage();
  const read = storage.calls.query.bind(storage.calls);
  const query: typeof read = async function* (plan, options) {
    yield* read(plan, options);
    await gate;
  };
  const stopping = await startServer({ storage: { ...storage, calls: Object.assign(storage.calls, { query }) } });
  await stopping.post('/call/start', { start: { ...start, id: 'c1' } });
  const socket = connect(stopping.port, '127.0.0.1');
  const head = `host: localhost\r\nauthorization: Bearer ${stopping.apiKey}\r\n`;
  const body = JSON.stringify({ project_id: PROJECT });
  socket.write(`POST /calls/stream_query HTTP/1.1\r\n${head}content-length: ${body.length}\r\n\r\n${body}`);
  let received = '';
  const closed = once(socket, 'close');
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      resolve();
    });
  });
  const stopped = stopping.close();
  await new Promise((resolve) => socket.write(`GET /version HTTP/1.1\r\n${head}\r\n`, resolve));
  // The bytes are there; the service, in this process, takes them in its next turns.
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
  go();
  await Promise.all([closed, stopped]);
  return parseAnswer(received.slice(received.lastIndexOf('HTTP/1.1')));
}

/** One request for every origin of an error: the framework, the parser of HTTP, our rules, the storage. */
const ORIGINS: readonly (readonly [code: ErrorCode, name: string, send: () => Promise<Answer>])[] = [
  ['invalid_json', 'a body that is no JSON', () => server.post('/call/read', '{"a"')],
  ['invalid_json', 'an empty body', () => server.post('/call/read', '')],
  ['invalid_json', 'NaN', () => server.post('/call/read', '{"a":NaN}')],
  ['invalid_json', 'Infinity', () => server.post('/call/read', '{"a":Infinity}')],
  ['invalid_json', 'a number beyond all doubles', () => server.post('/call/read', '{"a":1e999}')],
  ['invalid_request', 'an address that is not percent-encoded', () => server.post('/%zz', '{}')],
  ['invalid_request', 'bytes that are no HTTP', () => sendRaw('HELLO\r\n\r\n')],
  ['invalid_request', 'an unknown dialect', () => server.post('/call/read', '{}', { 'svc-dialect': 'x' })],
  ['invalid_request', 'a body that is not gzip', () => server.post('/call/read', '{}', { 'content-encoding': 'gzip' })],
  [
    'invalid_ref',
    'a reference of another kind',
    () => server.post('/call/start', { start: { ...start, op_name: `svc:///${PROJECT}/call/x` } }),
  ],
  ['invalid_project_id', 'a project without entity', () => server.post('/call/read', { project_id: 'x', id: 'c' })],
  ['invalid_id', 'an id with a slash', () => server.post('/call/read', { project_id: PROJECT, id: 'a/b' })],
  [
    'invalid_object_id',
    'an object name with a space',
    () => server.post('/obj/read', { project_id: PROJECT, object_id: 'a b', digest: 'latest' }),
  ],
  [
    'too_many_items',
    'more ids than one delete takes',
    () => server.post('/calls/delete', { project_id: PROJECT, call_ids: ['a', 'b', 'c'] }),
  ],
  [
    'user_id_not_allowed',
    'a foreign user in an update',
    () => server.post('/call/update', { project_id: PROJECT, call_id: 'c', display_name: 'x', svc_user_id: 'other' }),
  ],
  ['unauthenticated', 'an unknown key', () => server.post('/call/read', '{}', { authorization: 'Bearer other' })],
  [
    'forbidden',
    'a foreign host name',
    () => sendRaw('GET /health HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n'),
  ],
  [
    'not_found',
    'an object that never was',
    () => server.post('/obj/read', { project_id: PROJECT, object_id: 'none', digest: 'latest' }),
  ],
  ['not_found', 'a file that never was', () => server.post('/file/content', { project_id: PROJECT, digest: 'x' })],
  [
    'not_found',
    'a table that never was',
    () => server.post('/table/update', { project_id: PROJECT, base_digest: 'x', updates: [] }),
  ],
  [
    'not_found',
    'a reference to an object that never was',
    () => server.post('/refs/read_batch', { refs: [`svc:///${PROJECT}/object/none:x`] }),
  ],
  ['object_deleted', 'an object that was deleted', readDeleted],
  ['call_deleted', 'an update of a call that was deleted', updateDeleted],
  ['unknown_path', 'a path that is none', () => server.post('/calls', '{}')],
  ['method_not_allowed', 'another method', () => server.get('/call/read')],
  [
    'digest_mismatch',
    'another digest than expected',
    () => server.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'o', val: 1, expected_digest: 'x' } }),
  ],
  ['payload_too_large', 'a body above the limit', () => server.post('/call/read', 'x'.repeat(20_001))],
  [
    'payload_too_large',
    'more levels than the limit',
    () => server.post('/call/read', '['.repeat(101) + ']'.repeat(101)),
  ],
  ['payload_too_large', 'headers above the limit', () => sendRaw(`GET / HTTP/1.1\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`)],
  ['unsupported_media_type', 'XML', () => server.post('/call/read', '<a/>', { 'content-type': 'application/xml' })],
  [
    'unsupported_media_type',
    'a malformed content type',
    () => server.post('/call/read', '{}', { 'content-type': 'b;;\\/ad' }),
  ],
  [
    'unsupported_media_type',
    'an unknown encoding',
    () => server.post('/call/read', '{}', { 'content-encoding': 'zstd' }),
  ],
  ['validation_error', 'a missing field', () => server.post('/call/read', '{}')],
  ['validation_error', 'an address that is no IP address', () => server.get('/geolocate?ip=x')],
  [
    'invalid_field',
    'an unknown column',
    () => server.post('/calls/stream_query', { project_id: PROJECT, columns: ['nope'] }),
  ],
  ['rate_limited', 'a full write queue', () => failing.post('/call/start', { start })],
  ['internal_error', 'an error nobody foresaw', () => failing.post('/call/read', { project_id: PROJECT, id: 'c' })],
  ['unavailable', 'a storage that is away', () => failing.get('/health')],
  ['unavailable', 'a service that shuts down', askWhileStopping],
  ['query_timeout', 'a read beyond its deadline', () => failing.post('/calls/query_stats', { project_id: PROJECT })],
];

test.each(ORIGINS)('%s: %s', async (code, name, send) => {
  const { status, headers, body } = await send();
  expect(headers.get('content-type')).toBe('application/json');
  expect([status, body]).toEqual([
    ERROR_CODES[code].status,
    {
      reason: matching(/^[^a-z].{4,}[^.]$/s),
      error_code: code,
      request_id: headers.get('svc-request-id'),
      ...(EXTRA_KEYS_OF_ORIGIN[name] ?? EXTRA_KEYS[code]),
    },
  ]);
});

function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

const DETAIL: unknown = expect.arrayContaining([
  {
    loc: expect.arrayContaining([matching(/^(body|query)$/)]) as unknown,
    msg: matching(/./),
    type: matching(/^[a-z_]+$/),
  },
]);

/** What the body of a code has besides the three keys of all errors. */
const EXTRA_KEYS: { readonly [code in ErrorCode]?: Readonly<Record<string, unknown>> } = {
  validation_error: { detail: DETAIL },
  invalid_field: { detail: DETAIL },
  digest_mismatch: { actual_digest: matching(/^[A-Za-z0-9]{43}$/) },
  object_deleted: { deleted_at: matching(/^20\d\d-\d\d-\d\dT.*Z$/) },
};

/** Answers with more than their code has elsewhere. */
const EXTRA_KEYS_OF_ORIGIN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a storage that is away': { status: 'unavailable' },
  'a reference to an object that never was': { missing_object_digests: ['x'] },
};

/** Codes of errors that happen in a client or in a configuration. */
const LOCAL_CODES: readonly string[] = ['broken_stream', 'invalid_configuration', 'network_error'];

test('every code that can be on the wire is provoked', () => {
  const provoked = new Set<string>(ORIGINS.map(([code]) => code));
  expect(Object.keys(ERROR_CODES).filter((code) => !provoked.has(code))).toEqual(LOCAL_CODES);
});

test('errors carry the headers that go with them', async () => {
  const { headers: unauthenticated } = await server.post('/call/read', '{}', { authorization: 'x' });
  expect(unauthenticated.get('www-authenticate')).toBe('Basic realm="svc"');
  expect((await server.get('/call/read')).headers.get('allow')).toBe('POST');
  expect((await server.post('/health', '{}')).headers.get('allow')).toBe('GET, HEAD');
  expect((await failing.get('/health')).headers.get('retry-after')).toBe('1');
  expect((await failing.post('/call/start', { start })).headers.get('retry-after')).toBe('1');
});

test('what Node would answer by itself has the shape of all errors, or is answered like any other request', async () => {
  const connectAnswer = await sendRaw('CONNECT example.com:443 HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(connectAnswer).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } });
  const head = `GET /version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: wonders\r\n`;
  expect(await sendRaw(`${head}\r\n`)).toMatchObject({ status: 401, body: { error_code: 'unauthenticated' } });
});

test('an internal error tells nothing of our insides, and the log tells all but the body', async () => {
  const { text, headers } = await failing.post('/call/read', { project_id: PROJECT, id: 'secret-id' });
  expect(text).not.toMatch(/secret|RangeError|\.ts/);
  const line = await failing.logged(headers.get('svc-request-id') ?? '');
  expect(line).toMatchObject({
    level: 50,
    status: 500,
    errorCode: 'internal_error',
    path: '/call/read',
    keyId: 'local',
  });
  expect(line['stack']).toContain('RangeError: secret path');
  expect(JSON.stringify(line)).not.toContain('secret-id');
});

test('an unhealthy service says so in the shape of the health answer too', async () => {
  const { body } = await failing.get('/health');
  expect(body).toMatchObject({ status: 'unavailable', error_code: 'unavailable', reason: 'The disk is full' });
});

test('the id a client gives its request is echoed, a retry id too, a hostile one is not', async () => {
  const idOf = async (headers: Record<string, string>) =>
    (await server.get('/version', headers)).headers.get('svc-request-id');
  expect(await idOf({ 'svc-request-id': 'r-1', 'svc-retry-id': 'r-2' })).toBe('r-1');
  expect(await idOf({ 'svc-retry-id': 'r-2' })).toBe('r-2');
  expect(await idOf({ 'svc-request-id': 'x'.repeat(200) })).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
  expect(await idOf({})).not.toBe(await idOf({}));
});

test('a refused request is a warning with its request id, an answered one is not', async () => {
  const { headers } = await server.post('/call/read', '{}', { 'svc-request-id': 'refused-1' });
  expect(headers.get('svc-request-id')).toBe('refused-1');
  expect(await server.logged('refused-1')).toMatchObject({
    level: 40,
    status: 422,
    method: 'POST',
    path: '/call/read',
  });
  await server.get('/version', { 'svc-request-id': 'answered-1' });
  expect(await server.logged('answered-1')).toMatchObject({ level: 30, status: 200 });
});
