import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ServedRoute, servedRoutes } from '../server/served-routes.ts';
import type { ServiceProcess } from './service-process.ts';

const head = (line: string, ...headers: string[]) =>
  `${line} HTTP/1.1\r\n${headers.map((h) => `${h}\r\n`).join('')}\r\n`;
const HOST = 'Host: 127.0.0.1';
const WRONG_KEY = 'Authorization: Bearer nobody';

/** No address of the service. */
const NOWHERE: ServedRoute = { method: 'GET', path: '/nowhere', isOpen: false };

/**
 * Requests after which a connection goes on, all of them without a valid key: one to each route that the service has, in
 * both spellings, and what is odd besides.
 */
export async function answeredRequests(): Promise<readonly string[]> {
  const routes = [...(await servedRoutes()), NOWHERE].filter(mayRefuse);
  return [
    ...routes.flatMap(({ method, path }) => [
      head(`${method} ${path}`, HOST, WRONG_KEY),
      head(`${method} /dialect/w${path.replace('/dialect/w', '')}`, HOST),
    ]),
    head('PUT /call/read', HOST, WRONG_KEY),
    head('GET /version', 'Host: evil.example', WRONG_KEY),
    head('GET /version', HOST, `Authorization: Basic ${'x'.repeat(4000)}`),
    head('POST /call/read', HOST, WRONG_KEY, 'Content-Encoding: gzip', 'Content-Length: 4') + 'gzip',
  ];
}

/** What is read without a key is there for everybody. */
function mayRefuse({ method, isOpen }: ServedRoute): boolean {
  return !isOpen || method === 'POST';
}

/** What ends a connection: no HTTP, TLS, headers that are too large, a tunnel, a body that never comes. */
const BROKEN: readonly (string | Buffer)[] = [
  'what is this\r\n\r\n',
  Buffer.from('160301020001000100030300', 'hex'),
  head('GET /version', HOST, `X: ${'x'.repeat(20_000)}`),
  head('CONNECT evil.example:443', HOST),
  head('POST /call/read', HOST, WRONG_KEY, 'Connection: close', 'Content-Length: 100'),
];

/** Requests sent on a connection before the answers of the last ones are there. */
const AT_ONCE = 20;

/** Sends so many requests that are refused, over some connections at a time; one of a hundred breaks its connection. */
export async function sendRefused(service: ServiceProcess, count: number, connections = 8): Promise<void> {
  const requests = await answeredRequests();
  let sent = 0;
  const sender = async () => {
    while (sent < count) {
      const round = Math.min(100, count - sent);
      sent += round;
      await sendAnswered(service, requests, { count: round - 1, offset: sent });
      await sendBroken(service, BROKEN[((sent / 100) % BROKEN.length) | 0] ?? '');
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
}

/** The status that one request is answered with; not a number when there is none. */
export async function statusOf(service: Pick<ServiceProcess, 'url'>, request: string): Promise<number> {
  const socket = open(service);
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    socket.end();
  });
  socket.write(request);
  await once(socket, 'close');
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1]);
}

function open({ url }: Pick<ServiceProcess, 'url'>): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return socket;
}

interface Some {
  readonly count: number;
  readonly offset: number;
}

async function sendAnswered(
  service: ServiceProcess,
  requests: readonly string[],
  { count, offset }: Some,
): Promise<void> {
  const socket = open(service);
  let answers = 0;
  let rest = '';
  let asked = 0;
  const next = () => {
    const some = Math.min(AT_ONCE, count - asked);
    const texts = Array.from({ length: some }, (_, index) => requests[(offset + asked + index) % requests.length]);
    asked += some;
    socket.write(texts.join(''));
  };
  next();
  socket.on('data', (chunk: Buffer) => {
    const text = rest + chunk.toString('latin1');
    const parts = text.split('HTTP/1.1 ');
    rest = text.slice(-8);
    answers += parts.length - 1;
    if (rest.includes('HTTP/1.1 ')) answers -= 1;
    if (answers >= count) socket.end();
    else if (answers >= asked) next();
  });
  await once(socket, 'close');
}

async function sendBroken(service: ServiceProcess, bytes: string | Buffer): Promise<void> {
  const socket = open(service).resume();
  socket.end(bytes);
  await once(socket, 'close');
}
