import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import { PROJECT, startServer } from './running-server.ts';

/** A storage whose streams give one call and then nothing until they are left. */
function stallingStorage() {
  const storage = openMemoryStorage();
  const { calls } = storage;
  const query = calls.query.bind(calls);
  const stalling: typeof calls.query = async function* (plan, options) {
    yield* query(plan, options);
    await new Promise(() => undefined);
  };
  return { ...storage, calls: Object.assign(calls, { query: stalling }) };
}

test('a stream that does not end in the time of grace says in its last line that the service stops', async () => {
  const server = await startServer({ storage: stallingStorage(), graceSeconds: 0.05 });
  const start = { project_id: PROJECT, id: 'c1', op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
  await server.post('/call/start', { start: { ...start, attributes: {}, inputs: {} } });
  const headers = { authorization: `Bearer ${server.apiKey}` };
  const sent = request(`${server.url}/calls/stream_query`, { method: 'POST', headers, agent: false });
  sent.end(JSON.stringify({ project_id: PROJECT }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  response.on('error', () => undefined);
  const closed = new Promise((resolve) => response.once('close', resolve));
  await server.close();
  await closed;
  expect(response.complete).toBe(false);
  expect(JSON.parse(text.trimEnd().split('\n')[1] ?? '')).toEqual({
    _svc_error: { reason: 'The service is shutting down', error_code: 'unavailable', status: 503 },
  });
});

test('a connection that was opened and never used does not delay the stop', async () => {
  const server = await startServer();
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  // The service knows of it once it has answered somebody who came later.
  await server.get('/health');
  const startedAt = performance.now();
  await server.close();
  expect(performance.now() - startedAt).toBeLessThan(3000);
  socket.destroy();
});

test('a request that was sent ahead of its turn ends with its connection, and the stop does not wait for it', async () => {
  const server = await startServer({ storage: stallingStorage(), graceSeconds: 0.05 });
  const start = { project_id: PROJECT, id: 'c1', op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
  await server.post('/call/start', { start: { ...start, attributes: {}, inputs: {} } });
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const body = JSON.stringify({ project_id: PROJECT });
  const head = `POST /calls/stream_query HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${server.apiKey}`;
  for (const id of ['first', 'second']) {
    socket.write(`${head}\r\nsvc-request-id: ${id}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  }
  await once(socket, 'data');
  await server.close();
  const lines = await Promise.all([server.logged('first'), server.logged('second')]);
  expect(lines.map(({ msg }) => msg)).toEqual(['request failed', 'request failed']);
});

test.each([
  [{ graceSeconds: Number.NaN }, 'Cannot wait NaN ms (graceSeconds): want 0 to 2073600000'],
  [{ graceSeconds: -1 }, 'Cannot wait -1000 ms (graceSeconds): want 0 to 2073600000'],
  [{ graceSeconds: 3_000_000 }, 'Cannot wait 3000000000 ms (graceSeconds): want 0 to 2073600000'],
  [{ limits: { stream_ms: 2 ** 31 } }, 'Cannot wait 2147483648 ms (stream_ms): want 0 to 2073600000'],
  [{ limits: { read_ms: 2 ** 31 } }, 'Cannot wait 2147483648 ms (read_ms): want 0 to 2073600000'],
])('%j is no time that a timer can wait', async (options, message) => {
  await expect(startServer(options)).rejects.toMatchObject({ code: 'invalid_configuration', message });
});
