import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type RequestListener } from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { Agent, fetch as undiciFetch, interceptors, request as undiciRequest, type Dispatcher } from 'undici';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { inject } from '../../src/tracing/propagation/carrier.ts';
import { spanIdOf } from '../../src/protocol/values/id.ts';
import { withContext, withThread } from '../../src/tracing/propagation/context.ts';
import { type PropagationOptions, startPropagation } from '../../src/tracing/propagation/propagation.ts';
import { trace } from '../../src/tracing/wrap/trace.ts';
import { traced } from '../../src/tracing/wrap/traced.ts';
import { type Recording, startRecording, treeOf } from './recording.ts';

let recording: Recording;
beforeEach(() => {
  recording = startRecording();
});
afterEach(() => recording.stop());

const start = (name: string) => recording.call(name).start;

/** Carries the context until the test is over. */
function propagate({ hosts = [], attributes = false, isContinuing = false }: Partial<Options> = {}): void {
  onTestFinished(startPropagation({ outgoing: { hosts, attributes }, isContinuing }));
}

interface Options extends Pick<PropagationOptions, 'isContinuing'> {
  hosts: string[];
  attributes: boolean | string[];
}

async function listen(handler: RequestListener): Promise<string> {
  const server = http.createServer(handler).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A service that answers the headers that it was asked with. */
const echo = async () => await listen((request, response) => response.end(JSON.stringify(request.headers)));

type Ask = (url: string, headers?: Record<string, string>) => Promise<IncomingHttpHeaders>;

async function bodyOf(response: AsyncIterable<unknown>): Promise<IncomingHttpHeaders> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return JSON.parse(text) as IncomingHttpHeaders;
}

const viaRequest = async (make: (done: (response: http.IncomingMessage) => void) => http.ClientRequest) =>
  await new Promise<IncomingHttpHeaders>((resolve, reject) => {
    make((response) => void bodyOf(response).then(resolve, reject)).on('error', reject);
  });

const CLIENTS: Record<string, Ask> = {
  fetch: async (url, headers = {}) => (await (await fetch(url, { headers })).json()) as IncomingHttpHeaders,
  'fetch of undici': async (url, headers = {}) =>
    (await (await undiciFetch(url, { headers })).json()) as IncomingHttpHeaders,
  'request of undici': async (url, headers = {}) => await bodyOf((await undiciRequest(url, { headers })).body),
  'http.get': async (url, headers = {}) => await viaRequest((done) => http.get(url, { headers }, done)),
  'http.request of CommonJS': async (url, headers = {}) => {
    const { request } = createRequire(import.meta.url)('node:http') as typeof http;
    return await viaRequest((done) => {
      const made = request(url, { method: 'POST', headers }, done);
      made.end('body');
      return made;
    });
  },
  'http.request of ESM': async (url, headers = {}) => {
    const { request } = await import('node:http');
    return await viaRequest((done) => request(url, { headers }, done).end());
  },
};

describe.each(Object.entries(CLIENTS))('a request with %s', (_name, ask) => {
  test('names the call that makes it, its thread and its turn', async () => {
    propagate();
    const url = await echo();
    const headers = await withThread('chat 1', () => trace('send', async () => await ask(url, { accept: 'a/b' })));
    const { id, trace_id } = start('send');
    expect(headers).toMatchObject({
      accept: 'a/b',
      traceparent: `00-${trace_id}-${spanIdOf(id ?? '')}-01`,
      tracestate: `spoor=${id}`,
      baggage: `spoor-thread=chat%201,spoor-turn=${id}`,
    });
  });

  test('says nothing outside of calls, before it is switched on, and after', async () => {
    const url = await echo();
    const stop = startPropagation({ outgoing: { hosts: [], attributes: false }, isContinuing: false });
    const outside = await ask(url);
    stop();
    const after = await trace('after', async () => await ask(url));
    for (const headers of [outside, after]) {
      expect(headers).not.toHaveProperty('traceparent');
      expect(headers).not.toHaveProperty('tracestate');
      expect(headers).not.toHaveProperty('baggage');
    }
  });

  test('keeps the headers that the program sets', async () => {
    propagate();
    const url = await echo();
    const mine = await withThread('t', () =>
      trace('one', async () => await ask(url, { TraceParent: 'mine', baggage: 'a=1' })),
    );
    expect(mine).toMatchObject({ traceparent: 'mine', baggage: 'a=1' });
    expect(mine).not.toHaveProperty('tracestate');
    const more = await withThread('t', () => trace('two', async () => await ask(url, { baggage: 'a=1;p' })));
    expect(String(more['baggage']).replaceAll(' ', '')).toBe(`a=1;p,spoor-thread=t,spoor-turn=${start('two').id}`);
    const byHand = await withThread('t', () => trace('three', async () => await ask(url, inject({ a: 'b' }))));
    expect(byHand['baggage']).toBe(`spoor-thread=t,spoor-turn=${start('three').id}`);
  });

  test('tells attributes only when asked to, and that the root was not sampled', async () => {
    const url = await echo();
    const attributes = { tenant: 'x', other: 'y' };
    propagate({ attributes: ['tenant'] });
    const headers = await withContext({ attributes }, () => trace('send', async () => await ask(url)));
    expect(headers['baggage']).toBe(`spoor-attributes=${encodeURIComponent('{"tenant":"x"}')}`);
    const silent = await withContext({ sample: 0 }, () => trace('silent', async () => await ask(url)));
    expect(silent).toMatchObject({ traceparent: expect.stringMatching(/-00$/) as string, tracestate: 'spoor=none' });
  });

  test('of ours is left alone', async () => {
    propagate();
    const url = await echo();
    const headers = await trace('send', async () => await ask(url, { 'svc-retry-id': '1' }));
    expect(headers).not.toHaveProperty('traceparent');
  });

  test('of one of many calls at once names that call', async () => {
    propagate();
    const url = await echo();
    const send = traced(async (n: number) => ({ n, headers: await ask(url) }), { name: 'send' });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)));
    for (const { n, headers } of answers) {
      expect(headers['tracestate']).toBe(`spoor=${recording.calls()[n]?.start.id}`);
    }
  });
});

test('connections that are kept belong to no call', async () => {
  propagate();
  const url = await echo();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const send = traced(async () => await viaRequest((done) => http.request(url, { agent }, done).end()), {
    name: 'send',
  });
  const headers = await Promise.all([send(), send(), send()]);
  expect(headers.map(({ tracestate }) => tracestate)).toEqual(
    recording.calls().map(({ start: { id } }) => `spoor=${id}`),
  );
});

test('a request that waits for a connection of a full pool names its own call, or none', async () => {
  propagate();
  const url = await echo();
  const open = () => {
    const pool = new Agent({ connections: 2, pipelining: 1 });
    onTestFinished(async () => await pool.close());
    return pool;
  };
  let dispatcher = open();
  const requested = traced(async () => await bodyOf((await undiciRequest(url, { dispatcher })).body));
  const answers = await Promise.all(Array.from({ length: 6 }, async () => await requested()));
  expect(answers.map(({ tracestate }) => tracestate)).toEqual(
    recording.calls().map(({ start: { id } }) => `spoor=${id}`),
  );
  recording = startRecording();
  dispatcher = open();
  const fetched = traced(async () => (await (await undiciFetch(url, { dispatcher })).json()) as IncomingHttpHeaders);
  const states = (await Promise.all(Array.from({ length: 6 }, async () => await fetched()))).map(
    ({ tracestate }) => tracestate,
  );
  const own = recording.calls().map(({ start: { id } }) => `spoor=${id}`);
  expect(states.every((state, n) => state === undefined || state === own[n])).toBe(true);
  expect(states.slice(0, 2)).toEqual(own.slice(0, 2));
  expect(recording.problems.map(({ kind }) => kind)).toEqual(['propagate_queued']);
});

describe('what leaves this machine', () => {
  /** Two names for this machine, of which only one may be told anything. */
  const outside = async () => (await echo()).replace('127.0.0.1', 'outside.test');
  const lookup = ((_name: string, options: { all?: boolean }, done: (...args: unknown[]) => void) => {
    if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }]);
    else done(null, '127.0.0.1', 4);
  }) as never;
  const dispatcher: Dispatcher = new Agent({ connect: { lookup } });
  const viaHttp: Ask = async (url, headers = {}) =>
    await viaRequest((done) => http.request(url, { lookup, headers }, done).end());
  const viaUndici: Ask = async (url, headers = {}) =>
    await bodyOf((await undiciRequest(url, { dispatcher, headers })).body);

  test.each([
    ['node:http', viaHttp],
    ['undici', viaUndici],
  ])('goes to hosts of the list and to no others, with %s', async (_client, ask) => {
    const url = await outside();
    const { port } = new URL(url);
    const isTold = async (...hosts: string[]) => {
      const stop = startPropagation({ outgoing: { hosts, attributes: false }, isContinuing: false });
      const headers = await trace('send', async () => await ask(url)).finally(stop);
      return headers['traceparent'] !== undefined;
    };
    expect(await isTold()).toBe(false);
    expect(await isTold('side.test', '*.outside.test', 'test', 'outside.test.evil.test', '*.te')).toBe(false);
    expect(await isTold('outside.test:1')).toBe(false);
    expect(await isTold('Outside.Test')).toBe(true);
    expect(await isTold('*.test')).toBe(true);
    expect(await isTold(`outside.test:${port}`)).toBe(true);
  });

  test.each([
    ['node:http', viaHttp],
    ['undici', viaUndici],
  ])('is decided by the host that a proxy of this machine is asked for, with %s', async (_client, ask) => {
    propagate();
    const proxy = await echo();
    const other = await trace('other', async () => await ask(proxy, { host: 'outside.test' }));
    expect(other).not.toHaveProperty('traceparent');
    const same = await trace('same', async () => await ask(proxy, { host: 'app.localhost' }));
    expect(same).toHaveProperty('traceparent');
    const { hostname, port } = new URL(proxy);
    const absolute = await trace('absolute', () =>
      viaRequest((done) => http.request({ hostname, port, path: 'http://outside.test/' }, done).end()),
    );
    expect(absolute).not.toHaveProperty('traceparent');
  });

  test.each([
    ['fetch', async (url: string) => await undiciFetch(url, { dispatcher })],
    [
      'an interceptor',
      async (url: string) => {
        const { body } = await undiciRequest(url, {
          dispatcher: dispatcher.compose(interceptors.redirect({ maxRedirections: 2 })),
        });
        return body;
      },
    ],
  ])('is decided anew at each hop of a redirect, with %s', async (_client, ask) => {
    propagate();
    const away = await outside();
    const seen: (string | undefined)[] = [];
    const near = await listen((request, response) => {
      seen.push(request.headers['traceparent'] as string | undefined);
      if (request.url === '/') response.writeHead(302, { location: '/again' }).end();
      else response.writeHead(302, { location: away }).end();
    });
    const answer = await trace('send', async () => (await ask(near)).json() as Promise<IncomingHttpHeaders>);
    expect(seen).toEqual([expect.stringContaining(start('send').trace_id ?? '-'), seen[0]]);
    expect(answer).not.toHaveProperty('traceparent');
    expect(answer).not.toHaveProperty('tracestate');
  });
});

test.each(['request', 'get'] as const)('https.%s names the call to allowed hosts, too', async (name) => {
  propagate({ hosts: ['api.test'] });
  const headersOf = (host: string) =>
    trace(host, () => {
      const made = https[name]({ host, port: 1, lookup: (_host, _options, done) => done(new Error('no'), '') });
      made.on('error', () => undefined);
      made.destroy();
      return made.getHeader('tracestate');
    });
  expect(headersOf('api.test')).toBe(`spoor=${start('api.test').id}`);
  expect(headersOf('other.test')).toBeUndefined();
});

test('a request whose headers are a list is sent as it is', async () => {
  propagate();
  const url = await echo();
  const headers = await trace('send', () =>
    viaRequest((done) => http.request(url, { headers: ['host', 'localhost', 'x-a', '1'] }, done).end()),
  );
  expect(headers).toMatchObject({ 'x-a': '1' });
  expect(headers).not.toHaveProperty('traceparent');
  expect(recording.problems).toEqual([]);
});

test('functions of node:http look as they did, and come back', async () => {
  const before = [http.request, http.get].map((fn) => Object.getOwnPropertyDescriptors(fn));
  const [request, get] = [http.request, http.get];
  const stop = startPropagation({ outgoing: { hosts: [], attributes: false }, isContinuing: false });
  expect([http.request, http.get].map((fn) => Object.getOwnPropertyDescriptors(fn))).toEqual(before);
  expect((await import('node:http')).request).toBe(http.request);
  stop();
  expect([http.request, http.get]).toEqual([request, get]);
  expect((await import('node:http')).request).toBe(request);
});

describe('where another library has replaced functions of node:http before', () => {
  function put(name: 'request' | 'get', fake: (...args: unknown[]) => unknown): void {
    const original: unknown = http[name];
    Object.assign(http, { [name]: fake });
    onTestFinished(() => void Object.assign(http, { [name]: original }));
  }

  test.each(['request', 'get'] as const)('its %s is called, and may answer anything', (name) => {
    for (const answer of [undefined, null, 7, {}, { headersSent: false }]) {
      const calls: unknown[][] = [];
      put(name, (...args) => {
        calls.push(args);
        return answer;
      });
      const stop = startPropagation({ outgoing: { hosts: [], attributes: false }, isContinuing: false });
      expect(trace('send', () => Reflect.apply(http[name], http, ['http://localhost:1']) as unknown)).toBe(answer);
      stop();
      expect(calls).toEqual([['http://localhost:1']]);
    }
  });

  test("Node's own get does not call its request", async () => {
    const url = await echo();
    put('request', () => undefined);
    propagate();
    const headers = await trace('send', () => viaRequest((done) => http.get(url, done)));
    expect(headers).toHaveProperty('host');
  });
});

test('a module that is frozen is reported, and everything else is carried', async () => {
  const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: unknown };
  const { Worker } = threads;
  Object.defineProperty(threads, 'Worker', { writable: false });
  onTestFinished(() => void Object.defineProperty(threads, 'Worker', { value: Worker, writable: true }));
  propagate();
  const { traceparent } = (await trace('send', async () => await CLIENTS['http.get']?.(await echo()))) ?? {};
  expect(traceparent).toBeDefined();
  expect(recording.problems.map(({ kind }) => kind)).toEqual(['propagate']);
});

describe('a server that continues traces', () => {
  const leaf = traced((value: unknown) => value, { name: 'leaf' });

  test('runs its handlers below the call of the request, until they are done', async () => {
    propagate({ isContinuing: true });
    const url = await listen((_request, response) => {
      void (async () => {
        await new Promise((resolve) => setImmediate(resolve));
        leaf(1);
        response.end();
      })();
    });
    await withThread('chat', () => trace('send', async () => await (await fetch(url)).text()));
    expect(treeOf(recording)).toEqual(['send(leaf)']);
    expect(start('leaf')).toMatchObject({ thread_id: 'chat', turn_id: start('send').id });
  });

  test('keeps requests on one connection apart, those without a call too', async () => {
    propagate({ isContinuing: true });
    const url = await listen((request, response) => {
      void (async () => {
        leaf(request.url);
        await new Promise((resolve) => setTimeout(resolve, 1));
        leaf(request.url);
        response.end('{}');
      })();
    });
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = async (path: string) => await viaRequest((done) => http.get(url + path, { agent }, done));
    await trace('a', async () => await ask('/a'));
    await ask('/none');
    await Promise.all([trace('b', async () => await ask('/b')), trace('c', async () => await ask('/c')), ask('/free')]);
    expect(treeOf(recording).toSorted()).toEqual(
      ['a', 'b', 'c'].map((name) => `${name}(leaf, leaf)`).concat(Array.from({ length: 4 }, () => 'leaf')),
    );
    const first = recording.calls().find(({ start: { op_name } }) => op_name === 'leaf');
    expect(first?.start.parent_id).toBe(start('a').id);
  });

  test('does nothing of it once it is switched off', async () => {
    startPropagation({ outgoing: undefined, isContinuing: true })();
    propagate();
    const url = await listen((_request, response) => response.end(String(leaf('x'))));
    await trace('send', async () => await (await fetch(url)).text());
    expect(treeOf(recording).toSorted()).toEqual(['leaf', 'send']);
  });
});
