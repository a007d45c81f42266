import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Balancer {
  readonly url: string;
  /** Requests go to these services in turn from now on. */
  readonly pointAt: (...urls: readonly string[]) => void;
}

/** One address of several services, as simple as a balancer can be: it knows nothing of their health. */
export async function openBalancer(): Promise<Balancer> {
  let targets: readonly string[] = [];
  let count = 0;
  const server = createServer((incoming, answer) => handOn(targets[count++ % targets.length], incoming, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pointAt: (...urls) => {
      targets = urls;
    },
  };
}

function handOn(target: string | undefined, incoming: IncomingMessage, answer: ServerResponse): void {
  const refuse = () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end());
  if (target === undefined) return void refuse();
  const { method, headers, url = '/' } = incoming;
  const asked = request(new URL(url, target), { method, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.on('error', refuse);
    answered.pipe(answer);
  });
  asked.on('error', refuse);
  incoming.pipe(asked);
}
