import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TracingError } from '../../protocol/error.ts';
import { PAGE } from '../../protocol/page-endpoints.ts';
import { authenticate, type Caller, checkProject } from '../keys/authenticate.ts';
import { toTracingError } from '../http/error-response.ts';
import { noteError } from '../http/request-log.ts';
import { StreamSlots } from '../http/stream-slots.ts';
import { readRowsById } from '../query/rows/call-rows.ts';
import { signalOf } from '../routes/route.ts';
import type { Services } from '../services.ts';
import { streamChanges } from './change-stream.ts';
import { sessionSecretOf } from './session-cookie.ts';

/** Streams of changes of one key at a time: so many pages may be open. */
export const MAX_CHANGE_STREAMS = 32;

/** Live changes of the calls of a project. */
export function registerChangeRoute(app: FastifyInstance, services: Services): void {
  const { changes, limits, stopping } = services;
  const sources = { ...services.storage, defaultPrices: services.defaultPrices };
  const slots = new StreamSlots(MAX_CHANGE_STREAMS);

  app.get(PAGE.pageCallsChanges.path, async (request, reply) => {
    const { caller } = request;
    const projectId = projectOf(request);
    checkProject(caller, projectId);
    const slot = new AbortController();
    const release = slots.take(caller.keyId, slot);
    const signal = AbortSignal.any([signalOf(reply), slot.signal, stopping]);
    const context = { caller, limits, signal };
    try {
      await streamChanges(reply, {
        log: changes.log(projectId),
        lastEventId: cursorOf(request),
        readRows: async (ids) => await readRowsById(sources, { project_id: projectId, ids: [...ids] }, context),
        checkCaller: () => void callerOf(request, services),
        signal,
      });
    } catch (error) {
      // The status line is sent: the reader comes back and hears why.
      if (!reply.raw.headersSent) throw error;
      noteError(request, toTracingError(error));
    } finally {
      release();
    }
    return reply;
  });
}

function callerOf(request: FastifyRequest, { sessions, keys }: Services): Caller {
  const { authorization } = request.headers;
  return authorization === undefined ? sessions.callerOf(sessionSecretOf(request)) : authenticate(authorization, keys);
}

/** The query string has any shape a client likes; a repeated name makes a list. */
function projectOf({ query }: FastifyRequest): string {
  const { project_id: projectId } = query as { project_id?: unknown };
  if (typeof projectId === 'string') return projectId;
  throw new TracingError('invalid_request', 'Cannot tell of changes: want one project_id in the query string');
}

/** Browsers send the header when they come back, programs may say it in the address. */
function cursorOf({ headers, query }: FastifyRequest): string | undefined {
  const { cursor } = query as { cursor?: unknown };
  const header = headers['last-event-id'];
  if (typeof header === 'string' && header !== '') return header;
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}
