import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

const PAGE = 'https://app.example';
const HEADERS =
  'accept, authorization, content-encoding, content-type, project_id, svc-api-key, svc-dialect, svc-request-id, svc-retry-id, svc-run, svc-sender, wandb-api-key, x-weave-retry-id';

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** A request as a browser makes it, which `fetch` of Node does not allow. */
async function send(
  server: RunningServer,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<IncomingMessage & { text: string }> {
  const sent = request(server.url + path, { method, headers, agent: false });
  sent.end(method === 'POST' ? JSON.stringify({ project_id: PROJECT }) : undefined);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return Object.assign(response, { text });
}

const preflight = (server: RunningServer, origin: string, path = '/calls/stream_query') =>
  send(server, 'OPTIONS', path, {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  });

test('no page may ask unless its origin is listed', async () => {
  const server = await start();
  const answer = await send(server, 'GET', '/version', { origin: PAGE, authorization: `Bearer ${server.apiKey}` });
  expect(answer.statusCode).toBe(200);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  const asked = await preflight(server, PAGE);
  expect(asked.statusCode).toBe(401);
  expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('a page of a listed origin learns without a key what it may send', async () => {
  const server = await start({ corsOrigins: [PAGE, 'http://localhost:5173'] });
  const { statusCode, headers, text } = await preflight(server, PAGE);
  expect({ statusCode, text }).toEqual({ statusCode: 204, text: '' });
  expect(headers).toMatchObject({
    'access-control-allow-origin': PAGE,
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': HEADERS,
    'access-control-expose-headers': 'svc-request-id, retry-after',
    'access-control-max-age': '600',
    'svc-request-id': expect.stringMatching(/./) as string,
    vary: 'Origin',
  });
  expect(headers['access-control-allow-credentials']).toBeUndefined();
});

test('a page of another origin learns nothing', async () => {
  const server = await start({ corsOrigins: [PAGE] });
  for (const origin of ['https://app.example.evil', 'http://app.example', 'https://APP.example:443', 'null']) {
    const { headers } = await preflight(server, origin);
    expect([origin, headers['access-control-allow-origin']]).toEqual([origin, undefined]);
  }
});

test('answers and errors can be read by the page, streams and large answers too', async () => {
  const server = await start({ corsOrigins: [PAGE] });
  const key = { authorization: `Bearer ${server.apiKey}` };
  const cases = [
    ['GET', '/version', key, 200],
    ['GET', '/version', {}, 401],
    ['POST', '/nowhere', key, 404],
    ['POST', '/calls/stream_query', key, 200],
    ['GET', '/server_info', key, 200],
  ] as const;
  for (const [method, path, headers, status] of cases) {
    const answer = await send(server, method, path, { ...headers, origin: PAGE });
    expect([path, answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([path, status, PAGE]);
    expect(answer.headers.vary).toContain('Origin');
  }
  const stream = await send(server, 'POST', '/calls/stream_query', { ...key, origin: PAGE });
  expect(stream.headers.vary).toBe('Origin, accept-encoding');
});

test('a star is every origin', async () => {
  const server = await start({ corsOrigins: ['*'] });
  expect((await preflight(server, 'https://any.example')).headers['access-control-allow-origin']).toBe('*');
});

test('OPTIONS that no browser asks is answered like any other wrong method', async () => {
  const server = await start({ corsOrigins: [PAGE] });
  const key = { authorization: `Bearer ${server.apiKey}` };
  const answer = async (path: string, headers: Record<string, string>) => {
    const { statusCode, text } = await send(server, 'OPTIONS', path, headers);
    return [statusCode, (JSON.parse(text) as { error_code: string }).error_code];
  };
  expect(await answer('/version', {})).toEqual([401, 'unauthenticated']);
  expect(await answer('/version', { origin: PAGE })).toEqual([401, 'unauthenticated']);
  expect(await answer('/version', key)).toEqual([405, 'method_not_allowed']);
  expect(await answer('/nowhere', key)).toEqual([404, 'unknown_path']);
});

test.each(['app.example', 'https://app.example/', 'https://app.example/path', 'null', ''])(
  '"%s" is no origin',
  async (origin) => {
    await expect(startServer({ corsOrigins: [origin] })).rejects.toMatchObject({
      code: 'invalid_configuration',
      message: `Cannot allow the origin "${origin}": want "*" or scheme, host and port, as in "https://app.example"`,
    });
  },
);
