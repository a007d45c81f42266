import { METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Dialect } from '../protocol/spelling/dialect.ts';
import { TracingError } from '../protocol/error.ts';
import { authenticate, type Caller, lookUpKey } from './keys/authenticate.ts';
import { checkLoopbackHost } from './http/check-host.ts';
import { clientAddress, shownAddress } from './http/client-address.ts';
import { addressOf, noSuchPath, takeAddress } from './spelling/address.ts';
import { translateError } from './spelling/translate-error.ts';
import { toErrorResponse, toTracingError } from './http/error-response.ts';
import { credentialsOf } from './keys/key-header.ts';
import { newId } from './http/new-id.ts';
import { requestIdOf } from './http/request-id.ts';
import { logWhenOver, noteError, REFUSED, type RequestNotes } from './http/request-log.ts';
import { sendJson } from './http/respond.ts';
import { registerCallRoutes } from './routes/call.ts';
import { registerCostRoutes } from './routes/cost.ts';
import { registerFeedbackRoutes } from './routes/feedback.ts';
import { registerFileRoutes } from './routes/file.ts';
import { registerGraphqlRoute } from './routes/graphql.ts';
import { registerMetricsRoute } from './routes/metrics.ts';
import { registerObjectRoutes } from './routes/object.ts';
import { registerOpenApiRoutes } from './routes/openapi.ts';
import { registerOtelRoutes } from './routes/otel.ts';
import { registerProjectCallRoutes } from './routes/project-call.ts';
import { registerRefRoutes } from './routes/ref.ts';
import { routeAt } from './routes/route.ts';
import { registerServiceRoutes } from './routes/service.ts';
import { registerThreadRoutes } from './routes/thread.ts';
import { registerTableRoutes } from './routes/table.ts';
import { noteClients } from './page/note-client.ts';
import { registerPageRoutes } from './page/register-page.ts';
import { checkSentByPage, isOfPage } from './page/page-request.ts';
import { sessionSecretOf } from './page/session-cookie.ts';
import { redirectToPage } from './page/static-route.ts';
import type { Services } from './services.ts';
import type { Traffic } from './metrics/traffic.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before anything of the body is read. */
    caller: Caller;
    notes: RequestNotes;
    /** The one the request is written in; undefined: native. */
    dialect: Dialect | undefined;
  }
}

/** A request that takes longer to arrive is given up, in milliseconds. */
const REQUEST_TIMEOUT_MS = 300_000;

/** The longest name of an entity or project has 128 characters of two units each. */
const MAX_PART_LENGTH = 256;

/** How long a client has to read the answer to what is no request, in milliseconds. */
const LINGER_MS = 1000;

/** Wires storage and keys to the endpoints. */
export async function createApp(services: Services): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    rewriteUrl: (request) => takeAddress(request, services.basePath),
    genReqId: (request) => requestIdOf(request.headers, addressOf(request).dialect),
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: toTrust(services.trustProxy),
    // Node would answer in a shape of its own; a request without a name of a host harms nobody.
    http: { requireHostHeader: false },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: MAX_PART_LENGTH },
    // A closing service says so in the shape of all other errors.
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error, request, reply) => void answerBeforeHooks(error, request, reply, services),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, services),
  });
  takeOddRequests(app, services);
  acceptAnyBody(app);
  answerErrors(app);
  beginRequests(app, services);
  // Browsers ask without a key whether they may ask, and must be able to read that a key was refused.
  if (services.corsOrigins.length > 0) await (await import('./http/cors.ts')).allowOrigins(app, services.corsOrigins);
  guardRequests(app, services);
  noteClients(app, services.clients);
  registerCallRoutes(app, services);
  registerObjectRoutes(app, services);
  registerFileRoutes(app, services);
  registerCostRoutes(app, services);
  registerFeedbackRoutes(app, services);
  registerGraphqlRoute(app, services);
  registerOpenApiRoutes(app, services);
  registerMetricsRoute(app, services);
  registerOtelRoutes(app, services);
  registerProjectCallRoutes(app, services);
  registerRefRoutes(app, services);
  registerServiceRoutes(app, services);
  registerTableRoutes(app, services);
  registerThreadRoutes(app, services);
  registerPageRoutes(app, services);
  return app;
}

/** Requests are checked by our own code. Without this the framework loads two compilers of schemas, 130 files, at the start. */
function noCompiler(): never {
  throw new TypeError('Cannot compile the schema of a route: routes have none');
}

/** Requests that Node would answer without a body, or not at all. */
function takeOddRequests(app: FastifyInstance, services: Services): void {
  app.server.on('checkExpectation', (request, response) => void app.server.emit('request', request, response));
  app.server.on('connect', (_request, socket: Socket) => {
    // Nobody else listens to this connection any more, and an error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    answerBrokenRequest(new TracingError('invalid_request', 'Cannot CONNECT: this is no proxy'), socket, services);
  });
}

/** A route that does not exist is one kind, whatever it is called. */
function countWhenOver(traffic: Traffic, request: FastifyRequest, reply: FastifyReply): void {
  const end = traffic.begin();
  reply.raw.once('close', () => {
    const { method, notes, routeOptions } = request;
    const status = reply.raw.headersSent ? String(reply.raw.statusCode) : 'none';
    end({ method, endpoint: routeOptions.url ?? 'unknown', status }, notes.errorCode);
  });
}

/** Routes read bodies themselves, after authentication and with their own limits. */
function acceptAnyBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** The form that the framework wants: a list it may keep. */
function toTrust(proxies: Services['trustProxy']): string[] | boolean {
  return typeof proxies === 'boolean' ? proxies : [...proxies];
}

function beginRequests(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', (request, reply, done) => {
    begin(request, reply, services);
    done();
  });
}

function guardRequests(app: FastifyInstance, services: Services): void {
  const { keys, otlpKeyHeader } = services;
  // Where services share keys, one that was made a moment ago may not be known here yet.
  if (keys.lookUp !== undefined) {
    app.addHook('onRequest', async (request) => {
      if (!isOpen(request, services) && !services.stopping.aborted)
        await lookUpKey(credentialsOf(request, otlpKeyHeader), keys);
    });
  }
  app.addHook('onRequest', (request, reply, done) => {
    try {
      if (services.stopping.aborted) throw new TracingError('unavailable', 'The service is shutting down');
      const page = redirectToPage(request, services.basePath);
      if (page !== undefined) return void reply.redirect(page);
      admit(request, services);
      done();
    } catch (error) {
      done(toTracingError(error));
    }
  });
}

function begin(request: FastifyRequest, reply: FastifyReply, services: Services): void {
  request.notes = {};
  request.dialect = addressOf(request.raw).dialect;
  services.bodyBudget.watch(request.raw, reply.raw);
  reply.header('svc-request-id', request.id);
  logWhenOver(services, request, reply);
  countWhenOver(services.traffic, request, reply);
}

function admit(request: FastifyRequest, services: Services): void {
  try {
    if (services.isLoopbackOnly) checkLoopbackHost(request.headers.host);
    if (!isOpen(request, services)) identify(request, services);
  } catch (error) {
    // Whoever has a valid key is held to the rate of that key only.
    throw request.notes.keyId === undefined ? refused(error, request, services) : error;
  }
  const { refusal } = addressOf(request.raw);
  if (refusal) throw refusal;
}

function refused(error: unknown, request: FastifyRequest, { refusals }: Services): unknown {
  return error instanceof TracingError ? refusals.refuse(clientAddress(request), error) : error;
}

function isOpen({ routeOptions }: FastifyRequest, { openHealth }: Services): boolean {
  return routeOptions.config.isOpen === true || (openHealth && routeOptions.url === '/health');
}

function identify(request: FastifyRequest, { keys, rates, otlpKeyHeader, sessions }: Services): void {
  if (request.headers.authorization === undefined && isOfPage(request)) {
    request.caller = sessions.callerOf(sessionSecretOf(request));
    checkSentByPage(request);
  } else {
    request.caller = authenticate(credentialsOf(request, otlpKeyHeader), keys);
  }
  request.notes.keyId = request.caller.keyId;
  rates?.take(request.caller.keyId);
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(async (error, request, reply) => {
    // The framework refuses bodies and methods of its own before it says that nothing answers there.
    const isOurs = error instanceof TracingError || !request.is404;
    return await answer(isOurs ? error : wrongAddress(app, request), request, reply);
  });
  app.setNotFoundHandler(async (request, reply) => await answer(wrongAddress(app, request), request, reply));
}

async function answer(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  noteError(request, toTracingError(error));
  const { status, headers, body } = translateError(toErrorResponse(error, request.id), request.dialect);
  const shown = status === 401 && isOfPage(request) ? { ...headers, ...NO_PROMPT } : headers;
  return await sendJson(request, reply.code(status).headers(shown), JSON.stringify(body));
}

/** A browser that reads `Basic` asks for a name and a password, over the page that asks for a key. */
const NO_PROMPT = { 'www-authenticate': 'Bearer realm="svc"' };

/** The path exists for other methods, or not at all. */
function wrongAddress(app: FastifyInstance, request: FastifyRequest): TracingError {
  const path = request.url.split('?', 1)[0] ?? '';
  const url = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  const allowed = METHODS.filter((method) => app.hasRoute({ method, url: routeAt(url) }));
  if (allowed.length === 0) return new TracingError('unknown_path', noSuchPath(request.originalUrl));
  return new TracingError('method_not_allowed', `Cannot ${request.method} "${url}": want ${allowed.join(' or ')}`, {
    extra: { allow: allowed.join(', ') },
  });
}

/** The framework found no route to run hooks for, so what they do is done here. */
async function answerBeforeHooks(
  error: Error,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<void> {
  begin(request, reply, services);
  try {
    admit(request, services);
    await answer(error, request, reply);
  } catch (refusal) {
    await answer(refusal, request, reply);
  }
}

/** Bytes that are no HTTP request never become one of the framework: they are answered on the bare connection. */
function answerBrokenRequest(error: Error, socket: Socket, { refusals, traffic, connections }: Services): void {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy();
    return;
  }
  const requestId = newId();
  const address = shownAddress(socket.remoteAddress);
  const refusal = refusals.refuse(address, toTracingError(error));
  const { status, headers, body } = toErrorResponse(refusal, requestId);
  const text = JSON.stringify(body);
  const lines = {
    ...headers,
    'svc-request-id': requestId,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  traffic.begin()({ method: 'other', endpoint: 'unknown', status: String(status) }, body.error_code);
  refusals.log('warn', address, { requestId, address, status, errorCode: body.error_code }, REFUSED);
  if (connections.isAnswering(socket)) {
    socket.destroy();
    return;
  }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}\r\n${head.join('')}\r\n${text}`);
  // Nothing waits for such a connection any more; a client that keeps its side open must not keep us from stopping.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
