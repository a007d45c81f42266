import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { PACKAGE_VERSION } from '../../src/protocol/version.ts';
import { createServer } from '../../src/server/create-server.ts';
import { type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ limits: { batch_items: 5 } });
});
afterAll(() => server.close());

test('the service tells its health, its version and what it can do', async () => {
  expect((await server.get('/health')).body).toEqual({ status: 'ok' });
  expect((await server.get('/version')).body).toEqual({ version: PACKAGE_VERSION, interface: '1' });
  expect((await server.get('/server_info')).body).toEqual({
    min_required_svc_python_version: '0.0.1',
    trace_server_version: PACKAGE_VERSION,
    min_required_svc_client_version: '0.1.0',
    dialects: ['native', 'w'],
    limits: { ...DEFAULT_LIMITS, batch_items: 5 },
  });
});

test('an address has no known location', async () => {
  const locate = async (query: string) => (await server.get(`/geolocate${query}`)).body;
  expect(await locate('')).toEqual({ ip: '127.0.0.1', location: null, allowed: true });
  expect(await locate('?ip=2001:db8::1&other=x')).toEqual({ ip: '2001:db8::1', location: null, allowed: true });
  expect(await locate('?ip=1.2.3')).toMatchObject({ detail: [{ loc: ['query', 'ip'] }] });
  expect(await locate('?ip=1.2.3.4&ip=1.2.3.5')).toMatchObject({ error_code: 'validation_error' });
});

test('a trailing slash is tolerated, two are not', async () => {
  expect((await server.get('/health/')).status).toBe(200);
  expect((await server.get('/health//')).status).toBe(404);
});

async function statusForHost(target: { url: string; apiKey: string }, host: string): Promise<number | undefined> {
  const sent = request(`${target.url}/health`, {
    headers: { host, authorization: `Bearer ${target.apiKey}` },
    agent: false,
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test('a service on loopback answers to names of this machine only', async () => {
  for (const host of ['localhost', 'LOCALHOST:99', '127.0.0.1:1', '127.3.2.1', '[::1]', '[::1]:5']) {
    expect([host, await statusForHost(server, host)]).toEqual([host, 200]);
  }
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80', '10.0.0.1']) {
    expect([host, await statusForHost(server, host)]).toEqual([host, 403]);
  }
});

test('a request without a host is answered like any other', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`GET /health HTTP/1.1\r\nauthorization: Bearer ${server.apiKey}\r\nconnection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text).toMatch(/^HTTP\/1\.1 200 [^]*\{"status":"ok"\}$/);
});

test('a service on all addresses answers to any name', async () => {
  const open = await startServer({ host: '0.0.0.0' });
  try {
    expect(await statusForHost({ url: `http://127.0.0.1:${open.port}`, apiKey: open.apiKey }, 'traces.example')).toBe(
      200,
    );
  } finally {
    await open.close();
  }
});

test('a taken port is a clear error', async () => {
  await expect(createServer({ storage: 'memory', port: server.port })).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${server.port}: the port is taken; choose another with --port, or 0 for a free one`,
  );
});

test('a client that asked for a tunnel and stays does not keep the service from stopping', async () => {
  const stopping = await startServer();
  const socket = connect({ port: stopping.port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.write('CONNECT example.com:443 HTTP/1.1\r\n\r\n');
  socket.resume();
  await once(socket, 'end');
  await expect(stopping.close()).resolves.toBeUndefined();
});

test('closing twice closes once, and a closed service answers nobody', async () => {
  const closed = await startServer();
  await Promise.all([closed.close(), closed.close()]);
  await expect(closed.get('/health')).rejects.toThrow('fetch failed');
});
