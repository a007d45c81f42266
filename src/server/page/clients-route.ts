import type { FastifyInstance } from 'fastify';
import { checkProject, mayUse } from '../keys/authenticate.ts';
import type { Services } from '../services.ts';
import { pagePost } from './page-route.ts';

/** The programs that send calls. */
export function registerClientsRoute(app: FastifyInstance, services: Services): void {
  pagePost(app, services, 'pageClients', async ({ project_id: projectId }, { caller }) => {
    if (typeof projectId === 'string') checkProject(caller, projectId);
    const maySee = (project: string) =>
      typeof projectId === 'string' ? project === projectId : mayUse(caller, project.slice(0, project.indexOf('/')));
    const maySeeKey = (keyId: string | undefined) => keyId === caller.keyId || caller.entities.has('*');
    return { clients: services.clients.list(maySee, maySeeKey) };
  });
}
