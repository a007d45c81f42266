import type { Static } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import { TracingError } from '../../protocol/error.ts';
import { PAGE, type PageName } from '../../protocol/page-endpoints.ts';
import { parseBody, receiveJson } from '../http/body/request-body.ts';
import { compileRequest } from '../http/body/request-schema.ts';
import { sendJson } from '../http/respond.ts';
import { type Exchange, signalOf } from '../routes/route.ts';
import type { Services } from '../services.ts';

/** Endpoints of the page with a request body. */
export type PagePostName = {
  [Name in PageName]: (typeof PAGE)[Name] extends { readonly method: 'POST' } ? Name : never;
}[PageName];

export type PageRequestOf<Name extends PagePostName> = Static<(typeof PAGE)[Name]['request']>;

/** A page asks for little: what is longer comes from no page. */
const MAX_BYTES = 1024 * 1024;

/** A key or a token, of whoever comes. */
const MAX_OPEN_BYTES = 16 * 1024;

/** Nor what takes long to parse: millions of values, which would hold everybody up here. */
const MAX_PARSE_MS = 25;

/** Answers with the body, or by itself: then it returns nothing. */
export type PageHandler<Name extends PagePostName> = (
  body: PageRequestOf<Name>,
  exchange: Exchange,
) => Promise<object | undefined>;

interface PagePostOptions {
  /** Needs neither key nor session. @default false */
  readonly isOpen?: boolean;
}

/** Registers an endpoint of the page: its body is read, parsed and checked before the handler sees it. */
export function pagePost<Name extends PagePostName>(
  app: FastifyInstance,
  { limits }: Services,
  name: Name,
  handler: PageHandler<Name>,
  { isOpen = false }: PagePostOptions = {},
): void {
  const { path, request: schema } = PAGE[name];
  let check: ((body: unknown) => void) | undefined;
  app.post(path, { config: { isOpen } }, async (request, reply) => {
    const received = await receiveJson(request.raw, isOpen ? MAX_OPEN_BYTES : MAX_BYTES, limits);
    if (received.shape.parseMs > MAX_PARSE_MS)
      throw new TracingError('payload_too_large', 'Cannot read the body: more values than a page sends');
    const body: unknown = parseBody(received, limits);
    check ??= compileRequest(schema);
    check(body);
    reply.header('cache-control', 'no-store');
    const { depth } = received.shape;
    const exchange = { request, reply, caller: request.caller, limits, depth, signal: signalOf(reply) };
    // The check has just seen that the body has this shape.
    const answer = await handler(body as PageRequestOf<Name>, exchange);
    return answer === undefined ? reply : await sendJson(request, reply, JSON.stringify(answer));
  });
}
