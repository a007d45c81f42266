import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { REFUSED } from '../../src/server/http/request-log.ts';
import {
  LINES_IN_ALL,
  LINES_PER_ADDRESS,
  REFUSALS_AT_ONCE,
  REFUSALS_PER_SECOND,
} from '../../src/server/keys/refusals.ts';
import { type RunningServer, startServer } from './running-server.ts';

// Real connections from several addresses of this machine. That of IPv4 has millions on Linux, elsewhere one.

async function start(options: ServerOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

interface From {
  /** The address that the connection comes from. */
  readonly localAddress: string;
  readonly forwarded?: string;
  readonly key?: string;
}

/** The statuses of so many requests from an address. */
async function ask(server: RunningServer, count: number, { localAddress, forwarded, key }: From): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4, localAddress });
  const headers = {
    authorization: `Bearer ${key ?? 'nobody'}`,
    ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
  };
  const one = async () => {
    const sent = request(`${server.url}/version`, { agent, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.statusCode ?? 0;
  };
  const statuses = await Promise.all(Array.from({ length: count }, one));
  agent.destroy();
  return statuses;
}

const toldWhy = (statuses: readonly number[]) => statuses.filter((status) => status === 401).length;

/** Enough that the share of an address does not fill up while they are sent. */
const MANY = REFUSALS_AT_ONCE + 200;

/** What an address is told at most, however long it took. */
function expectShare(statuses: readonly number[], begun: number): void {
  const seconds = (performance.now() - begun) / 1000;
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(toldWhy(statuses)).toBeGreaterThanOrEqual(REFUSALS_AT_ONCE);
  expect(toldWhy(statuses)).toBeLessThanOrEqual(REFUSALS_AT_ONCE + REFUSALS_PER_SECOND * seconds + 1);
}

/** More than have lines of their own in a log. */
const ADDRESSES = Array.from({ length: LINES_IN_ALL / LINES_PER_ADDRESS + 2 }, (_, index) => `127.0.0.${index + 1}`);

test.skipIf(process.platform !== 'linux')(
  'each address has its share of refusals and of lines, all together have no more than theirs, and keys none of it',
  { timeout: 120_000 },
  async () => {
    const server = await start();
    const begun = performance.now();
    for (const localAddress of ADDRESSES) {
      const sentAt = performance.now();
      expectShare(await ask(server, MANY, { localAddress }), sentAt);
      expect(await ask(server, 3, { localAddress, key: server.apiKey })).toEqual([200, 200, 200]);
    }
    await server.close();
    const minutes = 1 + Math.ceil((performance.now() - begun) / 60_000);
    const lines = server.log.filter(({ msg }) => msg === REFUSED);
    expect(lines.length).toBeGreaterThanOrEqual(LINES_IN_ALL);
    expect(lines.length).toBeLessThanOrEqual(LINES_IN_ALL * minutes);
    const own = (address = '') => lines.filter((line) => line['address'] === address).length;
    expect(Math.max(...ADDRESSES.map(own))).toBeLessThanOrEqual(LINES_PER_ADDRESS * minutes);
    expect(own(ADDRESSES[1])).toBeGreaterThanOrEqual(LINES_PER_ADDRESS);
    // What has no line of its own is counted.
    const unlogged = server.log.map((line) => Number(line['count'] ?? 0)).reduce((sum, count) => sum + count, 0);
    expect(lines.length + unlogged).toBe(MANY * ADDRESSES.length);
  },
);

const hasIPv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

test.skipIf(!hasIPv6)('an address of IPv6 has its share', async () => {
  const server = await start({ host: '::1' });
  const begun = performance.now();
  expectShare(await ask(server, MANY, { localAddress: '::1' }), begun);
  expect(await ask(server, 1, { localAddress: '::1', key: server.apiKey })).toEqual([200]);
});

test('behind a proxy each address that it names has its share, and is the one of the log', async () => {
  const server = await start({ trustProxy: ['loopback'] });
  const from = (forwarded: string) => ({ localAddress: '127.0.0.1', forwarded });
  const begun = performance.now();
  expectShare(await ask(server, MANY, from('203.0.113.1')), begun);
  for (const forwarded of ['203.0.113.2', '2001:db8:1::1', '2001:db8:2::1']) {
    expect(await ask(server, 1, from(forwarded))).toEqual([401]);
  }
  await server.close();
  const addresses = server.log.filter(({ msg }) => msg === REFUSED).map((line) => line['address']);
  expect([...new Set(addresses)]).toEqual(['203.0.113.1', '203.0.113.2', '2001:db8:1::1', '2001:db8:2::1']);
});

test('where no proxy is trusted, an address that names others has one share', async () => {
  const server = await start();
  const begun = performance.now();
  const named = Array.from({ length: 8 }, (_, index) => ({
    localAddress: '127.0.0.1',
    forwarded: `203.0.113.${index}`,
  }));
  const answers = await Promise.all(named.map(async (from) => await ask(server, MANY / 4, from)));
  expect(answers.flat()).toHaveLength(2 * MANY);
  expectShare(answers.flat(), begun);
});
