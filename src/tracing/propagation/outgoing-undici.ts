import { builtin } from '../../host/builtin.ts';
import { codeFrames } from '../source/call-sites.ts';
import type { OutgoingRequest } from './outgoing-fields.ts';
import { reportProblem } from '../record/tracer.ts';

type Write = (request: () => OutgoingRequest) => void;

/** Requests published by undici 5 to 7; the global `fetch` is undici too. Redirects are requests of their own. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly method: string;
  readonly path: string;
  /** The header `host`, where the user has set it. */
  readonly host?: string | null;
  /** Names and values in turns; lines of text in undici 5. */
  readonly headers: string | readonly (string | readonly string[])[];
  addHeader(name: string, value: string): void;
}

interface Scoped {
  runInAsyncScope<Result>(fn: () => Result): Result;
}

const CREATE = 'undici:request:create';

/** Lets `write` see every request of `fetch` and undici where it is made. Returns a function that ends it. */
export function watchUndiciRequests(write: Write): () => void {
  const { subscribe, unsubscribe } = builtin('node:diagnostics_channel');
  const onCreate = (message: unknown) => {
    const { request } = message as { request: UndiciRequest };
    // Only a proxy sees this request, and what it goes on to is published again.
    if (request.method !== 'CONNECT') write(() => describe(request));
  };
  subscribe(CREATE, onCreate);
  return () => void unsubscribe(CREATE, onCreate);
}

/** Tells how each request of `fetch` and undici names the program that makes it. */
export function watchUserAgents(tell: (userAgent: string) => void): void {
  const { subscribe } = builtin('node:diagnostics_channel');
  subscribe(CREATE, (message) => {
    try {
      const userAgent = headerOf((message as { request: UndiciRequest }).request.headers, 'user-agent');
      if (userAgent !== undefined) tell(userAgent);
    } catch (error) {
      reportProblem('user_agent', 'Cannot look at a request', error);
    }
  });
}

function describe(request: UndiciRequest): OutgoingRequest {
  const origin = new URL(request.origin);
  const proxied = URL.canParse(request.path) ? [new URL(request.path).host] : [];
  return {
    protocol: origin.protocol,
    authorities: [origin.host, ...(request.host ? [request.host] : []), ...proxied],
    header: (name) => headerOf(request.headers, name),
    add: (name, value) => request.addHeader(name, value),
    inOrigin: (fn) => runInOrigin(request, fn),
  };
}

function headerOf(headers: UndiciRequest['headers'], name: string): string | undefined {
  if (typeof headers === 'string') {
    const line = headers.split('\r\n').find((text) => text.toLowerCase().startsWith(`${name}:`));
    return line?.slice(name.length + 1).trim();
  }
  const index = headers.findIndex((text, at) => at % 2 === 0 && String(text).toLowerCase() === name);
  return index < 0 ? undefined : String(headers[index + 1]);
}

/**
 * A pool whose connections are all busy creates a request later, where another one has ended. Requests of undici's own
 * functions remember where they were made. Those of `fetch` do not, and get no context rather than a wrong one.
 */
function runInOrigin<Result>(request: UndiciRequest, fn: () => Result): Result | undefined {
  const scope = scopeOf(request);
  if (scope !== undefined) return scope.runInAsyncScope(fn);
  if (!wasQueued()) return fn();
  reportProblem(
    'propagate_queued',
    'Cannot tell which call made a request',
    'it waited for a connection of a full pool',
  );
  return undefined;
}

function scopeOf(request: UndiciRequest): Scoped | undefined {
  const key = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'handler');
  const handler: unknown = key && Reflect.get(request, key);
  return typeof (handler as Partial<Scoped> | undefined)?.runInAsyncScope === 'function'
    ? (handler as Scoped)
    : undefined;
}

const FRAMES = 10;

/** Only the stack knows: a request that waited is made by the function that empties the queue. */
function wasQueued(): boolean {
  return codeFrames(wasQueued, FRAMES).some(({ functionName }) => /onDrain/i.test(functionName));
}
