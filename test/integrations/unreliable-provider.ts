import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from './provider.ts';

/** How the requests of a program end. */
export interface Way {
  readonly name: string;
  /** Base address of the provider that lets them end so. */
  readonly url: string;
  /** When the program takes its request back. */
  readonly abort?: 'before' | 'sent' | 'answered';
  /** Does the program leave streams after the first event? */
  readonly isLeft?: boolean;
}

export interface UnreliableProvider {
  readonly ways: readonly Way[];
  close(): Promise<void>;
}

/** What is done with the answer of the provider behind. */
type Fault = (answer: Answer, response: ServerResponse) => void;

interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const STATUSES = [400, 401, 429, 500];

const whole: Fault = (answer, response) => response.writeHead(200, answer.headers).end(answer.body);

const FAULTS: Readonly<Record<string, Fault>> = {
  whole,
  left: whole,
  // Some libraries look at the signal later only.
  unsent: whole,
  ...Object.fromEntries(STATUSES.map((status) => [`status-${status}`, refusal(status)])),
  /** Not the service: a page of something that stands before it. */
  page: (_answer, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  silent: () => {},
  reset: (_answer, response) => response.destroy(),
  malformed: (answer, response) =>
    response.writeHead(200, answer.headers).end(answer.body.toString('latin1').replaceAll('}', ']')),
  odd: (answer, response) => response.writeHead(200, answer.headers).end(odd(answer.body.toString('utf8'))),
  torn: (answer, response) =>
    response.writeHead(200, answer.headers).write(half(answer), () => setImmediate(() => response.destroy())),
  stalled: (answer, response) => response.writeHead(200, answer.headers).write(half(answer)),
  failing(answer, response) {
    response.writeHead(200, answer.headers);
    const error = JSON.stringify({ type: 'error', error: { type: 'server_error', message: 'The model broke' } });
    if (answer.headers['content-type']?.startsWith('text/event-stream') !== true) response.end(error);
    else response.end(`${answer.body.toString('utf8').split('\n\n')[0]}\n\nevent: error\ndata: ${error}\n\n`);
  },
};

/** A provider that answers as the one behind it, and one for each way to fail. */
export async function startUnreliable(behind: Provider): Promise<UnreliableProvider> {
  const server = createServer((request, response) => {
    // Some clients show it, and two runs are to print the same.
    response.sendDate = false;
    void take(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, name = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(request.url ?? '') ?? [];
    const answer = await ask(behind.url + path, request);
    FAULTS[name]?.(answer, response);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const at = (name: string): Way => ({ name, url: `http://127.0.0.1:${port}/${name}` });
  return {
    ways: [
      ...Object.keys(FAULTS)
        .filter((name) => !['left', 'unsent', 'silent', 'stalled'].includes(name))
        .map(at),
      // Nobody listens there: the port is ours, at another address of this machine.
      { name: 'refused', url: `http://127.0.0.2:${port}` },
      { ...at('left'), isLeft: true },
      { ...at('unsent'), abort: 'before' },
      { ...at('silent'), abort: 'sent' },
      { ...at('stalled'), abort: 'answered' },
    ],
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function ask(url: string, request: IncomingMessage): Promise<Answer> {
  const { 'content-type': type = '' } = request.headers;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body: Buffer.concat(chunks) });
  const headers = { 'content-type': answer.headers.get('content-type') ?? '', 'x-request-id': 'req_1' };
  return { headers, body: Buffer.from(await answer.arrayBuffer()) };
}

function refusal(status: number): Fault {
  const error = {
    message: `This is a ${status}`,
    type: 'invalid_request_error',
    param: null,
    code: null,
    status: 'NO',
  };
  const body = JSON.stringify({ type: 'error', error: { ...error, code: status } });
  return (_answer, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

/** Lists become objects and numbers texts: of a service that says it speaks the same. */
function odd(body: string): string {
  return body.replaceAll(/^(data: )?(\{.*\})$/gm, (_line, prefix: string | undefined, json: string) => {
    const value = JSON.parse(json, (_key, member: unknown) => {
      if (Array.isArray(member) && member.length > 0) return { ...(member as unknown[]) };
      if (typeof member === 'number') return `${member}`;
      return member;
    }) as unknown;
    return `${prefix ?? ''}${JSON.stringify(value)}`;
  });
}

function half({ body }: Answer): Buffer {
  return body.subarray(0, Math.floor(body.length / 2));
}
