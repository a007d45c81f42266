import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { TracingError } from '../protocol/error.ts';

/** How long a stop waits for requests in flight before it breaks them off, in milliseconds. */
const GRACE_MS = 10_000;

/** Where an app is reached. */
export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Takes no more requests, finishes those in flight, then returns. */
  readonly stop: () => Promise<void>;
}

/** Binds an app to an address; port 0 takes any free one. */
export async function listen(app: FastifyInstance, host: string, port: number): Promise<Listening> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw cannotListen(host, port, error);
  }
  const address = app.server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${address.port}`, host, port: address.port, stop: () => stop(app) };
}

async function stop(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), GRACE_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(timer);
  }
}

function cannotListen(host: string, port: number, cause: unknown): TracingError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const reason = REASONS[code] ?? code;
  return new TracingError('invalid_configuration', `Cannot listen on ${host}:${port}: ${reason}`, { cause });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken',
  EACCES: 'the port may not be used by this user',
  EADDRNOTAVAIL: 'the address is not one of this machine',
  ENOTFOUND: 'the host name is unknown',
};
