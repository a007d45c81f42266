import type { FastifyInstance } from 'fastify';
import { toEndFact, toStartFact } from '../ingest/call-facts.ts';
import { checkProjectOfPath, completeCalls, writeCall } from '../ingest/write-calls.ts';
import { repeatable } from '../repetition.ts';
import type { Services } from '../services.ts';
import { type Exchange, post } from './route.ts';

/** Recording calls of a project that the path names. */
export function registerProjectCallRoutes(app: FastifyInstance, services: Services): void {
  const { calls } = services.storage;

  post(app, services, 'callsComplete', async ({ batch }, exchange) => {
    checkProjectOfPath(projectOf(exchange), batch, exchange);
    await completeCalls(calls, batch, exchange);
    return '{}';
  });

  post(app, services, 'projectCallStart', async (body, exchange) => {
    checkProjectOfPath(projectOf(exchange), [body.start], exchange);
    return JSON.stringify(await writeCall(calls, toStartFact(body.start, repeatable(exchange, body))));
  });

  post(app, services, 'projectCallEnd', async ({ end }, exchange) => {
    checkProjectOfPath(projectOf(exchange), [end], exchange);
    await writeCall(calls, toEndFact(end, exchange));
    return '{}';
  });
}

/** The two parts of the path; a slash that was encoded in one of them makes it no project. */
function projectOf({ request }: Exchange): string {
  // The routes have these parameters, which the framework has decoded.
  const { entity, project } = request.params as { readonly entity: string; readonly project: string };
  return `${entity}/${project}`;
}
