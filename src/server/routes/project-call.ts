import type { FastifyInstance } from 'fastify';
import { checkProject } from '../authenticate.ts';
import { checkProjectOfPath, completeCalls, writeEnd, writeStart } from '../ingest/write-calls.ts';
import { repeatable } from '../repetition.ts';
import type { Services } from '../services.ts';
import { type Exchange, post } from './route.ts';

/** Recording calls of a project that the path names. */
export function registerProjectCallRoutes(app: FastifyInstance, services: Services): void {
  post(app, services, 'callsComplete', async ({ batch }, exchange) => {
    await completeCalls(services.storage, projectOf(exchange), batch, exchange);
    return '{}';
  });

  post(app, services, 'projectCallStart', async (body, exchange) => {
    checkProjectOfPath(projectOf(exchange), body.start);
    return JSON.stringify(await writeStart(services.storage, body.start, repeatable(exchange, body)));
  });

  post(app, services, 'projectCallEnd', async ({ end }, exchange) => {
    checkProjectOfPath(projectOf(exchange), end);
    await writeEnd(services.storage, end, exchange);
    return '{}';
  });
}

/** The two parts of the path, if the key may use that project; a slash that was encoded makes it none. */
function projectOf({ request, caller }: Exchange): string {
  // The routes have these parameters, which the framework has decoded.
  const { entity, project } = request.params as { readonly entity: string; readonly project: string };
  const projectId = `${entity}/${project}`;
  checkProject(caller, projectId);
  return projectId;
}
