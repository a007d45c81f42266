import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { createServer } from '../../src/server/create-server.ts';
import { examplePath } from '../../src/server/openapi/operation.ts';

/** What the service answers, documented or not. */
export interface ServedRoute {
  readonly method: string;
  /** With an example in the place of each part that varies. */
  readonly path: string;
  /** Answers without a key, too. */
  readonly isOpen: boolean;
}

/** Every route that a service has, as its framework is told of it: whatever route comes is one of them. */
export async function servedRoutes(): Promise<readonly ServedRoute[]> {
  const routes: ServedRoute[] = [];
  const onApp = (message: unknown) => {
    // What this channel tells of.
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (options) => void routes.push(...routesOf(options)));
  };
  subscribe('fastify.initialization', onApp);
  try {
    const server = await createServer({ storage: 'memory', port: 0, apiKey: 'k', logLevel: 'error' });
    await server.close();
  } finally {
    unsubscribe('fastify.initialization', onApp);
  }
  return routes;
}

function routesOf({ method, url, config }: RouteOptions): ServedRoute[] {
  const path = examplePath(url.replaceAll(/:(\w+)/g, '{$1}')).replace('*', 'none');
  return [method].flat().map((each) => ({ method: each, path, isOpen: config?.isOpen === true }));
}
