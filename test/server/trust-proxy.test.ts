import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { type RunningServer, startServer } from './running-server.ts';

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** The address the service takes a request for, in its answer and in its log. */
async function addressFor(server: RunningServer, forwarded: string): Promise<unknown[]> {
  const answer = await server.get('/geolocate', { 'x-forwarded-for': forwarded });
  const line = await server.logged(answer.headers.get('svc-request-id') ?? '');
  return [(answer.body as { ip: string }).ip, line['address']];
}

test('without a proxy nobody is believed who claims another address', async () => {
  expect(await addressFor(await start(), '203.0.113.7')).toEqual(['127.0.0.1', '127.0.0.1']);
});

test.each([
  ['loopback', '203.0.113.7', '203.0.113.7'],
  ['127.0.0.1', '203.0.113.7', '203.0.113.7'],
  ['127.0.0.0/8', '2001:db8::1', '2001:db8::1'],
  ['10.0.0.0/8', '203.0.113.7', '127.0.0.1'],
  ['loopback', '198.51.100.9, 203.0.113.7', '203.0.113.7'],
  ['all', '198.51.100.9, 203.0.113.7', '198.51.100.9'],
  ['loopback', 'secret-token', '127.0.0.1'],
])('behind %s, "%s" means %s', async (proxy, forwarded, address) => {
  expect(await addressFor(await start({ trustProxy: [proxy] }), forwarded)).toEqual([address, address]);
});

test('behind a proxy a service on loopback answers to the names of the proxy', async () => {
  const statusFor = async (server: RunningServer) => {
    const headers = { host: 'traces.example', authorization: `Bearer ${server.apiKey}` };
    const sent = request(`${server.url}/version`, { headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response.resume().statusCode;
  };
  expect(await statusFor(await start({ trustProxy: ['loopback'] }))).toBe(200);
  expect(await statusFor(await start())).toBe(403);
});

test('a proxy that is no address is refused at the start', async () => {
  await expect(startServer({ trustProxy: ['proxy.example'] })).rejects.toMatchObject({
    code: 'invalid_configuration',
    message: 'Cannot trust the proxy: invalid IP address: proxy.example',
  });
});
