import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { TracingError } from '../../protocol/error.ts';
import { OWN_SERVER } from '../../protocol/process/own-server.ts';
import type { Connections } from './connections.ts';

/** How long a stop waits for those that were broken off to hear of it, in milliseconds. */
const LINGER_MS = 1000;

/** Where an app is reached. */
export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Refuses what comes from now on, finishes what is in flight, then listens no more. */
  readonly stop: () => Promise<void>;
}

export interface StopOptions {
  readonly connections: Connections;
  /** From now on requests are refused. */
  readonly begin: () => void;
  /** How long requests in flight may take to finish. */
  readonly graceMs: number;
  /** Breaks off those that have not finished, as far as it can tell them why. */
  readonly breakOff: () => void;
}

/** Binds an app to an address; port 0 takes any free one. */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  stopping: StopOptions,
): Promise<Listening> {
  Object.assign(app.server, { [OWN_SERVER]: true });
  stopping.connections.watch(app.server);
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw cannotListen(host, port, error);
  }
  const address = app.server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${address.port}`,
    host,
    port: address.port,
    stop: () => stop(app, stopping),
  };
}

async function stop(app: FastifyInstance, { connections, begin, graceMs, breakOff }: StopOptions): Promise<void> {
  const patience = setTimeout(breakOff, graceMs);
  const end = setTimeout(() => app.server.closeAllConnections(), graceMs + LINGER_MS);
  try {
    begin();
    await connections.closeWhenIdle();
    await app.close();
  } finally {
    clearTimeout(patience);
    clearTimeout(end);
  }
}

function cannotListen(host: string, port: number, cause: unknown): TracingError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  const reason = REASONS[code] ?? code;
  return new TracingError('invalid_configuration', `Cannot listen on ${host}:${port}: ${reason}`, { cause });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is taken; choose another with --port, or 0 for a free one',
  EACCES: 'the port may not be used by this user; choose one from 1024 on with --port',
  EADDRNOTAVAIL: 'the address is not one of this machine; choose another with --host',
  ENOTFOUND: 'the host name is unknown',
};
