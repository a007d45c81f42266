import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { TracingError } from '../../src/protocol/error.ts';
import { createReader } from '../../src/reader/reader.ts';
import { createRequester } from '../../src/reader/request.ts';
import type { Clock } from '../../src/reader/retry.ts';
import { answerJson, startAnsweringServer } from './answering-server.ts';

const BUSY = { reason: 'queue full', error_code: 'rate_limited', request_id: 'r' };

const readerOf = (url: string, retries?: number) =>
  createReader({ url, apiKey: 'k', project: 'acme/demo', retryDelayMs: 1, ...(retries !== undefined && { retries }) });

test('an error answer is thrown with its code, its reason and its other keys', async () => {
  const body = { reason: 'gone', error_code: 'object_deleted', request_id: 'r1', deleted_at: '2026-01-01T00:00:00Z' };
  const server = await startAnsweringServer((response) => answerJson(response, 404, body));
  const error = await readerOf(server.url)
    .objects.get('settings', 'latest')
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TracingError);
  expect(error).toMatchObject({
    code: 'object_deleted',
    message: 'gone',
    status: 404,
    extra: { request_id: 'r1', deleted_at: '2026-01-01T00:00:00Z' },
  });
  expect(server.received).toHaveLength(1);
});

test.each([
  [401, 'unauthenticated'],
  [403, 'forbidden'],
  [404, 'unknown_path'],
  [418, 'invalid_request'],
  [500, 'internal_error'],
  [502, 'unavailable'],
])('status %i of something that is no trace service is %s', async (status, code) => {
  const server = await startAnsweringServer((response) => {
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>no</h1>');
  });
  await expect(readerOf(server.url, 0).service.health()).rejects.toMatchObject({ code, extra: { httpStatus: status } });
});

test('a success that is not JSON is an error', async () => {
  const server = await startAnsweringServer((response) => void response.end('<html>'));
  await expect(readerOf(server.url).service.health()).rejects.toMatchObject({ code: 'invalid_json' });
});

const NOW = Date.parse('2026-01-01T00:00:00Z');

/** A clock that stands still and keeps how long it was asked to wait. */
function stillClock(random = 0.5) {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => NOW,
    random: () => random,
    wait: async (durationMs) => void waits.push(durationMs),
  };
  return { clock, waits };
}

test.each([408, 429, 500, 502, 503, 504])('a request is sent again after %i, as the same request', async (status) => {
  const server = await startAnsweringServer((response, _request, index) =>
    index < 2 ? void response.writeHead(status).end('<html>') : answerJson(response, 200, { num_deleted: 1 }),
  );
  const { clock } = stillClock();
  const requester = createRequester({ url: server.url, apiKey: 'k', clock });
  const request = { method: 'POST', path: '/calls/delete', body: { call_ids: ['c1'] } } as const;
  expect(await requester.sendForJson(request)).toEqual({ num_deleted: 1 });
  expect(server.received).toHaveLength(3);
  expect(new Set(server.received.map(({ body }) => JSON.stringify(body)))).toEqual(new Set(['{"call_ids":["c1"]}']));
  const ids = server.received.map(({ headers }) => headers['svc-retry-id']);
  expect(new Set(ids).size).toBe(1);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

  await requester.sendForJson(request);
  expect(server.received.at(-1)?.headers['svc-retry-id']).not.toBe(ids[0]);
});

test.each([400, 401, 403, 404, 405, 409, 413, 415, 422, 425])(
  'a request is not sent again after %i',
  async (status) => {
    const server = await startAnsweringServer((response) => void response.writeHead(status).end('<html>'));
    const requester = createRequester({ url: server.url, apiKey: 'k', clock: stillClock().clock });
    await expect(requester.sendForJson({ method: 'GET', path: '/health' })).rejects.toMatchObject({
      isRetryable: false,
    });
    expect(server.received).toHaveLength(1);
  },
);

test('pauses grow, with jitter, up to ten seconds', async () => {
  const server = await startAnsweringServer((response) => answerJson(response, 429, BUSY));
  const { clock, waits } = stillClock(0.5);
  const requester = createRequester({ url: server.url, apiKey: 'k', retries: 8, retryDelayMs: 250, clock });
  await expect(requester.sendForJson({ method: 'GET', path: '/health' })).rejects.toMatchObject({
    code: 'rate_limited',
  });
  expect(waits).toEqual([125, 250, 500, 1000, 2000, 4000, 5000, 5000]);
});

test.each([
  ['7', 7000],
  ['Thu, 01 Jan 2026 00:00:09 GMT', 9000],
])('the pause is the one of Retry-After: %s', async (header, pause) => {
  const server = await startAnsweringServer((response, _request, index) =>
    index === 0 ? answerJson(response, 503, BUSY, { 'retry-after': header }) : answerJson(response, 200, {}),
  );
  const { clock, waits } = stillClock();
  await createRequester({ url: server.url, apiKey: 'k', clock }).sendForJson({ method: 'GET', path: '/health' });
  expect(waits).toEqual([pause]);
});

test('a request whose connection is reset, or whose answer is cut, is sent again', async () => {
  const server = await startAnsweringServer((response, _request, index) => {
    if (index === 0) return response.destroy();
    if (index === 2) return answerJson(response, 200, { status: 'ok' });
    response.writeHead(200, { 'content-length': '100' });
    return response.write('{"sta', () => response.destroy());
  });
  expect(await readerOf(server.url).service.health()).toEqual({ status: 'ok' });
  expect(server.received).toHaveLength(3);
});

test('a file whose bytes are cut is asked for again', async () => {
  const server = await startAnsweringServer((response, _request, index) => {
    response.writeHead(200, { 'content-length': '6' });
    return index === 0 ? response.write('abc', () => response.destroy()) : response.end('abcdef');
  });
  expect(new TextDecoder().decode(await readerOf(server.url).files.get('d'))).toBe('abcdef');
});

test('retries end, with the last error', async () => {
  const server = await startAnsweringServer((response) => answerJson(response, 429, BUSY));
  await expect(readerOf(server.url, 2).service.health()).rejects.toMatchObject({ code: 'rate_limited' });
  expect(server.received).toHaveLength(3);
});

test('a start without an id gets one before it is sent, so that sending it twice begins one call', async () => {
  const server = await startAnsweringServer((response, _request, index) =>
    index % 2 === 0 ? response.destroy() : answerJson(response, 200, { id: 'i', trace_id: 't', res: [] }),
  );
  const reader = readerOf(server.url);
  const start = { op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
  await reader.calls.start(start);
  await reader.calls.write([{ mode: 'start', req: { start } }]);
  const [first, again, batch, batchAgain] = server.received.map(({ body }) => body);
  expect(again).toEqual(first);
  expect(batchAgain).toEqual(batch);
  expect(first).toMatchObject({ start: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string } });
  expect(batch).toMatchObject({
    batch: [{ req: { start: { id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string } } }],
  });
});

test('a wrong key is not tried again', async () => {
  const body = { reason: 'unknown key', error_code: 'unauthenticated', request_id: 'r' };
  const server = await startAnsweringServer((response) => answerJson(response, 401, body));
  await expect(readerOf(server.url).service.health()).rejects.toMatchObject({ code: 'unauthenticated', status: 401 });
  expect(server.received).toHaveLength(1);
});

test('a pause longer than a minute is reported instead of waited for', async () => {
  const server = await startAnsweringServer((response) => answerJson(response, 429, BUSY, { 'retry-after': '3600' }));
  await expect(readerOf(server.url).service.health()).rejects.toMatchObject({ extra: { retryAfterMs: 3_600_000 } });
  expect(server.received).toHaveLength(1);
});

test('no server is a network error that says why', async () => {
  const port = await freePort();
  await expect(readerOf(`http://127.0.0.1:${port}`, 0).service.health()).rejects.toMatchObject({
    code: 'network_error',
    message: expect.stringMatching(/127\.0\.0\.1:\d+\/health: .*ECONNREFUSED/) as string,
  });
});

test('an aborted request rejects with the reason of the signal', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const server = await startAnsweringServer(() => controller.abort(reason));
  await expect(readerOf(server.url).service.health({ signal: controller.signal })).rejects.toBe(reason);
  expect(server.received).toHaveLength(1);
});

test('an abort ends the pause before a retry', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const server = await startAnsweringServer((response) => {
    response.once('close', () => controller.abort(reason));
    answerJson(response, 429, BUSY, { 'retry-after': '50' });
  });
  await expect(readerOf(server.url).service.health({ signal: controller.signal })).rejects.toBe(reason);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('The server has no port');
  return address.port;
}
