import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { HttpTransport, type HttpTransportOptions } from '../../src/delivery/transport/http-transport.ts';
import { REQUESTS_AT_ONCE } from '../../src/delivery/queue/lanes.ts';
import type { Transport } from '../../src/delivery/transport/transport.ts';
import { ThreadTransport } from '../../src/delivery/transport/thread-transport.ts';
import { MAX_ANSWER_BYTES } from '../../src/delivery/transport/request-form.ts';

const REQUEST = { path: '/call/upsert_batch', body: Buffer.from('{"batch":[]}'), retryId: 'r1' };

const { request, get } = http;
afterEach(() => void Object.assign(http, { request, get }));

type TransportClass = new (options: HttpTransportOptions) => Transport;

/** A transport to a server of this test, and how many connections it has made. */
async function open(
  answer: RequestListener,
  options: Partial<HttpTransportOptions> = {},
  Posting: TransportClass = HttpTransport,
) {
  const server = http.createServer(answer).listen(0, '127.0.0.1');
  let connections = 0;
  server.on('connection', () => void (connections += 1));
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/base/`;
  const transport = new Posting({ url, apiKey: 'key', version: '1.2.3', timeoutMs: 5000, ...options });
  onTestFinished(() => {
    transport.close();
    server.closeAllConnections();
    server.close();
  });
  return { transport, connections: () => connections };
}

test('posts over a connection that is kept', async () => {
  const { transport, connections } = await open((incoming, response) => {
    const { method, url, headers } = incoming;
    incoming.setEncoding('utf8').on('data', (body) => {
      response.setHeader('x-seen', 'yes').end(JSON.stringify({ method, url, headers, body: String(body) }));
    });
  });
  const { status, headers, body } = await transport.post(REQUEST);
  expect([status, headers['x-seen']]).toEqual([200, 'yes']);
  expect(JSON.parse(body)).toMatchObject({
    method: 'POST',
    url: '/base/call/upsert_batch',
    headers: {
      authorization: `Basic ${Buffer.from('api:key').toString('base64')}`,
      'content-length': '12',
      'content-type': 'application/json',
      'svc-retry-id': 'r1',
      'user-agent': 'spoor/1.2.3',
    },
    body: '{"batch":[]}',
  });
  await transport.post(REQUEST);
  expect(connections()).toBe(1);
});

test('is not what libraries for tests put in the place of requests', async () => {
  vi.resetModules();
  const { HttpTransport: Fresh } = await import('../../src/delivery/transport/http-transport.ts');
  const { transport } = await open((_, response) => response.end('{}'), {}, Fresh);
  http.request = http.get = () => {
    throw new Error('This request is not mocked');
  };
  expect(await transport.post(REQUEST)).toMatchObject({ status: 200 });
});

test('is made where nothing is traced', async () => {
  const made: unknown[] = [];
  const { transport } = await open((_, response) => response.end('{}'), {
    untraced: (make) => {
      const result = make();
      made.push(result);
      return result;
    },
  });
  await transport.post(REQUEST);
  expect(made).toEqual([expect.any(Promise)]);
});

test.each<[string, RequestListener, string]>([
  ['silent', () => undefined, 'No whole answer within 200 ms'],
  [
    'half',
    (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('{'),
    'No whole answer within',
  ],
  ['cut', (_, response) => void response.writeHead(200).write('{', () => response.destroy()), 'closed before'],
  ['reset', (incoming) => void incoming.socket.resetAndDestroy(), 'ECONNRESET'],
  ['no HTTP', (incoming) => void incoming.socket.end('SSH-2.0-OpenSSH\r\n'), 'Parse Error'],
  ['too long', (_, response) => void response.end('x'.repeat(MAX_ANSWER_BYTES + 1)), 'too long'],
])('an answer that is %s is none', async (_, answer, message) => {
  const { transport } = await open(answer, { timeoutMs: message.includes('within') ? 200 : 20_000 });
  await expect(transport.post(REQUEST)).rejects.toThrow(message);
});

test('a thread that posts lets go of a request that has taken too long', async () => {
  const sockets: Socket[] = [];
  const answer: RequestListener = ({ socket }) => void sockets.push(socket);
  const { transport } = await open(answer, { timeoutMs: 500 }, ThreadTransport);
  const posts = await Promise.allSettled([transport.post(REQUEST), transport.post(REQUEST)]);
  expect(posts.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await vi.waitFor(() => expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, true]), { timeout: 20_000 });
});

test('lets go of connections whose server has answered and reads no more', async () => {
  // A server of `node:http` reads what is left of a request once it has answered.
  const server = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 413 Payload Too Large\r\nContent-Length: 2\r\n\r\n{}');
      });
    onTestFinished(() => void socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const transport = new HttpTransport({ url, apiKey: 'key', version: '1.2.3', timeoutMs: 60_000 });
  onTestFinished(() => {
    transport.close();
    server.close();
  });
  const body = Buffer.alloc(64 * 1024 * 1024);
  // One that was not let go would leave none for the last request.
  for (let round = 0; round <= REQUESTS_AT_ONCE; round++) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await transport.post({ ...REQUEST, body })).toMatchObject({ status: 413 });
  }
  // Far less than it takes until the requests before are given up.
}, 50_000);

test('gives up what is under way when it is closed', async () => {
  const { transport } = await open(() => transport.close());
  await expect(transport.post(REQUEST)).rejects.toThrow('socket hang up');
});
