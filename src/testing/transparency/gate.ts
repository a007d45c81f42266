import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ways of a service until it is released: answers after a second, never, breaks connections, or is not there. */
export type GateMode = 'slow' | 'hanging' | 'refusing' | 'missing';

/** A service that stands in front of another one and gets in the way until it is released. */
export interface Gate {
  readonly url: string;
  /** Settles when the first request has come, where one can. */
  readonly reached: Promise<unknown>;
  /** Requests that were answered so far. */
  answers(): number;
  /** From now on requests are handed on. */
  release(): Promise<void>;
  close(): Promise<void>;
}

const SLOW_MS = 1_000;

export async function openGate(target: string, mode: GateMode): Promise<Gate> {
  let answers = 0;
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let isOpen = false;
  let reach: () => void = () => undefined;
  const reached = mode === 'missing' ? Promise.resolve() : new Promise<void>((resolve) => (reach = resolve));
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    reach();
    if (!isOpen && mode === 'refusing') return void incoming.socket.destroy();
    if (!isOpen && mode === 'slow') await sleep(SLOW_MS);
    if (!isOpen && mode === 'hanging') await opened;
    outgoing.once('finish', () => (answers += 1));
    handOn(target, incoming, outgoing);
  };
  const server = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  const port = await listen(server, 0);
  if (mode === 'missing') await close(server);
  return {
    url: `http://127.0.0.1:${port}`,
    reached,
    answers: () => answers,
    async release() {
      isOpen = true;
      open();
      if (mode === 'missing') await listen(server, port);
    },
    close: async () => await close(server),
  };
}

function handOn(target: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const onward = request(`${target}${incoming.url ?? '/'}`, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  onward.on('error', () => outgoing.destroy());
  incoming.pipe(onward);
}

async function listen(server: Server, port: number): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
