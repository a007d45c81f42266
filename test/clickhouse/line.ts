import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Line {
  readonly url: string;
  /** Nobody answers any more. */
  readonly cut: () => Promise<void>;
  /** Goes on as before. */
  readonly mend: () => Promise<void>;
  /** After so many answers one more is lost, and the line with it. */
  readonly loseAfter: (answers: number) => void;
  /** Nothing comes back any more, after so many answers. @default 0 */
  readonly stall: (answers?: number) => void;
  /** All that comes back is so many milliseconds late. */
  readonly slowDown: (ms: number) => void;
}

/** A line to a server that can break. */
export async function openLine(target: string): Promise<Line> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let stallsAfter = Infinity;
  let lateMs = 0;
  let answers = Infinity;
  const accept = (client: Socket) => {
    const server = connect(Number(port), hostname);
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    client.on('close', () => server.destroy());
    client.on('data', (data) => server.write(data));
    // Where nothing comes back, nobody hears that the server has hung up.
    server.on('close', () => stallsAfter >= 0 && client.destroy());
    server.on('data', (data: Buffer) => {
      const isAnswer = data.subarray(0, 5).toString() === 'HTTP/';
      if (isAnswer) answers -= 1;
      if (isAnswer) stallsAfter -= 1;
      if (answers < 0) client.destroy();
      else if (lateMs > 0) setTimeout(() => client.destroyed || client.write(data), lateMs);
      else if (stallsAfter >= 0) client.write(data);
    });
  };
  let listening: Server = await listen(accept, 0);
  const { port: own } = listening.address() as AddressInfo;
  const cut = async () => {
    const closed = once(listening, 'close');
    listening.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  onTestFinished(cut);
  const url = new URL(target);
  url.port = String(own);
  return {
    url: url.href,
    cut,
    mend: async () => {
      stallsAfter = Infinity;
      lateMs = 0;
      answers = Infinity;
      if (listening.listening) return;
      listening = await listen(accept, own);
    },
    loseAfter: (count) => {
      answers = count;
    },
    stall: (count = 0) => {
      // At once, also in the middle of an answer.
      stallsAfter = count === 0 ? -1 : count;
    },
    slowDown: (ms) => {
      lateMs = ms;
    },
  };
}

async function listen(accept: (client: Socket) => void, port: number): Promise<Server> {
  const server = createServer(accept);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
