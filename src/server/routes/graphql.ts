import type { FastifyInstance } from 'fastify';
import { TracingError } from '../../protocol/error.ts';
import { GRAPHQL_PATH } from '../spelling/address.ts';
import type { GraphqlRequest } from '../spelling/graphql.ts';
import { parseBody, receiveJson } from '../http/body/request-body.ts';
import { sendJson } from '../http/respond.ts';
import type { Services } from '../services.ts';
import { isJsonObject } from '../../protocol/values/json-object.ts';

/** Clients ask for a few names only. */
const MAX_BYTES = 64 * 1024;

/**
 * The route of the account server that the vendor's clients ask before they trace, so that its address can be
 * this service too and their key goes nowhere else. It is there in their dialect only.
 */
export function registerGraphqlRoute(app: FastifyInstance, { limits }: Services): void {
  app.post(GRAPHQL_PATH, async (request, reply) => {
    const value = parseBody(await receiveJson(request.raw, MAX_BYTES, limits), limits);
    const { answerGraphql } = await import('../spelling/graphql.ts');
    return await sendJson(request, reply, JSON.stringify(await answerGraphql(readRequest(value), request.caller)));
  });
}

function readRequest(body: unknown): GraphqlRequest {
  if (!isJsonObject(body) || typeof body['query'] !== 'string') {
    throw new TracingError('invalid_request', 'Cannot read the GraphQL request: want an object with query');
  }
  const { query, operationName, variables } = body;
  return {
    query,
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: isJsonObject(variables) ? variables : undefined,
  };
}
