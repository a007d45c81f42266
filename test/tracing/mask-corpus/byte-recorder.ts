import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service that takes everything and keeps every byte of it. */
export class ByteRecorder {
  readonly bodies: Buffer[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<ByteRecorder> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [Buffer.from(`${request.url}\n`)];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        recorder.bodies.push(body);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ digest: 'd', id: 'i', res: itemsOf(String(body)) }));
      });
    });
    const recorder = new ByteRecorder(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return recorder;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** All that came, as one text. */
  text(): string {
    return this.bodies.map(String).join('\n');
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A batch is acknowledged item by item. */
function itemsOf(request: string): unknown[] {
  const [path, ...lines] = request.split('\n');
  if (path !== '/call/upsert_batch') return [];
  const { batch } = JSON.parse(lines.join('\n')) as { batch: readonly unknown[] };
  return batch.map(() => ({}));
}
