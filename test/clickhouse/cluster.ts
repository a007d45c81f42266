import { once } from 'node:events';
import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** One server that is taken for those of a cluster: it makes tables here, without copies. */
export interface Cluster {
  readonly url: string;
  /** Statements that it was asked for, in their order. */
  readonly asked: string[];
}

/** The words of a cluster, which an engine without Keeper does not take. */
const WORDS = /( ON CLUSTER '[^']*')|(?<=ENGINE = )Replicated/g;

/** Stands before an engine that is no cluster. */
export async function openCluster(target: string): Promise<Cluster> {
  const { hostname, port } = new URL(target);
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    void (async () => {
      const body = Buffer.concat(await request.toArray()).toString();
      asked.push(body || (new URL(request.url ?? '/', target).searchParams.get('query') ?? ''));
      const { 'content-length': _length, ...headers } = request.headers;
      const { method, url: path } = request;
      const forwarded = ask({ hostname, port, method, path, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      forwarded.end(body.replaceAll(WORDS, ''));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  });
  const url = new URL(target);
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, asked };
}
