import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TracingError } from '../../../protocol/error.ts';
import { isLoopback } from '../../../protocol/loopback.ts';
import type { Services } from '../../services.ts';
import { pagePost } from '../page-route.ts';

/** Opening a file in an editor: a program of this machine starts, so only who sits at it is heard. */
export function registerEditorRoute(app: FastifyInstance, services: Services): void {
  pagePost(app, services, 'pageEditorOpen', async ({ file, line }, { request }) => {
    const { editor } = services;
    if (editor === undefined || !mayOpenFiles(request, services)) {
      throw new TracingError('forbidden', 'Cannot open a file: the service opens none, or not from here');
    }
    await editor.open(file, line ?? 1);
    return {};
  });
}

/** Is there an editor, and does the request come from this machine, with no proxy in between? */
export function mayOpenFiles(request: FastifyRequest, { editor, isLoopbackOnly }: Services): boolean {
  const from = request.socket.remoteAddress ?? '';
  return editor !== undefined && isLoopbackOnly && isLoopback(from.replace(/^::ffff:/, ''));
}
