import type { FastifyInstance } from 'fastify';
import { deleteCalls, updateCall } from '../ingest/calls/write-calls.ts';
import { listText } from '../query/read/list-text.ts';
import { parseCallQuery, parseCallsQuery, parseCountQuery } from '../query/plan/calls-query.ts';
import { countCalls, queryCalls } from '../query/refs/query-calls.ts';
import { readCall } from '../query/read/read-calls.ts';
import type { Services } from '../services.ts';
import { answerStream } from './answer-stream.ts';
import { type Exchange, post, postWrite, type RequestOf } from './route.ts';

/** Recording, changing and reading calls. */
export function registerCallRoutes(app: FastifyInstance, services: Services): void {
  const { calls } = services.storage;
  const sources = sourcesOf(services);

  postWrite(app, services, 'callStart');
  postWrite(app, services, 'callEnd');
  postWrite(app, services, 'callUpsertBatch');

  post(app, services, 'callUpdate', async (body, exchange) => {
    await updateCall(calls, body, exchange);
    return '{}';
  });

  post(app, services, 'callsDelete', async (body, exchange) =>
    JSON.stringify({ num_deleted: await deleteCalls(calls, body, exchange) }),
  );

  post(
    app,
    services,
    'callRead',
    async (body, exchange) =>
      `{"call":${(await readCall(sources, parseCallQuery(body, exchange), exchange)) ?? 'null'}}`,
  );

  post(app, services, 'callsQueryStats', async (body, exchange) =>
    JSON.stringify(await countCalls(services.storage, parseCountQuery(body, exchange), exchange)),
  );

  post(app, services, 'callsStreamQuery', async (body, exchange) => {
    const query = parseCallsQuery(body, exchange);
    return await answerStream(services, exchange, (read) => queryCalls(sources, query, read));
  });

  post(app, services, 'callsStreamQuery', async (body, exchange) => await listCalls(services, body, exchange), {
    alias: '/calls/query',
  });
}

/** Values shown with calls come from the storage, but for the prices of the operator. */
function sourcesOf({ storage, defaultPrices }: Services) {
  return { ...storage, defaultPrices };
}

/** The same calls in one body. */
async function listCalls(services: Services, body: RequestOf<'callsStreamQuery'>, exchange: Exchange): Promise<string> {
  return `{"calls":${await listText(queryCalls(sourcesOf(services), parseCallsQuery(body, exchange), exchange))}}`;
}
