import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { TracingError } from '../../src/protocol/error.ts';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { createKey } from '../../src/server/keys/keys.ts';
import { RateLimiter } from '../../src/server/keys/rate-limiter.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

async function start(options: ServerOptions): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** A rate at which no token comes back while a test runs. */
const SLOW = 1 / 3600;

function secondsToWait(limiter: RateLimiter, keyId = 'a'): unknown {
  try {
    limiter.take(keyId);
    return undefined;
  } catch (error) {
    return error instanceof TracingError && error.extra['retryAfterSeconds'];
  }
}

test('a key has its burst at once, then its requests per second', () => {
  let now = 0;
  const limiter = new RateLimiter({ perSecond: 2, burst: 3 }, { now: () => now });
  const answers = () => Array.from({ length: 5 }, () => secondsToWait(limiter));
  expect(answers()).toEqual([undefined, undefined, undefined, 1, 1]);
  now += 500;
  expect(answers()).toEqual([undefined, 1, 1, 1, 1]);
  now += 999;
  expect(answers()).toEqual([undefined, 1, 1, 1, 1]);
  now += 3_600_000;
  expect(answers()).toEqual([undefined, undefined, undefined, 1, 1]);
});

test('the time to wait is in whole seconds, after which a request is welcome', () => {
  let now = 0;
  const limiter = new RateLimiter({ perSecond: 0.3, burst: 1 }, { now: () => now });
  expect(secondsToWait(limiter)).toBeUndefined();
  expect(secondsToWait(limiter)).toBe(4);
  now += 4000;
  expect(secondsToWait(limiter)).toBeUndefined();
});

test('keys do not use up what others have', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, { now: () => 0 });
  expect([secondsToWait(limiter, 'a'), secondsToWait(limiter, 'a'), secondsToWait(limiter, 'b')]).toEqual([
    undefined,
    1,
    undefined,
  ]);
});

test('one request too many is refused with the time to wait, and nothing of it is applied', async () => {
  const server = await start({ rateLimit: SLOW, rateBurst: 2, storage: 'sqlite' });
  const other = createKey(server.dataDir ?? '', { name: 'other' }).key;
  const start1 = { project_id: PROJECT, id: 'c1', op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
  const rest = { attributes: {}, inputs: {}, trace_id: 't' };
  const write = (id: string) => server.post('/call/start', { start: { ...start1, ...rest, id } });
  expect((await write('c1')).status).toBe(200);
  expect((await write('c2')).status).toBe(200);
  const refused = await write('c3');
  // The seconds since the first request count.
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^3[56]\d\d$/)]);
  expect(refused.body).toEqual({
    reason: `The API key makes more than ${SLOW} requests per second`,
    error_code: 'rate_limited',
    request_id: refused.headers.get('svc-request-id'),
  });
  const stats = await server.post('/calls/query_stats', { project_id: PROJECT }, { authorization: `Bearer ${other}` });
  expect(stats.body).toMatchObject({ count: 2 });
});

test('the rate is asked for after the key and before the body', async () => {
  const server = await start({ rateLimit: SLOW, rateBurst: 1 });
  const wrong = { authorization: 'Bearer wrong' };
  for (let attempt = 0; attempt < 3; attempt++) expect((await server.get('/version', wrong)).status).toBe(401);
  expect((await server.get('/version')).status).toBe(200);
  expect((await server.get('/version', wrong)).status).toBe(401);
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // The body never comes.
  socket.write(
    `POST /call/read HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.apiKey}\r\nContent-Length: 9\r\n\r\n`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toMatch(/^HTTP\/1\.1 429 /);
});

test('without the option a key may ask as often as it likes, and the service says what holds', async () => {
  const free = await start({});
  for (let attempt = 0; attempt < 50; attempt++) expect((await free.get('/version')).status).toBe(200);
  expect((await free.get('/server_info')).text).not.toContain('requests_per_second');
  const limited = await start({ rateLimit: 1.5 });
  expect((await limited.get('/server_info')).body).toMatchObject({
    limits: { requests_per_second: 1.5, requests_at_once: 2 },
  });
});

test('a rate that is no rate is refused at the start', async () => {
  for (const rateLimit of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    await expect(startServer({ rateLimit })).rejects.toMatchObject({ code: 'invalid_configuration' });
  }
  await expect(startServer({ rateLimit: 5, rateBurst: 0.5 })).rejects.toMatchObject({ code: 'invalid_configuration' });
  await expect(startServer({ rateBurst: 5 })).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: 'Cannot hold keys to 5 requests at once: there is no rate, set rateLimit too',
  });
});
