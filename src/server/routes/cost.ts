import type { FastifyInstance } from 'fastify';
import { purgeCosts, queryCosts } from '../query/read/read-costs.ts';
import type { Services } from '../services.ts';
import { post, postWrite } from './route.ts';

/** Prices of models. */
export function registerCostRoutes(app: FastifyInstance, services: Services): void {
  const { costs } = services.storage;

  postWrite(app, services, 'costCreate');

  post(app, services, 'costQuery', async (body, exchange) =>
    JSON.stringify({ results: await queryCosts(costs, body, exchange) }),
  );

  post(app, services, 'costPurge', async (body, exchange) => {
    await purgeCosts(costs, body, exchange);
    return '{}';
  });
}
