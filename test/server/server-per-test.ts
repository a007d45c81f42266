import { rmSync } from 'node:fs';
import { afterEach } from 'vitest';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { type RunningServer, startServer } from './running-server.ts';

/** Starts a service. */
type StartServer = (options?: ServerOptions) => Promise<RunningServer>;

/**
 * Starts services for the tests of one file: each is stopped after its test, and the folder of its data goes with it. What
 * reads from one is closed by a hook below this call: the last hook runs first.
 */
export function serverPerTest(): StartServer {
  const running: RunningServer[] = [];
  afterEach(async () => {
    for (const server of running.splice(0)) {
      await server.close();
      if (server.dataDir !== undefined) rmSync(server.dataDir, { recursive: true, force: true });
    }
  });
  return async (options) => {
    const server = await startServer(options);
    running.push(server);
    return server;
  };
}
