import type { FastifyInstance } from 'fastify';
import { sendJson } from '../respond.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route needs no key: what it answers is the same for everybody. */
    isOpen?: boolean;
  }
}

/** What the service says about its endpoints. */
export function registerOpenApiRoutes(app: FastifyInstance): void {
  const document = once(async () => {
    const { openApiDocument } = await import('../openapi/document.ts');
    return openApiDocument();
  });
  const text = once(async () => JSON.stringify(await document()));

  app.get('/openapi.json', { config: { isOpen: true } }, async (request, reply) => {
    return await sendJson(request, reply, await text());
  });
}

/** Made when it is first asked for, and kept: few services are ever asked. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
