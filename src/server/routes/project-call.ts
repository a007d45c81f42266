import type { FastifyInstance } from 'fastify';
import type { Services } from '../services.ts';
import { postWrite } from './route.ts';

/** Recording calls of a project that the path names. */
export function registerProjectCallRoutes(app: FastifyInstance, services: Services): void {
  postWrite(app, services, 'callsComplete');
  postWrite(app, services, 'projectCallStart');
  postWrite(app, services, 'projectCallEnd');
}
