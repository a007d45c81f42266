import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TracingError } from '../../../protocol/error.ts';
import { isLoopback } from '../../../protocol/loopback.ts';
import type { Caller } from '../../keys/authenticate.ts';
import type { Services } from '../../services.ts';
import { pagePost } from '../page-route.ts';

/** Opening a file in an editor: a program of this machine starts, so only who sits at it is heard. */
export function registerEditorRoute(app: FastifyInstance, services: Services): void {
  pagePost(app, services, 'pageEditorOpen', async ({ file, line }, { request, caller }) => {
    const { editor } = services;
    if (editor === undefined || !mayOpenFiles(request, caller, services)) {
      throw new TracingError('forbidden', 'Cannot open a file: the service opens none, or not from here');
    }
    return { file: await editor.open(file, line ?? 1) };
  });
}

/** Headers of proxies and tunnels, also of those of which the service was not told. */
const OF_PROXIES = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/** Is there an editor, and does the request come from this machine, with no proxy in between, for whoever the service is? */
export function mayOpenFiles({ socket, headers }: FastifyRequest, caller: Caller, services: Services): boolean {
  const from = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isHere = services.isLoopbackOnly && isLoopback(from) && OF_PROXIES.every((name) => headers[name] === undefined);
  return services.editor !== undefined && isHere && caller.entities.has('*');
}
