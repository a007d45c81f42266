import { STATUS_CODES } from 'node:http';
import { captureOutput } from '../tracing/record/end-call.ts';
import type { Frame } from '../tracing/propagation/frame.ts';
import { frameIncomingRequests, type Incoming } from '../tracing/propagation/incoming-http.ts';
import { OWN_HEADER } from '../tracing/propagation/outgoing-fields.ts';
import { registry } from '../tracing/propagation/registry.ts';
import { beginOwnCall } from '../tracing/wrap/trace.ts';
import { activeTracer, reportProblem } from '../tracing/record/tracer.ts';

const OP = 'http.server.request';

/**
 * Records each request to a server of this process as a call that what its handlers do hangs below. Neither bodies nor
 * headers are looked at.
 */
export function recordIncomingRequests(): void {
  frameIncomingRequests({
    begin(incoming, outer) {
      try {
        return begin(incoming, outer);
      } catch (error) {
        reportProblem('incoming-request', 'Cannot record a request', error);
        return undefined;
      }
    },
    end,
  });
}

function begin({ request, server }: Incoming, outer: Frame | undefined): Frame | undefined {
  if (isDelivery(request) || activeTracer() === undefined) return undefined;
  // Its span is the call, or the parent of what the handlers do.
  if (registry.bridge !== undefined && isInstrumented(server)) return undefined;
  const { method = 'GET', url = '/' } = request;
  const [path = '/'] = url.split('?', 1);
  const attributes = { 'http.request.method': method, 'url.path': path };
  return inFrame(outer, () =>
    beginOwnCall(OP, { method, url }, { kind: 'other', displayName: `${method} ${path}`, attributes }),
  );
}

/** One that goes through a server of this process would be delivered in its turn. */
function isDelivery({ headers }: Incoming['request']): boolean {
  return headers[OWN_HEADER] !== undefined && headers['user-agent']?.startsWith('spoor/') === true;
}

/** Instrumentations of OpenTelemetry mark the methods that they wrap, of which `emit` begins the span of a request. */
function isInstrumented(server: Incoming['server']): boolean {
  const emit: unknown = Reflect.get(server, 'emit');
  return typeof emit === 'function' && Reflect.get(emit, '__wrapped') === true;
}

/** `AsyncLocalStorage.run` with nothing in it is `exit`, which the types do not know. */
function inFrame<Result>(frame: Frame | undefined, fn: () => Result): Result {
  return frame === undefined ? registry.context.exit(fn) : registry.context.run(frame, fn);
}

function end({ call }: Frame, { request, response }: Incoming): void {
  if (call === undefined || call.hasEnded) return;
  try {
    const { statusCode: status, writableFinished: isSent } = response;
    const route = routeOf(request);
    call.setAttributes({
      'http.response.status_code': status,
      ...(route === undefined ? {} : { 'http.route': route }),
    });
    const output = captureOutput(call, {}, isSent ? { status } : { status, aborted: true });
    call.writeEnd(output, status >= 500 ? `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd() : undefined);
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
