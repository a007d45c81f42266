import type { Static } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { SERVED, type ServedName } from '../../protocol/endpoints.ts';
import type { JsonText } from '../../storage/contract/json-text.ts';
import type { Dialect } from '../../protocol/spelling/dialect.ts';
import { endpointDialect } from '../spelling/endpoint-spelling.ts';
import type { IngestContext } from '../ingest/calls/call-facts.ts';
import { runOf } from '../ingest/run-notes.ts';
import { isWriteName, type WriteName, WRITES } from '../ingest/write-requests.ts';
import type { ReadContext } from '../query/read/read-calls.ts';
import { type Form, isForm, readFormBody } from '../http/body/form-body.ts';
import { answerText } from '../ingest/large/answer-text.ts';
import { askedOf, hasLargeSubject, isLarge } from '../ingest/large/large-bodies.ts';
import { type BodyReading, bodyReading } from '../http/body/native-body.ts';
import { parseBody, receiveJson } from '../http/body/request-body.ts';
import { loggedStack } from '../http/logged-error.ts';
import { sendJson } from '../http/respond.ts';
import type { TextPieces } from '../http/text-pieces.ts';
import { receivedIn, RECORDING } from '../page/received.ts';
import type { Services } from '../services.ts';

/** Endpoints with a request body. */
export type PostName = {
  [Name in ServedName]: (typeof SERVED)[Name] extends { readonly method: 'POST' } ? Name : never;
}[ServedName];

export type RequestOf<Name extends PostName> = Static<(typeof SERVED)[Name]['request']>;

/** One request on its way through a route: who asks, under which limits, and whether anybody still waits. */
export interface Exchange extends IngestContext, ReadContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Writes an answer, or a line of one, in the dialect of the request; absent where that is native. */
  readonly toDialect?: (text: JsonText) => JsonText;
}

/** Answers with the JSON text of the body, or by itself: then it returns nothing. */
export type Handler<Body> = (body: Body, exchange: Exchange) => Promise<string | TextPieces | undefined>;

export interface PostOptions {
  /** A hidden path that takes the same body, instead of the one of the table. */
  readonly alias?: string;
  /** Takes a body of type `multipart/form-data`, which is refused without it. */
  readonly onForm?: Handler<Form>;
  /** Largest decoded body. */
  readonly maxBytes?: number;
}

/** A path of the table in the words of the framework. */
function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The route that answers at a path, where that is one with variable parts; else the path. */
export function routeAt(url: string): string {
  const served = Object.values(SERVED).find(({ path }) => path.includes('{') && matches(path, url));
  return served ? routeOf(served.path) : url;
}

function matches(path: string, url: string): boolean {
  const parts = url.split('/');
  const names = path.split('/');
  return names.length === parts.length && names.every((name, index) => name.startsWith('{') || name === parts[index]);
}

/** Registers an endpoint: its body is read, parsed and checked before the handler sees it. */
export function post<Name extends PostName>(
  app: FastifyInstance,
  services: Services,
  name: Name,
  handler: Handler<RequestOf<Name>>,
  { alias, onForm, maxBytes = services.limits.request_bytes }: PostOptions = {},
): void {
  const { path } = SERVED[name];
  const { limits, bodies } = services;
  const readings = new Map<Dialect | undefined, BodyReading>();
  const handle = async (
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<string | Uint8Array | TextPieces | undefined> => {
    if (onForm && isForm(request.raw)) {
      return await onForm(await readFormBody(request.raw, maxBytes), exchangeOf(request, reply, services, 0));
    }
    const reading = readings.get(request.dialect) ?? bodyReading(name, limits, request.dialect);
    readings.set(request.dialect, reading);
    const received = await receiveJson(request.raw, maxBytes, limits, reading.lists);
    const { bytes, shape } = received;
    let body: JsonValue;
    if (isLarge(name, bytes, shape) || hasLargeSubject(name)) {
      const task = { shape, limits, asked: askedOf(request) };
      if (isWriteName(name)) {
        const answer = await bodies.answer({ name, ...task }, bytes, signalOf(reply));
        request.received = answer.received;
        return answerText(answer);
      }
      body = await bodies.check({ name, ...task }, bytes, signalOf(reply));
    } else {
      body = reading.check(parseBody(received, limits));
    }
    request.received = receivedIn(name, body);
    const exchange = exchangeOf(request, reply, services, shape.depth);
    // The check has just seen that the body has this shape.
    const native = body as RequestOf<Name>;
    const dialect = request.dialect && endpointDialect(name, request.dialect);
    if (!dialect) return await handler(native, exchange);
    const toDialect = (text: JsonText) => dialect.answer(text, body);
    const text = await handler(native, { ...exchange, toDialect });
    // Who answers in pieces has asked for the dialect.
    return typeof text === 'string' ? toDialect(text) : text;
  };
  app.post(alias ?? routeOf(path), async (request, reply) => {
    const text = await handle(request, reply);
    if (Object.hasOwn(RECORDING, name)) await noteRun(request, services);
    return text === undefined ? reply : await sendJson(request, reply, text);
  });
}

/** The word of a process on itself is stored before its calls are acknowledged, where it can be: it may never come again. */
async function noteRun(request: FastifyRequest, { runNotes, logger, stopping }: Services): Promise<void> {
  if (request.received === undefined) return;
  await runNotes.noteBeside(runOf(request), request.received.projects, {
    stopping,
    onFailed: (error) => logger.warn({ stack: loggedStack(error) }, 'run not noted'),
  });
}

function exchangeOf(request: FastifyRequest, reply: FastifyReply, { limits }: Services, depth: number): Exchange {
  const run = runOf(request)?.id;
  return { request, reply, caller: request.caller, limits, depth, run, signal: signalOf(reply) };
}

/** Registers an endpoint that writes what its body says, here or, where that is large, in another thread. */
export function postWrite(app: FastifyInstance, services: Services, name: WriteName, options?: PostOptions): void {
  post(app, services, name, async (body, exchange) => await WRITES[name](services.storage, body, exchange), options);
}

/** Endpoints without a request body. */
export type GetName = Exclude<ServedName, PostName>;

/** Registers an endpoint without a body. */
export function get(app: FastifyInstance, name: GetName, handler: (request: FastifyRequest) => Promise<object>): void {
  app.get(SERVED[name].path, async (request, reply) => {
    const text = JSON.stringify(await handler(request));
    const { dialect } = request;
    return await sendJson(request, reply, dialect ? endpointDialect(name, dialect).answer(text, null) : text);
  });
}

/** Aborts when the client has gone before it was answered. */
export function signalOf(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The client is gone'));
  });
  return controller.signal;
}
