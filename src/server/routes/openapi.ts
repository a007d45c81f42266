import type { FastifyInstance } from 'fastify';
import type { OpenApiDocument } from '../openapi/document.ts';
import { sendJson, sendText } from '../http/respond.ts';
import type { Services } from '../services.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route needs no key: what it answers is the same for everybody. */
    isOpen?: boolean;
  }
}

/** Descriptions of the service's endpoints: for programs, and for people. */
export function registerOpenApiRoutes(app: FastifyInstance, { basePath }: Services): void {
  const json = once(async () => JSON.stringify(await makeDocument(basePath)));
  const page = once(async () => {
    const { openReferencePage } = await import('../openapi/page.ts');
    return openReferencePage(await makeDocument(basePath));
  });

  app.get('/openapi.json', { config: { isOpen: true } }, async (request, reply) => {
    return await sendJson(request, reply, await json());
  });

  app.get('/docs', { config: { isOpen: true } }, async (request, reply) => {
    const { text, headers } = await page();
    return await sendText(request, reply.headers(headers), 'text/html; charset=utf-8', text);
  });
}

async function makeDocument(basePath: string): Promise<OpenApiDocument> {
  const { openApiDocument } = await import('../openapi/document.ts');
  return openApiDocument(basePath);
}

/** Made when it is first asked for, and kept: few services are ever asked. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
