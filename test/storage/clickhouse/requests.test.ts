import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { expect, onTestFinished, test } from 'vitest';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { raw } from '../../../src/storage/sql/sql.ts';

/** A connection to what only looks like a server. */
async function connectionTo(
  answer: RequestListener,
  options: { readonly max_open_connections?: number } = {},
): Promise<Connection> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const client = () => createClient({ url, log: { level: ClickHouseLogLevel.OFF }, ...options });
  const connection = new Connection(client(), { streams: client() });
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await connection.close();
  });
  return connection;
}

test('a server ends a read whose client has left, and one that takes too long', async () => {
  const asked: URLSearchParams[] = [];
  const connection = await connectionTo((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://here').searchParams);
    response.end('{"a":1}\n');
  });
  expect(await connection.all(raw('SELECT 1 AS a'), { deadlineMs: 2500 })).toEqual([{ a: 1 }]);
  // Only of a statement that may not write anything does a server end what nobody waits for.
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
    readonly: '2',
    cancel_http_readonly_queries_on_client_close: '1',
    max_execution_time: '4',
    timeout_overflow_mode: 'throw',
  });
});

test('rows are stored when a write is answered, whatever the profile of the user says', async () => {
  const asked: URLSearchParams[] = [];
  const connection = await connectionTo((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://here').searchParams);
    request.resume().on('end', () => response.end());
  });
  await connection.insert('calls', [{ id: 'c1' }]);
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({ async_insert: '0', wait_for_async_insert: '1' });
});

test('a deadline and a signal end a read whose answer has begun', async () => {
  const connection = await connectionTo((_request, response) => {
    response.writeHead(200).flushHeaders();
  });
  const late = connection.all(raw('SELECT 1'), { deadlineMs: 100 });
  await expect(late).rejects.toMatchObject({ code: 'query_timeout' });
  const left = new AbortController();
  const reading = connection.all(raw('SELECT 1'), { signal: left.signal });
  setTimeout(() => left.abort(new Error('left')), 100);
  await expect(reading).rejects.toThrow('left');
});

test('whoever reads a stream slowly keeps nobody else waiting', async () => {
  const answer: RequestListener = (request, response) => {
    let sql = '';
    request.on('data', (chunk: Buffer) => (sql += chunk.toString()));
    request.on('end', () => {
      response.write('{"a":1}\n');
      if (!sql.includes('endless')) response.end();
    });
  };
  const connection = await connectionTo(answer, { max_open_connections: 1 });
  const slow = connection.rows(raw('SELECT endless AS a'));
  expect(await slow.next()).toEqual({ done: false, value: [{ a: 1 }] });
  expect(await connection.all(raw('SELECT 1 AS a'), { deadlineMs: 2000 })).toEqual([{ a: 1 }]);
  await connection.insert('calls', [{ id: 'c1' }], { deadlineMs: 2000 });
  await slow.return(undefined);
});

test('a connection that was reset before anything was answered is tried once more', async () => {
  let asked = 0;
  const connection = await connectionTo((request, response) => {
    asked += 1;
    if (asked % 2 === 1) request.socket.destroy();
    else request.resume().on('end', () => response.end('{"a":1}\n'));
  });
  expect(await connection.all(raw('SELECT 1 AS a'))).toEqual([{ a: 1 }]);
  await connection.insert('calls', [{ id: 'c1' }]);
  expect(asked).toBe(4);
});

test('one that is reset again and again is no answer', async () => {
  let asked = 0;
  const connection = await connectionTo((request) => {
    asked += 1;
    request.socket.destroy();
  });
  await expect(connection.all(raw('SELECT 1 AS a'))).rejects.toMatchObject({ code: 'unavailable' });
  await expect(connection.insert('calls', [{ id: 'c1' }])).rejects.toMatchObject({ code: 'unavailable' });
  expect(asked).toBe(4);
});
