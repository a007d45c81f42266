import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { TracingError } from '../../src/protocol/error.ts';
import { createReader } from '../../src/reader/reader.ts';
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

test.each([429, 500, 503])('a read is sent again after %i', async (status) => {
  const code = { 429: 'rate_limited', 500: 'internal_error', 503: 'unavailable' }[status];
  const server = await startAnsweringServer((response, _request, index) =>
    index < 2
      ? answerJson(response, status, { ...BUSY, error_code: code })
      : answerJson(response, 200, { status: 'ok' }),
  );
  expect(await readerOf(server.url).service.health()).toEqual({ status: 'ok' });
  expect(server.received).toHaveLength(3);
});

test('a read whose connection is reset is sent again', async () => {
  const server = await startAnsweringServer((response, _request, index) =>
    index === 0 ? response.destroy() : answerJson(response, 200, { status: 'ok' }),
  );
  expect(await readerOf(server.url).service.health()).toEqual({ status: 'ok' });
});

test('retries end, with the last error', async () => {
  const server = await startAnsweringServer((response) => answerJson(response, 429, BUSY));
  await expect(readerOf(server.url, 2).service.health()).rejects.toMatchObject({ code: 'rate_limited' });
  expect(server.received).toHaveLength(3);
});

test('a write is sent once', async () => {
  const server = await startAnsweringServer((response) => answerJson(response, 429, BUSY));
  await expect(readerOf(server.url).calls.rename('c1', 'x')).rejects.toMatchObject({ code: 'rate_limited' });
  expect(server.received).toHaveLength(1);
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
