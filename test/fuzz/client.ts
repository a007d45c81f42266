import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import type { FuzzRequest } from './request.ts';

/** What came back; `status` 0: nothing that is HTTP. */
export interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The unpacked body. */
  readonly body: Buffer;
  readonly isComplete: boolean;
  readonly milliseconds: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

export function closeConnections(): void {
  agent.destroy();
}

let stalls = 0;
let lastBeat = performance.now();
// What this process itself slept through is no delay of the service.
setInterval(() => {
  if (performance.now() - lastBeat > 1000) stalls += 1;
  lastBeat = performance.now();
}, 50).unref();

/** Sends a request and reads its answer; throws when there is none in time. */
export async function send(url: string, request: FuzzRequest, patienceMs: number): Promise<FuzzAnswer> {
  const before = stalls;
  try {
    return await sendOnce(url, request, patienceMs);
  } catch (error) {
    if (stalls === before) throw error;
    return await sendOnce(url, request, patienceMs);
  }
}

async function sendOnce(url: string, request: FuzzRequest, patienceMs: number): Promise<FuzzAnswer> {
  const begun = performance.now();
  const signal = AbortSignal.timeout(patienceMs);
  const answer = request.isRaw ? await sendRaw(url, request, signal) : await sendWhole(url, request, signal);
  return { ...answer, milliseconds: performance.now() - begun };
}

type Answer = Omit<FuzzAnswer, 'milliseconds'>;

async function sendWhole(url: string, request: FuzzRequest, signal: AbortSignal, mayRepeat = true): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const { method, path, headers, body } = request;
  const outgoing = httpRequest({
    hostname,
    port,
    method,
    path,
    headers: { ...lengthOf(request), ...headers },
    agent: mayRepeat ? agent : false,
    signal,
  });
  // An answer may come before a large body is through; then writing on is what fails.
  outgoing.on('error', () => undefined);
  outgoing.end(body);
  try {
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return await readAnswer(response);
  } catch (error) {
    if (mayRepeat && outgoing.reusedSocket && isGone(error)) return await sendWhole(url, request, signal, false);
    throw error;
  }
}

/** A service that refuses a request without reading all of it resets the connection. */
async function closed(socket: Socket, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.once('close', () => resolve());
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Node says it with the usual methods only; behind any other a body would be read as the next request. */
function lengthOf({ headers, body }: FuzzRequest): Record<string, string> {
  return body.length === 0 || 'transfer-encoding' in headers ? {} : { 'content-length': String(body.length) };
}

/** The service may close an idle connection while we take it. */
function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('close', resolve));
  const packed = Buffer.concat(chunks);
  const body = response.headers['content-encoding'] === 'gzip' && packed.length > 0 ? gunzipSync(packed) : packed;
  return { status: response.statusCode ?? 0, headers: response.headers, body, isComplete: response.complete };
}

/** Announces more than it sends, closes its side, and reads until the other side is closed too. */
async function sendRaw(
  url: string,
  { method, path, headers, body }: FuzzRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': String(body.length + 10) });
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
  socket.end(body);
  try {
    await closed(socket, signal);
  } finally {
    socket.destroy();
  }
  const received = Buffer.concat(chunks);
  const [, status = '0'] = /^HTTP\/1\.1 (\d{3}) /.exec(received.toString('latin1')) ?? [];
  const start = received.indexOf('\r\n\r\n');
  return {
    status: Number(status),
    headers: {},
    body: start < 0 ? received : received.subarray(start + 4),
    isComplete: true,
  };
}
