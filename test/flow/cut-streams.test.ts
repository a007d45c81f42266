import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createReader, type Reader } from 'spoor/reader';
import { buildOnce } from '../build.ts';
import { fillProject, PROJECT } from '../load/calls.ts';
import { makeHome, type ServiceProcess, startServiceProcess } from './service-process.ts';

const { home, remove } = makeHome();
let service: ServiceProcess;
let callCount: number;

beforeAll(async () => {
  await buildOnce();
  service = await startServiceProcess(home);
  callCount = await fillProject(service, { bytes: 8 * 1024 * 1024, callBytes: 16 * 1024 });
}, 120_000);

afterAll(async () => {
  await service.stop();
  remove();
});

type Cut = (client: Socket) => void;

/** A proxy that passes so many bytes of the answer on and then ends the connection in its own way. */
async function startCuttingProxy(bytesUntilCut: number, cut: Cut): Promise<Pick<ServiceProcess, 'url' | 'apiKey'>> {
  const { hostname, port } = new URL(service.url);
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let left = bytesUntilCut;
    client.on('error', () => undefined).on('data', (chunk) => upstream.write(chunk));
    upstream
      .on('error', () => undefined)
      .on('data', (chunk) => {
        if (left <= 0) return;
        const passed = chunk.subarray(0, left);
        left -= passed.length;
        client.write(passed, () => {
          if (left <= 0) cut(client);
        });
      });
    client.on('close', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port');
  return { url: `http://127.0.0.1:${address.port}`, apiKey: service.apiKey };
}

/** Reads to the end, or to the error that says that there was none. */
async function readAll(stream: AsyncIterable<unknown>): Promise<{ count: number; error?: unknown }> {
  const calls: unknown[] = [];
  try {
    for await (const call of stream) calls.push(call);
  } catch (error) {
    return { count: calls.length, error };
  }
  return { count: calls.length };
}

function readerOf({ url, apiKey }: Pick<ServiceProcess, 'url' | 'apiKey'>, encoding: string): Reader {
  return createReader({
    url,
    apiKey,
    project: PROJECT,
    retries: 0,
    fetch: (address, init) => {
      const request = new Request(address, init);
      request.headers.set('accept-encoding', encoding);
      return fetch(request);
    },
  });
}

describe.each(['identity', 'gzip'])('a stream sent as %s', (encoding) => {
  test('that nobody cuts is read whole', async () => {
    const proxy = await startCuttingProxy(Infinity, () => undefined);
    expect(await readAll(readerOf(proxy, encoding).calls.query())).toEqual({ count: callCount });
  });

  test.each<[string, Cut]>([
    ['ends the connection', (client) => void client.end()],
    ['resets the connection', (client) => void client.resetAndDestroy()],
  ])('that a proxy cuts is an error, when it %s', async (_how, cut) => {
    // Anywhere: in the middle of a record, of a chunk, of a block of gzip.
    for (const bytesUntilCut of [20_000, 100_001, 300_003]) {
      const reader = readerOf(await startCuttingProxy(bytesUntilCut, cut), encoding);
      const { count, error } = await readAll(reader.calls.query());
      expect(error).toMatchObject({ code: 'broken_stream' });
      expect(count).toBeLessThan(callCount);
    }
  });
});

test('a stream of a service that is killed is an error', async () => {
  const other = makeHome();
  const killed = await startServiceProcess(other.home);
  try {
    const count = await fillProject(killed, { bytes: 24 * 1024 * 1024, callBytes: 16 * 1024 });
    // Not packed: more than the sockets hold.
    const calls = readerOf(killed, 'identity').calls.query();
    await calls.next();
    await killed.stop('SIGKILL');
    const rest = await readAll(calls);
    expect(rest.error).toMatchObject({ code: 'broken_stream' });
    expect(rest.count + 1).toBeLessThan(count);
  } finally {
    await killed.stop('SIGKILL');
    other.remove();
  }
});
