import type { FastifyInstance } from 'fastify';
import { createTable } from '../ingest/create-table.ts';
import { updateTable } from '../ingest/update-table.ts';
import { listText } from '../query/list-text.ts';
import { queryTable } from '../query/read-table.ts';
import { tableStats, tableStatsBatch } from '../query/table-stats.ts';
import type { Services } from '../services.ts';
import { answerStream } from './answer-stream.ts';
import { post } from './route.ts';

/** Storing and reading tables. */
export function registerTableRoutes(app: FastifyInstance, services: Services): void {
  const { tables } = services.storage;

  post(app, services, 'tableCreate', async (body, exchange) =>
    JSON.stringify(await createTable(tables, body, exchange)),
  );

  post(app, services, 'tableUpdate', async (body, exchange) =>
    JSON.stringify(await updateTable(tables, body, exchange)),
  );

  post(app, services, 'tableQueryStats', async (body, exchange) =>
    JSON.stringify(await tableStats(tables, body, exchange)),
  );

  post(app, services, 'tableQueryStatsBatch', async (body, exchange) =>
    JSON.stringify(await tableStatsBatch(tables, body, exchange)),
  );

  post(
    app,
    services,
    'tableQuery',
    async (body, exchange) => `{"rows":${await listText(queryTable(tables, body, exchange))}}`,
  );

  post(
    app,
    services,
    'tableQuery',
    async (body, exchange) => await answerStream(services, exchange, (read) => queryTable(tables, body, read)),
    { alias: '/table/query_stream' },
  );
}
