import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { deflateSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ limits: { request_bytes: 100_000, call_bytes: 20_000 } });
});
afterAll(() => server.close());

interface Received {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
}

/** Sends bytes as they are and reads the answer as it is. */
async function send(path: string, body: Uint8Array | string, headers: Record<string, string> = {}): Promise<Received> {
  const sent = request(server.url + path, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${server.apiKey}`, ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}

const start = (id: string, inputs: object) =>
  JSON.stringify({
    start: { project_id: PROJECT, id, op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z', inputs },
  });
const read = (id: string) => JSON.stringify({ project_id: PROJECT, id });

test('packed bodies are read', async () => {
  expect((await send('/call/start', gzipSync(start('gzip', {})), { 'content-encoding': 'gzip' })).status).toBe(200);
  expect((await send('/call/start', deflateSync(start('deflate', {})), { 'content-encoding': 'Deflate' })).status).toBe(
    200,
  );
  expect((await send('/call/start', start('plain', {}), { 'content-encoding': 'identity' })).status).toBe(200);
});

test('packed bytes that are cut short or torn are refused', async () => {
  const packed = gzipSync(start('torn', { text: 'x'.repeat(5000) }));
  const answer = await send('/call/start', packed.subarray(0, -10), { 'content-encoding': 'gzip' });
  expect([answer.status, answer.bytes.toString()]).toEqual([
    400,
    expect.stringContaining('"error_code":"invalid_request"'),
  ]);
});

test('the size limit counts what was unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  expect(bomb.length).toBeLessThan(100_000);
  expect((await send('/call/start', bomb, { 'content-encoding': 'gzip' })).status).toBe(413);
  expect((await send('/call/start', ' '.repeat(100_001))).status).toBe(413);
  expect((await send('/call/start', ' '.repeat(100_000))).status).toBe(400);
});

test('a body without a length is counted as it comes', async () => {
  expect((await send('/call/start', ' '.repeat(100_001), { 'transfer-encoding': 'chunked' })).status).toBe(413);
});

test('the connection of a refused body serves the next request', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const head = `host: localhost\r\nauthorization: Bearer ${server.apiKey}\r\n`;
  const big = ' '.repeat(300_000);
  socket.write(`POST /call/read HTTP/1.1\r\n${head}content-length: ${big.length}\r\n\r\n${big}`);
  socket.write(`GET /version HTTP/1.1\r\n${head}connection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
});

test('a client that breaks off in the middle of a body is no failure of ours', async () => {
  const socket = connect(server.port, '127.0.0.1');
  const head = `host: localhost\r\nauthorization: Bearer ${server.apiKey}\r\nsvc-request-id: broken-off\r\n`;
  socket.write(`POST /call/read HTTP/1.1\r\n${head}content-length: 1000\r\n\r\n{"project_id"`, () => socket.destroy());
  const line = await server.logged('broken-off');
  expect(line).toMatchObject({ path: '/call/read' });
  expect(line['level']).toBeLessThan(50);
});

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/problem+json',
])('a body of type %s is read as JSON', async (type) => {
  expect((await send('/call/read', read('x'), { 'content-type': type })).status).toBe(200);
});

test('a body without a type is read as JSON', async () => {
  expect((await send('/call/read', read('x'))).status).toBe(200);
});

test.each(['application/x-protobuf', 'application/xml', 'multipart/form-data; boundary=x', 'image/png'])(
  'a body of type %s is refused',
  async (type) => {
    expect((await send('/call/read', read('x'), { 'content-type': type })).status).toBe(415);
  },
);

test('answers above 1 KiB are packed for those who can unpack them', async () => {
  await send('/call/start', start('small', {}));
  await send('/call/start', start('large', { text: 'x'.repeat(2000) }));
  const codingFor = async (id: string, accept?: string) =>
    (await send('/call/read', read(id), accept === undefined ? {} : { 'accept-encoding': accept })).headers[
      'content-encoding'
    ];
  expect(await codingFor('large', 'gzip')).toBe('gzip');
  expect(await codingFor('large', 'br, *;q=0.1')).toBe('gzip');
  expect(await codingFor('small', 'gzip')).toBeUndefined();
  for (const accept of [undefined, '', 'br', 'gzip;q=0', '*, gzip;q=0.0']) {
    expect([accept, await codingFor('large', accept)]).toEqual([accept, undefined]);
  }
  const { bytes, headers } = await send('/call/read', read('large'), { 'accept-encoding': 'gzip' });
  expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({ call: { id: 'large' } });
  expect(Number(headers['content-length'])).toBe(bytes.length);
  expect(headers.vary).toBe('accept-encoding');
});

const PLACEHOLDER = { _svc: { error: '<EXCEEDS_LIMITS>' } };

async function readBack(id: string): Promise<Record<string, unknown>> {
  const { bytes } = await send('/call/read', read(id));
  return (JSON.parse(bytes.toString()) as { call: Record<string, unknown> }).call;
}

test('the largest field of a start that is too large is replaced, and then the next', async () => {
  const body = (inputs: number, attributes: number) =>
    JSON.stringify({
      start: {
        ...JSON.parse(start('x', { text: 'x'.repeat(inputs) })).start,
        id: `big-${inputs}-${attributes}`,
        attributes: { text: 'y'.repeat(attributes) },
      },
    });
  await send('/call/start', body(15_000, 6000));
  expect(await readBack('big-15000-6000')).toMatchObject({
    inputs: PLACEHOLDER,
    attributes: { text: 'y'.repeat(6000) },
  });
  await send('/call/start', body(30_000, 20_001));
  expect(await readBack('big-30000-20001')).toMatchObject({ inputs: PLACEHOLDER, attributes: PLACEHOLDER });
  await send('/call/start', body(9000, 9000));
  expect(await readBack('big-9000-9000')).toMatchObject({ inputs: { text: 'x'.repeat(9000) } });
});

test('the size of a field is that of its canonical text', async () => {
  // Two bytes on the wire, six in canonical text.
  await send('/call/start', start('umlauts', { text: 'ü'.repeat(4000) }));
  expect(await readBack('umlauts')).toMatchObject({ inputs: PLACEHOLDER });
});

test('an end that is too large loses its output and keeps its summary', async () => {
  await send('/call/start', start('ended', {}));
  const end = {
    project_id: PROJECT,
    id: 'ended',
    ended_at: '2026-01-01T00:00:01Z',
    output: 'x'.repeat(30_000),
    summary: { n: 1 },
  };
  await send('/call/end', JSON.stringify({ end }));
  expect(await readBack('ended')).toMatchObject({ output: PLACEHOLDER, summary: { n: 1 } });
});
