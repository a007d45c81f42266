import type { FastifyInstance } from 'fastify';
import { deleteObject } from '../ingest/objects/delete-object.ts';
import { queryObjects } from '../query/read/query-objects.ts';
import { readObject } from '../query/read/read-object.ts';
import { repetitionOf } from '../http/repetition.ts';
import type { Services } from '../services.ts';
import { post, postWrite } from './route.ts';

/** Publishing and reading versions of objects and ops. */
export function registerObjectRoutes(app: FastifyInstance, services: Services): void {
  const { objects } = services.storage;

  postWrite(app, services, 'objCreate');

  post(app, services, 'objsQuery', async (body, exchange) => `{"objs":${await queryObjects(objects, body, exchange)}}`);

  post(app, services, 'objDelete', async (body, exchange) =>
    JSON.stringify(await deleteObject(objects, body, exchange, repetitionOf(exchange.request, body))),
  );

  post(app, services, 'objRead', async (body, { caller }) => `{"obj":${await readObject(objects, body, caller)}}`);
}
