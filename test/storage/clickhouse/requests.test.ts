import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { expect, onTestFinished, test } from 'vitest';
import { Connection } from '../../../src/storage/clickhouse/connection.ts';
import { ClickhouseCalls } from '../../../src/storage/clickhouse/clickhouse-calls.ts';
import { CallReads } from '../../../src/storage/clickhouse/read/call-reads.ts';
import { ClickhouseOverviews } from '../../../src/storage/clickhouse/read/clickhouse-overviews.ts';
import { ClickhouseThreads } from '../../../src/storage/clickhouse/read/clickhouse-threads.ts';
import { CallWriter } from '../../../src/storage/clickhouse/write/call-writer.ts';
import type { CallPlan, Condition } from '../../../src/storage/contract/plan.ts';
import { outlinePlanOf } from '../../../src/storage/values/overviews/overview-plan.ts';
import { bind, raw, sql } from '../../../src/storage/sql/sql.ts';

/** The address of what only looks like a server. */
async function serverOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A connection to it. */
async function connectionTo(
  answer: RequestListener,
  options: { readonly max_open_connections?: number } = {},
): Promise<Connection> {
  const url = await serverOf(answer);
  const client = () => createClient({ url, log: { level: ClickHouseLogLevel.OFF }, ...options });
  const connection = new Connection(client(), { streams: client() });
  onTestFinished(() => connection.close());
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

test('a statement that takes longer than a silent server is waited for is carried out to its end', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (head: Buffer) => {
      const isTelling = head.includes('send_progress_in_http_headers=1');
      let told = 0;
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => {
        told += 1;
        if (isTelling) socket.write(`X-ClickHouse-Progress: {"read_rows":"${told}"}\r\n`);
        if (told === 30) socket.end('Content-Length: 0\r\nConnection: close\r\n\r\n');
      }, 100);
      socket.on('close', () => clearInterval(timer));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const client = createClient({ url, request_timeout: 2000, log: { level: ClickHouseLogLevel.OFF } });
  onTestFinished(async () => {
    await client.close();
    server.close();
  });
  const connection = new Connection(client);
  await connection.command(raw('INSERT INTO calls SELECT 1'));
  expect(await connection.all(raw('SELECT 1'), { deadlineMs: Infinity })).toEqual([]);
});

test('a server that says nothing until tables are changed is waited for longer than others', async () => {
  const url = await serverOf((_request, response) => void setTimeout(() => response.end(), 1500));
  const client = (ms: number) => createClient({ url, request_timeout: ms, log: { level: ClickHouseLogLevel.OFF } });
  const connection = new Connection(client(500), { patient: client(60_000) });
  onTestFinished(() => connection.close());
  await expect(connection.command(raw('INSERT INTO calls SELECT 1'))).rejects.toMatchObject({ code: 'unavailable' });
  await connection.alter(raw('ALTER TABLE calls MODIFY SETTING max_parts_in_total = 1'));
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
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      response.write('{"a":1}\n');
      if (!text.includes('endless')) response.end();
    });
  };
  const connection = await connectionTo(answer, { max_open_connections: 1 });
  const slow = connection.stream(raw('SELECT endless AS a'));
  expect(await slow.next()).toEqual({ done: false, value: [{ a: 1 }] });
  expect(await connection.all(raw('SELECT 1 AS a'), { deadlineMs: 2000 })).toEqual([{ a: 1 }]);
  await connection.insert('calls', [{ id: 'c1' }], { deadlineMs: 2000 });
  await slow.return(undefined);
});

test('exports that are read slowly keep no list, trace or facet waiting', async () => {
  const row = {
    id: 'c1',
    started_at: 1,
    bytes: 1,
    value: 'v',
    count: 1,
    usages: '',
    ended: 0,
    ranks: [],
    models: [],
  };
  const answer: RequestListener = (request, response) => {
    request.resume().on('end', () => {
      response.write(`${JSON.stringify(row)}\n`);
      if (request.url?.includes('endless') !== true) response.end();
    });
  };
  const connection = await connectionTo(answer, { max_open_connections: 1 });
  const reads = new CallReads(connection, async () => new Map());
  const sort = [{ field: { kind: 'time', column: 'ended_at' }, isDescending: true }] as const;
  const plan = { filter: {}, sort, offset: 0, bodies: new Set<never>() };
  const slow = connection.stream(sql`SELECT ${bind('endless')} AS id`);
  await slow.next();
  const soon = { deadlineMs: 2000 };
  const keysOf = async (projectId: string, more: Pick<CallPlan, 'limit'> & Partial<CallPlan>) => {
    for await (const keys of reads.keys({ ...plan, ...more, projectId }, soon)) return keys.length;
    return 0;
  };
  expect(await keysOf('p', { limit: 10, filter: { traceIds: ['t1'] } })).toBe(1);
  expect(await keysOf('p', { filter: { callIds: ['c1'] } })).toBe(1);
  const overviews = new ClickhouseOverviews(
    connection,
    new ClickhouseCalls(connection, new CallWriter(connection, 0), reads),
    reads,
  );
  const outlines = overviews.outlines(outlinePlanOf({ projectId: 'p', traceId: 't1' }), soon);
  expect((await outlines.next()).done).toBe(false);
  const facet = { field: { kind: 'text', column: 'op_name' }, limit: 5 } as const;
  const found = await overviews.aggregate({ projectId: 'p', filter: {}, facets: [facet] }, soon);
  expect(found.facets).toHaveLength(1);
  const threads = new ClickhouseThreads(connection).query({ projectId: 'p', offset: 0, sort: [] }, soon);
  await threads.next();
  await slow.return(undefined);
});

test('a list whose conditions are evaluated here waits for nobody while its keys still come', async () => {
  // So large a call is read by itself, before other keys have come.
  const row = { id: 'c1', started_at: 1, bytes: 1e9, inputs: '{"text":"a needle"}' };
  const answer: RequestListener = (request, response) => {
    let text = request.url ?? '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      response.write(`${JSON.stringify(row)}\n`);
      // Bodies of a page are read by one thread; of keys more may come as long as nobody has said otherwise.
      if (text.includes('max_threads')) response.end();
    });
  };
  const connection = await connectionTo(answer, { max_open_connections: 1 });
  const reads = new CallReads(connection, async () => new Map());
  const condition: Condition = {
    kind: 'contains',
    input: { kind: 'json', column: 'inputs', path: ['text'] },
    substr: { kind: 'literal', value: 'needle' },
    isCaseSensitive: false,
  };
  const plan = { projectId: 'p', filter: {}, condition, sort: [], offset: 0, limit: 10, bodies: new Set<never>() };
  const keys = reads.keys(plan, { deadlineMs: 2000 });
  expect(await keys.next()).toMatchObject({ done: false, value: [{ id: 'c1' }] });
  await keys.return(undefined);
});

test('a read of all rows ends in time, also when its first ones have come', async () => {
  const connection = await connectionTo((_request, response) => {
    response.write('{"a":1}\n');
  });
  const late = connection.all(raw('SELECT 1 AS a'), { deadlineMs: 100 });
  await expect(late).rejects.toMatchObject({ code: 'query_timeout' });
});

test('a read of all rows is bounded by a minute where nobody says otherwise', async () => {
  const asked: URLSearchParams[] = [];
  const connection = await connectionTo((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://here').searchParams);
    response.end('{"a":1}\n');
  });
  await connection.all(raw('SELECT 1 AS a'));
  await connection.all(raw('SELECT 1 AS a'), { deadlineMs: Infinity });
  expect(asked.map((one) => one.get('max_execution_time'))).toEqual(['61', null]);
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
  await connection.command(raw('INSERT INTO calls SELECT 1'));
  expect(asked).toBe(6);
});

test('a removal, or what counts by when it is carried out, is not sent again: the first may go on in the server', async () => {
  let asked = 0;
  const connection = await connectionTo((request) => {
    asked += 1;
    request.socket.destroy();
  });
  await expect(connection.remove(raw('DELETE FROM calls WHERE 1'))).rejects.toMatchObject({ code: 'unavailable' });
  await expect(connection.commandOnce(raw('INSERT INTO leases SELECT 1'))).rejects.toMatchObject({
    code: 'unavailable',
  });
  expect(asked).toBe(2);
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

test('a read that nobody waits for any more is not tried again', async () => {
  const left = new AbortController();
  let asked = 0;
  const client = createClient({ log: { level: ClickHouseLogLevel.OFF } });
  client.query = async () => {
    asked += 1;
    left.abort(new Error('left'));
    throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  };
  const connection = new Connection(client);
  onTestFinished(() => connection.close());
  await expect(connection.all(raw('SELECT 1 AS a'), { signal: left.signal })).rejects.toThrow('left');
  expect(asked).toBe(1);
});
