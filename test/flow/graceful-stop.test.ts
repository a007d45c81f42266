import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { buildOnce } from '../build.ts';
import { makeHome, post, type ServiceProcess, startServiceProcess } from './service-process.ts';

beforeAll(buildOnce, 120_000);

async function start(...args: string[]): Promise<ServiceProcess> {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const service = await startServiceProcess(home, args);
  onTestFinished(async () => {
    if (service.child.exitCode === null && service.child.signalCode === null) await service.stop('SIGKILL');
  });
  return service;
}

/** Far less than a request in flight is waited for here, and long for a slow machine. */
const AT_ONCE_MS = 30_000;
const PATIENT = ['--grace-seconds', '100'];

async function stopTime(service: ServiceProcess): Promise<number> {
  const startedAt = performance.now();
  expect(await service.stop('SIGTERM')).toBe(0);
  return performance.now() - startedAt;
}

function openSocket({ url }: ServiceProcess): Socket {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // What the service breaks off is what these tests are about.
  socket.on('error', () => undefined);
  return socket;
}

function keepAlive(): Agent {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
}

const PROJECT = 'acme/demo';

function send({ url, apiKey }: ServiceProcess, path: string, agent: Agent): ClientRequest {
  return request(url + path, { method: 'POST', agent, headers: { authorization: `Bearer ${apiKey}` } });
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

/** Calls that are more than the buffers of a connection hold. */
async function writeCalls(service: ServiceProcess): Promise<number> {
  const filler = 'x'.repeat(10_000);
  const items = (from: number) =>
    Array.from({ length: 500 }, (_, index) => ({
      mode: 'start',
      req: {
        start: {
          project_id: PROJECT,
          id: `c${from + index}`,
          op_name: 'f',
          trace_id: 't',
          started_at: '2026-01-01T00:00:00Z',
          attributes: {},
          inputs: { filler },
        },
      },
    }));
  for (let from = 0; from < 1500; from += 500) {
    const { status } = await post(service, '/call/upsert_batch', { batch: items(from) });
    expect(status).toBe(200);
  }
  return 1500;
}

async function openStream(service: ServiceProcess, agent: Agent): Promise<IncomingMessage> {
  const sent = send(service, '/calls/stream_query', agent);
  sent.end(JSON.stringify({ project_id: PROJECT }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

test('connections on which nothing is asked end at once, used ones and new ones', async () => {
  const service = await start(...PATIENT);
  const agent = keepAlive();
  const used = send(service, '/calls/query_stats', agent);
  used.end(JSON.stringify({ project_id: PROJECT }));
  const [response] = (await once(used, 'response')) as [IncomingMessage];
  expect(await bodyOf(response)).toContain('count');
  const fresh = openSocket(service);
  await once(fresh, 'connect');
  const half = openSocket(service);
  half.write('GET /health HTT');
  await once(half, 'connect');
  expect(await stopTime(service)).toBeLessThan(AT_ONCE_MS);
});

test('a request in flight is answered, and one that comes then is told to try again', async () => {
  const service = await start(...PATIENT);
  const agent = keepAlive();
  const slow = send(service, '/calls/query_stats', agent);
  const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
  slow.write('{"project_id":');
  const socket = openSocket(service);
  // The service has seen that request when it has answered a later one.
  socket.write(`POST /call/read HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}`);
  await once(socket, 'data');
  service.child.kill('SIGTERM');
  const refused = await vi.waitFor(
    async () => {
      const answer = await fetch(`${service.url}/version`, { headers: { authorization: `Bearer ${service.apiKey}` } });
      expect(answer.status).toBe(503);
      return answer;
    },
    { timeout: 20_000 },
  );
  expect([refused.headers.get('retry-after'), refused.headers.get('connection')]).toEqual(['1', 'close']);
  expect(await refused.json()).toMatchObject({ reason: 'The service is shutting down', error_code: 'unavailable' });
  slow.end(`"${PROJECT}"}`);
  const [response] = await answered;
  expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
  expect(JSON.parse(await bodyOf(response))).toMatchObject({ count: 0 });
  const startedAt = performance.now();
  expect(await service.stop('SIGCONT')).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(AT_ONCE_MS);
});

test('a stream is read to its end', async () => {
  const service = await start(...PATIENT);
  const count = await writeCalls(service);
  const response = await openStream(service, keepAlive());
  const stopped = stopTime(service);
  const lines = (await bodyOf(response)).trimEnd().split('\n');
  expect(lines).toHaveLength(count);
  expect(await stopped).toBeLessThan(AT_ONCE_MS);
});

test('a stream that nobody reads is broken off after the time of grace', async () => {
  const service = await start('--grace-seconds', '1');
  await writeCalls(service);
  const response = await openStream(service, keepAlive());
  response.on('error', () => undefined);
  const closed = new Promise((resolve) => response.once('close', resolve));
  const elapsed = await stopTime(service);
  expect(elapsed).toBeGreaterThan(900);
  expect(elapsed).toBeLessThan(AT_ONCE_MS);
  response.resume();
  await closed;
  expect(response.complete).toBe(false);
});
