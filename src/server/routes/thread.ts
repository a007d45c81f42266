import type { FastifyInstance } from 'fastify';
import { queryThreads } from '../query/read/read-threads.ts';
import type { Services } from '../services.ts';
import { answerStream } from './answer-stream.ts';
import { post } from './route.ts';

/** Reading threads. */
export function registerThreadRoutes(app: FastifyInstance, services: Services): void {
  const { threads } = services.storage;

  post(
    app,
    services,
    'threadsStreamQuery',
    async (body, exchange) => await answerStream(services, exchange, (read) => queryThreads(threads, body, read)),
  );
}
