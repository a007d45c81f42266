import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { TracingError } from '../../src/protocol/error.ts';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import type { CallReader, StoredCall } from '../../src/storage/contract/calls.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.close();
});

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  server = await startServer(options);
  return server;
}

const items = (count: number, inputs: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    mode: 'start',
    req: {
      start: {
        project_id: PROJECT,
        id: `c${index}`,
        op_name: 'f',
        trace_id: 't',
        started_at: '2026-01-01T00:00:00Z',
        inputs,
      },
    },
  }));

/** A memory storage whose streams run through `wrap`, so that a test decides when and how they go on. */
function storageWith(
  wrap: (chunks: AsyncIterable<readonly StoredCall[]>) => AsyncIterable<readonly StoredCall[]>,
): Storage {
  const storage = openMemoryStorage();
  const query = storage.calls.query.bind(storage.calls);
  const wrapped: CallReader['query'] = (plan, options) => wrap(query(plan, options));
  return { ...storage, calls: Object.assign(storage.calls, { query: wrapped }) };
}

interface Stream {
  readonly response: IncomingMessage;
  /** All that came, and whether the connection broke before the end of the body. */
  readonly finished: Promise<{ bytes: Buffer; isBroken: boolean }>;
}

async function openStream(target: RunningServer, headers: Record<string, string> = {}): Promise<Stream> {
  const request = httpRequest(`${target.url}/calls/stream_query`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${target.apiKey}`, ...headers },
  });
  request.end(JSON.stringify({ project_id: PROJECT }));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { response, finished: drain(response) };
}

async function drain(response: IncomingMessage): Promise<{ bytes: Buffer; isBroken: boolean }> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A broken body is an error to Node; what had come until then is what matters here.
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('close', resolve));
  return { bytes: Buffer.concat(chunks), isBroken: !response.complete };
}

test('a stream is one record per line and ends complete', async () => {
  const target = await start();
  await target.post('/call/upsert_batch', { batch: items(1000) });
  const { response, finished } = await openStream(target);
  const { bytes, isBroken } = await finished;
  const lines = bytes.toString().split('\n');
  expect(isBroken).toBe(false);
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toHaveLength(1000);
  expect(response.statusCode).toBe(200);
});

test('the content type is JSON Lines, by the name the client uses for it', async () => {
  const target = await start();
  const typeFor = async (accept: string) => (await openStream(target, { accept })).response.headers['content-type'];
  expect(await typeFor('application/jsonl')).toBe('application/jsonl');
  expect(await typeFor('*/*')).toBe('application/jsonl');
  expect(await typeFor('application/json, application/x-ndjson;q=0.5')).toBe('application/x-ndjson');
});

test('an empty result is an empty body', async () => {
  const { finished } = await openStream(await start());
  expect(await finished).toEqual({ bytes: Buffer.alloc(0), isBroken: false });
});

test('chunks without calls leave no blank lines', async () => {
  const target = await start({
    storage: storageWith(async function* (chunks) {
      yield [];
      yield* chunks;
      yield [];
    }),
  });
  await target.post('/call/upsert_batch', { batch: items(2) });
  const { bytes } = await (await openStream(target)).finished;
  expect(bytes.toString()).toMatch(/^\{.*\}\n\{.*\}\n$/);
});

test('an error before the first record is an ordinary answer', async () => {
  const target = await start({
    storage: storageWith(async function* () {
      yield* [];
      throw new TracingError('query_timeout', 'The query took too long');
    }),
  });
  const answer = await target.post('/calls/stream_query', { project_id: PROJECT });
  expect([answer.status, answer.body]).toEqual([504, expect.objectContaining({ error_code: 'query_timeout' })]);
});

const breaking = () =>
  storageWith(async function* (chunks) {
    yield* chunks;
    throw new RangeError('secret');
  });

test.each([{}, { 'accept-encoding': 'gzip' }])(
  'a later error is a last line and a broken connection (%o)',
  async (headers) => {
    const target = await start({ storage: breaking() });
    await target.post('/call/upsert_batch', { batch: items(3) });
    const { response, finished } = await openStream(target, headers);
    const { bytes, isBroken } = await finished;
    const isPacked = response.headers['content-encoding'] === 'gzip';
    const text = isPacked ? gunzipSync(bytes, { finishFlush: 2 }).toString() : bytes.toString();
    const lines = text.trimEnd().split('\n');
    expect(isBroken).toBe(true);
    expect(lines).toHaveLength(4);
    expect(JSON.parse(lines[3] ?? '')).toEqual({
      _svc_error: { reason: 'The service failed to answer the request', error_code: 'internal_error', status: 500 },
    });
    const line = await target.logged(String(response.headers['svc-request-id']));
    expect(line).toMatchObject({ level: 50, errorCode: 'internal_error' });
  },
);

test('a stream that takes too long is broken', async () => {
  const target = await start({
    limits: { stream_ms: 50 },
    storage: storageWith(async function* (chunks) {
      yield* chunks;
      await new Promise(() => undefined);
    }),
  });
  await target.post('/call/upsert_batch', { batch: items(1) });
  const { bytes, isBroken } = await (await openStream(target)).finished;
  expect(isBroken).toBe(true);
  expect(bytes.toString()).toContain('"error_code":"query_timeout","status":504');
});

/** Gives its first chunk for ever, counts how often it was taken, and tells when the reader has let go. */
function endlessStorage(): { storage: Storage; taken: () => number; released: Promise<void> } {
  let taken = 0;
  let release: () => void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const storage = storageWith(async function* (chunks) {
    try {
      for await (const chunk of chunks) {
        for (;;) {
          taken += 1;
          yield chunk;
          await new Promise(setImmediate);
        }
      }
    } finally {
      release();
    }
  });
  return { storage, taken: () => taken, released };
}

test('a client that goes away stops the read', async () => {
  const { storage, released } = endlessStorage();
  const target = await start({ storage });
  await target.post('/call/upsert_batch', { batch: items(10) });
  const { response } = await openStream(target);
  response.destroy();
  await expect(released).resolves.toBeUndefined();
});

test('nothing of another answer comes into a stream, whatever the client sends behind its request', async () => {
  const running = await start({
    storage: storageWith(async function* (chunks) {
      yield* chunks;
      await new Promise(() => undefined);
    }),
    graceSeconds: 0.1,
  });
  await running.post('/call/upsert_batch', { batch: items(1) });
  const socket = connect(running.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const body = JSON.stringify({ project_id: PROJECT });
  const head = `POST /calls/stream_query HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${running.apiKey}`;
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    if (text.includes('"c0"')) socket.write('NONSENSE\r\n\r\n');
  });
  await once(socket, 'close');
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(running.log).toContainEqual(expect.objectContaining({ status: 400, errorCode: 'invalid_request' }));
});

test('a reader that stops reading holds what fits its socket and no more', async () => {
  const { storage, taken, released } = endlessStorage();
  const target = await start({ storage });
  await target.post('/call/upsert_batch', { batch: items(50, { text: 'x'.repeat(20_000) }) });
  const socket = connect(target.port, '127.0.0.1').pause();
  const body = JSON.stringify({ project_id: PROJECT });
  socket.write(
    `POST /calls/stream_query HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${target.apiKey}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await expect.poll(() => stands(taken), { timeout: 20_000 }).toBe(true);
  // A chunk is a megabyte; the buffers of a socket on this machine are a few.
  expect(taken()).toBeLessThan(40);
  socket.destroy();
  await released;
});

/** Does a number no longer grow over many turns of the event loop? */
async function stands(read: () => number): Promise<boolean> {
  const before = read();
  for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
  return before > 0 && read() === before;
}

test('a key has so many streams at a time, and a finished one makes room', async () => {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const target = await start({
    limits: { streams_per_key: 2 },
    storage: storageWith(async function* (chunks) {
      yield* chunks;
      await gate;
    }),
  });
  await target.post('/call/upsert_batch', { batch: items(1) });
  const open = [await openStream(target), await openStream(target)];
  const refused = await target.post('/calls/stream_query', { project_id: PROJECT });
  expect([refused.status, refused.body]).toEqual([429, expect.objectContaining({ error_code: 'rate_limited' })]);
  go();
  await Promise.all(open.map(({ finished }) => finished));
  await expect.poll(async () => (await target.post('/calls/stream_query', { project_id: PROJECT })).status).toBe(200);
});

test('a packed stream arrives while it is written', async () => {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const target = await start({
    storage: storageWith(async function* (chunks) {
      yield* chunks;
      await gate;
    }),
  });
  await target.post('/call/upsert_batch', { batch: items(1) });
  const { response, finished } = await openStream(target, { 'accept-encoding': 'gzip' });
  const seen: Buffer[] = [];
  response.on('data', (chunk: Buffer) => seen.push(chunk));
  await expect
    .poll(() => gunzipSync(Buffer.concat(seen), { finishFlush: 2 }).toString(), { timeout: 5000 })
    .toContain('"id":"c0"');
  go();
  const { bytes, isBroken } = await finished;
  expect(isBroken).toBe(false);
  expect(gunzipSync(bytes).toString()).toMatch(/^\{.*\}\n$/);
});

test('a service that stops finishes the streams in flight', async () => {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const target = await start({
    storage: storageWith(async function* (chunks) {
      yield* chunks;
      await gate;
    }),
  });
  await target.post('/call/upsert_batch', { batch: items(2) });
  const { finished } = await openStream(target);
  const closed = target.close();
  go();
  expect((await finished).isBroken).toBe(false);
  await closed;
});
