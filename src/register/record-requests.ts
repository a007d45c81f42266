import { captureOutput } from '../tracing/end-call.ts';
import type { Frame } from '../tracing/frame.ts';
import { frameIncomingRequests, type Incoming } from '../tracing/incoming-http.ts';
import { OWN_HEADER } from '../tracing/outgoing-fields.ts';
import type { RecordedCall } from '../tracing/recorded-call.ts';
import { registry } from '../tracing/registry.ts';
import { beginOwnCall } from '../tracing/trace.ts';
import { activeTracer, reportProblem } from '../tracing/tracer.ts';

const OP = 'http.server.request';

/**
 * Records each request to a server of this process as a call that what its handlers do hangs below. Neither bodies nor
 * headers are looked at.
 */
export function recordIncomingRequests(): void {
  frameIncomingRequests((incoming, outer) => {
    try {
      return begin(incoming, outer);
    } catch (error) {
      reportProblem('incoming-request', 'Cannot record a request', error);
      return undefined;
    }
  });
}

function begin({ request, response }: Incoming, outer: Frame | undefined): Frame | undefined {
  // A delivery through a server of this process would be delivered in its turn.
  if (request.headers[OWN_HEADER] !== undefined || activeTracer() === undefined) return undefined;
  const { method = 'GET', url = '/' } = request;
  const [path = '/'] = url.split('?', 1);
  const attributes = { 'http.request.method': method, 'url.path': path };
  const frame = inFrame(outer, () =>
    beginOwnCall(OP, { method, url }, { kind: 'other', displayName: `${method} ${path}`, attributes }),
  );
  const call = frame?.call;
  // Whether the answer was sent or the client left before: this comes once, and last.
  if (call !== undefined) response.once('close', () => end(call, { request, response }));
  return frame;
}

/** `AsyncLocalStorage.run` with nothing in it is `exit`, which the types do not know. */
function inFrame<Result>(frame: Frame | undefined, fn: () => Result): Result {
  return frame === undefined ? registry.context.exit(fn) : registry.context.run(frame, fn);
}

function end(call: RecordedCall, { request, response }: Incoming): void {
  try {
    const { statusCode: status, writableFinished: isSent } = response;
    const route = routeOf(request);
    call.setAttributes({
      'http.response.status_code': status,
      ...(route === undefined ? {} : { 'http.route': route }),
    });
    const output = captureOutput(call, {}, isSent ? { status } : { status, aborted: true });
    call.writeEnd(output, status >= 500 ? `${status} ${response.statusMessage}` : undefined);
  } catch (error) {
    reportProblem('incoming-request', 'Cannot record the end of a request', error);
  }
}

/** Express tells the route that it has found. */
function routeOf(request: object): string | undefined {
  const { route, baseUrl } = request as { readonly route?: { readonly path?: unknown }; readonly baseUrl?: unknown };
  if (typeof route?.path !== 'string') return undefined;
  return (typeof baseUrl === 'string' ? baseUrl : '') + route.path;
}
