import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE } from '../../protocol/page-endpoints.ts';
import type { Session } from '../../protocol/page/session.ts';
import { TracingError } from '../../protocol/error.ts';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import { formatDateTime } from '../../protocol/values/date-time.ts';
import { type Caller, keyRecordOf } from '../keys/authenticate.ts';
import { sendJson } from '../http/respond.ts';
import type { Services } from '../services.ts';
import { mayOpenFiles } from './editor/editor-route.ts';
import { pagePost } from './page-route.ts';
import { checkSentByPage } from './page-request.ts';
import { endedCookie, sessionCookie, sessionSecretOf } from './session-cookie.ts';

/** Logging in, asking who one is, and logging out. */
export function registerSessionRoutes(app: FastifyInstance, services: Services): void {
  const { sessions, basePath, keys } = services;
  const startedAt = formatDateTime(Date.now() * 1000);
  const describe = (caller: Caller, request: FastifyRequest): Session => ({
    user_id: caller.userId,
    entities: caller.entities.has('*') ? null : [...caller.entities],
    version: PACKAGE_VERSION,
    url: `${request.protocol}://${request.host}${basePath}`,
    started_at: startedAt,
    opens_files: mayOpenFiles(request, caller, services),
  });

  pagePost(
    app,
    services,
    'pageSessionStart',
    async ({ token, api_key: key }, { request, reply }) => {
      checkSentByPage(request);
      // Where services share keys, one that was made a moment ago may not be known here yet.
      if (key !== undefined && key !== null) await services.keys.lookUp?.(key);
      const { secret, caller } = openSession(services, token ?? undefined, key ?? undefined);
      const earlier = sessionSecretOf(request);
      if (earlier !== undefined) sessions.end(earlier);
      reply.header('set-cookie', sessionCookie(request, secret, basePath));
      return describe(caller, request);
    },
    { isOpen: true },
  );

  app.get(PAGE.pageSession.path, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return await sendJson(request, reply, JSON.stringify(describe(request.caller, request)));
  });

  // Whoever has no session any more can still be rid of the cookie.
  pagePost(
    app,
    services,
    'pageSessionEnd',
    async (_body, { request, reply }) => {
      checkSentByPage(request);
      const secret = sessionSecretOf(request);
      if (secret !== undefined) sessions.end(secret);
      clearCookie(request, reply, basePath);
      return {};
    },
    { isOpen: true },
  );

  // By key only: a session must not outlive itself.
  pagePost(app, services, 'pageSessionToken', async (_body, { request }) => {
    const { token, expiresAt } = sessions.createToken(keyRecordOf(request.headers.authorization, keys));
    return { token, expires_at: formatDateTime(expiresAt * 1000) };
  });
}

function openSession({ sessions }: Services, token: string | undefined, key: string | undefined) {
  if (token !== undefined && key === undefined) return sessions.openByToken(token);
  if (key !== undefined && token === undefined) return sessions.openByKey(key);
  throw new TracingError('invalid_request', 'Cannot log in: want either token or api_key');
}

function clearCookie(request: FastifyRequest, reply: FastifyReply, basePath: string): void {
  reply.header('set-cookie', endedCookie(request, basePath));
}
