import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface BatchItem {
  readonly mode: string;
  readonly req: { readonly start?: { readonly id: string }; readonly end?: { readonly id: string } };
}

/** Answers a request itself; `undefined` leaves it to the service. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => boolean | void;

/** A real HTTP service that speaks the few endpoints delivery uses and keeps what it acknowledged. */
export class RecordingService {
  readonly requests: ReceivedRequest[] = [];
  readonly accepted: BatchItem[] = [];
  readonly files: unknown[] = [];
  readonly objects: unknown[] = [];
  /** Bodies of requests that made a table or added to one. */
  readonly tables: unknown[] = [];
  /** Replaces the answer while it returns true. */
  answer: Answer = () => false;
  /** Requests whose answers are on their way. */
  #open = 0;
  #server: Server | undefined;
  #port = 0;

  static async start(): Promise<RecordingService> {
    const service = new RecordingService();
    await service.listen();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get target() {
    return { url: this.url, apiKey: 'key-1' };
  }

  /** On the same port as before, if there was one. */
  async listen(): Promise<void> {
    const server = createServer((request, response) => void this.#handle(request, response));
    // A connection of another process may have its port for a while.
    await vi.waitFor(() => once(server.listen(this.#port, '127.0.0.1'), 'listening'), { timeout: 20_000 });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }

  /** Ids of acknowledged starts and ends, such as `start c1`. */
  get items(): string[] {
    return this.accepted.map(({ mode, req }) => `${mode} ${req.start?.id ?? req.end?.id}`);
  }

  /** Resolves when all are answered and for 50 ms no other one came. */
  async quiet(): Promise<void> {
    let before: number;
    do {
      before = this.requests.length;
      await setTimeout(50);
    } while (this.#open > 0 || this.requests.length !== before);
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#open += 1;
    response.once('close', () => {
      this.#open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const text = incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    const request = {
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: JSON.parse(text.toString()) as unknown,
    };
    this.requests.push(request);
    if (this.answer(request, response)) return;
    respond(response, 200, this.#accept(request));
  }

  #accept({ path, body }: ReceivedRequest): object {
    if (path === '/call/upsert_batch') {
      const { batch } = body as { batch: BatchItem[] };
      this.accepted.push(...batch);
      return { res: batch.map(({ req }) => ({ id: req.start?.id ?? req.end?.id, trace_id: '' })) };
    }
    if (path === '/file/create') this.files.push(body);
    else if (path.startsWith('/table/')) this.tables.push(body);
    else this.objects.push(body);
    return { digest: 'd' };
  }
}

export function respond(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  return true;
}
