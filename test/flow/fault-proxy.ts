import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';

/** What happens to one request on its way. */
export type Fault =
  /** Answered by the proxy; the service does not see it. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** Goes through after a while. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection breaks when half of the request is there; the service does not see it. */
  | { readonly kind: 'resetRequest' }
  /** The service sees the request and answers it; half of its answer comes through before the connection breaks. */
  | { readonly kind: 'halfAnswer' }
  /** The service sees the request and answers it; nothing of that comes through. */
  | { readonly kind: 'lostAnswer' }
  /** Nothing ever comes back; the service does not see it. */
  | { readonly kind: 'hang' }
  /** The answer comes byte by byte, a pause before each. */
  | { readonly kind: 'slowAnswer'; readonly pauseMs: number };

export interface ProxiedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The unpacked body. */
  readonly body: string;
  /** How many requests came before. */
  readonly index: number;
  /** When it was here as a whole, in milliseconds since 1970. */
  readonly at: number;
}

/** Decides what happens to a request; `undefined` lets it through. */
export type FaultPlan = (request: ProxiedRequest) => Fault | undefined;

/** Stands between a program and a service on this machine, and breaks what goes through. */
export class FaultProxy {
  /** Requests that came, in order. */
  readonly requests: ProxiedRequest[] = [];
  plan: FaultPlan = () => undefined;
  readonly #server: Server;
  readonly #held = new Set<ServerResponse>();
  #target: URL;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, outgoing) => {
      // Both sides break off in the middle here; that is what is tried.
      this.#handle(incoming, outgoing).catch(() => outgoing.destroy());
    });
  }

  static async start(target: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The service has moved. */
  redirectTo(target: string): void {
    this.#target = new URL(target);
  }

  /** Breaks all connections, also those on which nothing is under way. */
  disconnect(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    for (const response of this.#held) response.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const bytes = await bytesOf(incoming);
    const unpacked = incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const seen = {
      path: incoming.url ?? '/',
      headers: incoming.headers,
      body: unpacked.toString(),
      index: this.requests.length,
      at: Date.now(),
    };
    this.requests.push(seen);
    const fault = this.plan(seen);
    switch (fault?.kind) {
      case 'answer':
        outgoing.writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers });
        return void outgoing.end(fault.body ?? '{"reason":"a fault"}');
      case 'hang':
        return void this.#held.add(outgoing);
      case 'resetRequest':
        return reset(outgoing);
      case 'delay':
        await sleep(fault.ms);
        break;
    }
    const answer = await this.#forward(incoming, bytes);
    if (fault?.kind === 'lostAnswer') return reset(outgoing);
    outgoing.writeHead(answer.status, answer.headers);
    if (fault?.kind === 'halfAnswer') {
      outgoing.write(answer.body.subarray(0, answer.body.length / 2), () => reset(outgoing));
    } else if (fault?.kind === 'slowAnswer') {
      for (const byte of answer.body) {
        await sleep(fault.pauseMs);
        outgoing.write(Buffer.of(byte));
      }
      outgoing.end();
    } else {
      outgoing.end(answer.body);
    }
  }

  async #forward({ method, url, headers }: IncomingMessage, body: Buffer) {
    const { hostname, port } = this.#target;
    const forwarded = request({ hostname, port, method, path: url, headers, agent: false });
    forwarded.end(body);
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage];
    const { 'transfer-encoding': _chunked, ...rest } = answer.headers;
    return { status: answer.statusCode ?? 502, headers: rest, body: await bytesOf(answer) };
  }
}

function reset({ socket }: ServerResponse): void {
  socket?.resetAndDestroy();
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
