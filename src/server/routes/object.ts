import type { FastifyInstance } from 'fastify';
import { createObject } from '../ingest/create-object.ts';
import { deleteObject } from '../ingest/delete-object.ts';
import { queryObjects } from '../query/query-objects.ts';
import { readObject } from '../query/read-object.ts';
import { repetitionOf } from '../repetition.ts';
import type { Services } from '../services.ts';
import { post } from './route.ts';

/** Publishing and reading versions of objects and ops. */
export function registerObjectRoutes(app: FastifyInstance, services: Services): void {
  const { objects } = services.storage;

  post(app, services, 'objCreate', async (body, exchange) => {
    const digest = await createObject(objects, body, exchange);
    return JSON.stringify({ digest, object_id: body.obj.object_id });
  });

  post(app, services, 'objsQuery', async (body, exchange) => `{"objs":${await queryObjects(objects, body, exchange)}}`);

  post(app, services, 'objDelete', async (body, exchange) =>
    JSON.stringify(await deleteObject(objects, body, exchange, repetitionOf(exchange.request, body))),
  );

  post(app, services, 'objRead', async (body, { caller }) => `{"obj":${await readObject(objects, body, caller)}}`);
}
