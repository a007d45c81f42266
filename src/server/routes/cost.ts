import type { FastifyInstance } from 'fastify';
import { createCosts } from '../ingest/create-costs.ts';
import { purgeCosts, queryCosts } from '../query/read-costs.ts';
import { repetitionOf } from '../repetition.ts';
import type { Services } from '../services.ts';
import { post } from './route.ts';

/** Prices of models. */
export function registerCostRoutes(app: FastifyInstance, services: Services): void {
  const { costs } = services.storage;

  post(app, services, 'costCreate', async (body, exchange) =>
    JSON.stringify({ ids: await createCosts(costs, body, exchange, repetitionOf(exchange.request, body)) }),
  );

  post(app, services, 'costQuery', async (body, exchange) =>
    JSON.stringify({ results: await queryCosts(costs, body, exchange) }),
  );

  post(app, services, 'costPurge', async (body, exchange) => {
    await purgeCosts(costs, body, exchange);
    return '{}';
  });
}
