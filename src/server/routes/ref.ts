import type { FastifyInstance } from 'fastify';
import { readRefs } from '../query/refs/read-refs.ts';
import type { Services } from '../services.ts';
import { post } from './route.ts';

/** Reading what references name. */
export function registerRefRoutes(app: FastifyInstance, services: Services): void {
  post(
    app,
    services,
    'refsReadBatch',
    async (body, exchange) => `{"vals":${await readRefs(services.storage, body, exchange)}}`,
  );
}
