import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the provider saw it. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Parsed, where it is JSON; else how many bytes came. */
  readonly body: unknown;
  /** Resolves when the connection ended: `true` when the client left before the answer was complete. */
  readonly aborted: Promise<boolean>;
}

export interface Provider {
  readonly url: string;
  readonly requests: SeenRequest[];
  close(): Promise<void>;
}

export interface Exchange {
  readonly request: SeenRequest;
  /** How many requests with this body came before. */
  readonly attempt: number;
  readonly response: ServerResponse;
}

export type Answer = (exchange: Exchange) => void;

/** By path; a function where a path names the model. */
export type Answers = Readonly<Record<string, Answer>> | ((path: string) => Answer | undefined);

/** A server on this machine that speaks the wire format of a provider. */
export async function startProvider(answers: Answers): Promise<Provider> {
  const requests: SeenRequest[] = [];
  const attempts = new Map<string, number>();
  const server = createServer((incoming, response) => {
    // Some clients show it, and two runs are to print the same.
    response.sendDate = false;
    void take(incoming, response).catch((error: unknown) => {
      sendError(response, 500, `The provider of the tests broke: ${String(error)}`);
    });
  });
  async function take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '/', 'http://localhost').pathname;
    const text = await readText(incoming);
    const aborted = new Promise<boolean>((resolve) => {
      response.on('close', () => resolve(!response.writableFinished));
    });
    const isJson = incoming.headers['content-type']?.includes('json') === true;
    const request = { path, headers: incoming.headers, body: isJson ? JSON.parse(text) : text.length, aborted };
    requests.push(request);
    const key = path + text;
    const attempt = attempts.get(key) ?? 0;
    attempts.set(key, attempt + 1);
    const answer = typeof answers === 'function' ? answers(path) : answers[path];
    if (answer === undefined) sendError(response, 404, `No such path: ${path}`);
    else answer({ request, attempt, response });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => close(server) };
}

export function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': 'req_1' });
  response.end(JSON.stringify(body));
}

export function sendError(response: ServerResponse, status: number, message: string, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'req_1', ...headers });
  response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', param: null, code: null } }));
}

/** Server-sent events; those with a `type` are named by it, as some providers do. */
export function beginEvents(response: ServerResponse, { isNamed = false } = {}): (event: unknown) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_1' });
  return (event) => {
    const { type } = event as { readonly type?: string };
    const name = isNamed && type !== undefined ? `event: ${type}\n` : '';
    response.write(`${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  };
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
