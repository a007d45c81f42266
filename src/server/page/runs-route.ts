import type { FastifyInstance } from 'fastify';
import { readRuns } from '../query/rows/read-runs.ts';
import type { Services } from '../services.ts';
import { pagePost } from './page-route.ts';

/** Runs of the processes that have recorded calls. */
export function registerRunsRoute(app: FastifyInstance, services: Services): void {
  const sources = { ...services.storage, defaultPrices: services.defaultPrices };
  pagePost(app, services, 'pageRunsList', async (body, exchange) => await readRuns(sources, body, exchange));
}
