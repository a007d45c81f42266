import type { FastifyInstance, FastifyRequest } from 'fastify';
import { TracingError } from '../../protocol/error.ts';
import { PAGE } from '../../protocol/page-endpoints.ts';
import { signalOf } from '../routes/route.ts';
import type { Services } from '../services.ts';
import { readViewer, traceHtml } from './trace-html.ts';
import { streamBytes } from './stream-bytes.ts';

/** The rights of a browser that shows the answer in place of saving it: none, and under no name of ours. */
const POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** One trace as one HTML file, for who has no service. */
export function registerTraceHtmlRoute(app: FastifyInstance, services: Services): void {
  app.get(PAGE.pageTraceHtml.path, async (request, reply) => {
    const projectId = queryOf(request, 'project_id');
    const traceId = queryOf(request, 'trace_id');
    const viewer = await readViewer(services.pageFiles);
    const { limits } = services;
    const exchange = { request, reply, caller: request.caller, limits, depth: 0, signal: signalOf(reply) };
    reply.header('content-disposition', `attachment; filename="${fileName(traceId)}"`);
    reply.header('content-security-policy', POLICY).header('x-content-type-options', 'nosniff');
    reply.header('cache-control', 'no-store');
    await streamBytes(services, exchange, PAGE.pageTraceHtml.contentType, (read) =>
      traceHtml(services, { projectId, traceId, viewer }, read),
    );
    return reply;
  });
}

/** Ids may be any text, names of files may not. */
function fileName(traceId: string): string {
  return `trace-${traceId.replaceAll(/[^\w-]+/g, '_').slice(0, 100)}.html`;
}

/** The query string has any shape a client likes; a repeated name makes a list. */
function queryOf({ query }: FastifyRequest, name: string): string {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  if (typeof value === 'string') return value;
  throw new TracingError('invalid_request', `Cannot write the trace as HTML: want one ${name} in the query string`);
}
