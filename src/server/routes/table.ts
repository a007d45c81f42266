import type { FastifyInstance } from 'fastify';
import { listText } from '../query/read/list-text.ts';
import { queryTable } from '../query/read/read-table.ts';
import { tableStats, tableStatsBatch } from '../query/read/table-stats.ts';
import type { Services } from '../services.ts';
import { answerStream } from './answer-stream.ts';
import { post, postWrite } from './route.ts';

/** Storing and reading tables. */
export function registerTableRoutes(app: FastifyInstance, services: Services): void {
  const { tables } = services.storage;

  postWrite(app, services, 'tableCreate');
  postWrite(app, services, 'tableUpdate');

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
