import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { TracingError } from '../../protocol/error.ts';
import { accepts, acceptedTypes, sendText, varyByEncoding } from '../http/respond.ts';
import type { Services } from '../services.ts';
import type { PageFile } from './page-files.ts';
import { PAGE_HEADERS } from './page-headers.ts';

const YEAR_SECONDS = 31_536_000;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Spoor</title></head>
<body><p>The page of this service was not built: run "npm run build", or install the package from the registry.</p></body>
</html>
`;

/** The files of the page. They are the same for everybody, and need no key. */
export function registerPageFiles(app: FastifyInstance, { pageFiles, basePath }: Services): void {
  const config = { isOpen: true };
  app.get('/ui', { config }, async (request, reply) => await sendIndex(request, reply));

  app.get('/ui/*', { config }, async (request, reply) => {
    // The framework gives what stands for the star.
    const { '*': path = '' } = request.params as { readonly '*'?: string };
    const file = path === 'index.html' ? undefined : pageFiles.get(path);
    if (file) return await sendFile(request, reply, file);
    // A page of an older build must not take a page for one of its scripts.
    if (path.startsWith('assets/'))
      throw new TracingError('not_found', `No such file of the page: "${path.slice(0, 200)}"`);
    return await sendIndex(request, reply);
  });

  async function sendIndex(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const text = pageFiles.index();
    reply.headers(PAGE_HEADERS).header('cache-control', 'no-cache');
    if (text === undefined) return await sendText(request, reply.code(503), 'text/html; charset=utf-8', NOT_BUILT);
    return await sendText(request, reply, 'text/html; charset=utf-8', placedAt(text, basePath));
  }
}

/** Sends a browser that asks for the service itself to the page; all others learn what they always have. */
export function redirectToPage(request: FastifyRequest, basePath: string): string | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  const isRoot = (request.url.split('?', 1)[0] ?? '') === '/';
  return isRoot && acceptedTypes(request).includes('text/html') ? `${basePath}/ui/` : undefined;
}

/** The page was built for `/ui/`, and its files are below the base path too. */
function placedAt(text: string, basePath: string): string {
  return text.replaceAll(/\b(src|href)="(?:\.\/|\/ui\/)/g, `$1="${basePath}/ui/`);
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: PageFile): Promise<FastifyReply> {
  const encoding = file.encodings.find((candidate) => accepts(request, candidate));
  if (file.encodings.length > 0) varyByEncoding(reply);
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  reply.headers(PAGE_HEADERS).type(file.type);
  reply.header('cache-control', file.isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
  return reply.send(await file.read(encoding));
}
