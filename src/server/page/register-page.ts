import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { registerChangeRoute } from './change-route.ts';
import { registerClientsRoute } from './clients-route.ts';
import { registerEditorRoute } from './editor/editor-route.ts';
import { registerPageReads } from './read-route.ts';
import { registerRetentionRoute } from './retention-route.ts';
import { registerRunsRoute } from './runs-route.ts';
import { registerSessionRoutes } from './session-route.ts';
import { registerTraceHtmlRoute } from './trace-html-route.ts';
import { registerViewRoutes } from './views-route.ts';
import { registerPageFiles } from './static-route.ts';

/** The page: its files, who may use it, and what it reads. */
export function registerPageRoutes(app: FastifyInstance, services: Services): void {
  registerPageFiles(app, services);
  registerSessionRoutes(app, services);
  registerPageReads(app, services);
  registerChangeRoute(app, services);
  registerTraceHtmlRoute(app, services);
  registerViewRoutes(app, services);
  registerClientsRoute(app, services);
  registerRetentionRoute(app, services);
  registerEditorRoute(app, services);
  registerRunsRoute(app, services);
}
