import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { digestJson, digestTable } from '../../src/protocol/values/digest.ts';
import { type Engine, ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

async function start(storage: Engine): Promise<RunningServer> {
  const server = await startServer({ storage });
  onTestFinished(() => server.close());
  return server;
}

const AT = '2026-01-01T00:00:00Z';
const LARGE = 'x'.repeat(4.5 * 1024 * 1024);
const startOf = (id: string, inputs: object) => ({
  project_id: PROJECT,
  id,
  op_name: 'f',
  trace_id: 't',
  started_at: AT,
  inputs,
});

test.each(ENGINES)('a large batch in %s is what small ones are', async (storage) => {
  const server = await start(storage);
  const inputs = [{ text: LARGE }, { ref: `svc:///${PROJECT}/call/c9`, number: 1, half: 0.5 }];
  const batch = inputs.map((input, index) => ({ mode: 'start', req: { start: startOf(`c${index}`, input) } }));
  const { status, body } = await server.post('/call/upsert_batch', { batch });
  expect([status, body]).toEqual([
    200,
    {
      res: [
        { id: 'c0', trace_id: 't' },
        { id: 'c1', trace_id: 't' },
      ],
    },
  ]);
  for (const [index, input] of inputs.entries()) {
    const read = await server.post('/call/read', { project_id: PROJECT, id: `c${index}` });
    expect((read.body as { call: { inputs: object } }).call.inputs).toEqual(input);
  }
});

test.each(ENGINES)('a large object in %s is what small ones are', async (storage) => {
  const server = await start(storage);
  const val = { text: LARGE, é: ['x', '😀'.repeat(200_000), { b: null, a: ['\u0000', 1] }] };
  const created = await server.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'o', val } });
  const { digest } = created.body as { digest: string };
  expect(digest).toBe(digestJson(val));
  const object = await server.post('/obj/read', { project_id: PROJECT, object_id: 'o', digest });
  expect((object.body as { obj: { val: object } }).obj.val).toEqual(val);
});

test.each([262_141, 262_142, 262_143, 262_144])(
  'an escaped code unit at byte %i is replaced as in a small object',
  async (offset) => {
    const server = await start('memory');
    const create = async (textOf: (before: string) => string) => {
      const before = `{"obj":{"project_id":"${PROJECT}","object_id":"o","val":"`;
      return await server.post('/obj/create', `${before}${textOf('x'.repeat(offset - before.length))}"}}`);
    };
    const escaped = await create((text) => String.raw`${text}\ud800`);
    expect(escaped).toMatchObject({ status: 200 });
    expect(escaped.body).toEqual((await create((text) => `${text}\ufffd`)).body);
  },
);

test.each(ENGINES)('a large table in %s, and any update, is what small ones are', async (storage) => {
  const server = await start(storage);
  const rows = [{ text: LARGE }, { index: 1 }, { index: 2 }];
  const table = await server.post('/table/create', { table: { project_id: PROJECT, rows } });
  const made = table.body as { digest: string; row_digests: string[] };
  expect(made.row_digests).toHaveLength(3);
  const updates = [{ pop: { index: 0 } }, { append: { row: { index: 3 } } }];
  const updated = await server.post('/table/update', { project_id: PROJECT, base_digest: made.digest, updates });
  const { digest } = updated.body as { digest: string };
  const { body } = await server.post('/table/query', { project_id: PROJECT, digest });
  expect((body as { rows: { val: object }[] }).rows.map(({ val }) => val)).toEqual(
    [1, 2, 3].map((index) => ({ index })),
  );
});

test.each(ENGINES)('a large file in %s is what small ones are', async (storage) => {
  const server = await start(storage);
  const sent = { project_id: PROJECT, name: 'n', content: Buffer.alloc(4 * 1024 * 1024, 7).toString('base64') };
  const file = await server.post('/file/create', sent);
  const asked = { project_id: PROJECT, digest: (file.body as { digest: string }).digest };
  const got = await server.post('/file/content', asked, { accept: 'application/json' });
  expect((got.body as { content: string }).content === sent.content).toBe(true);
});

/** A query has few megabytes at most, but for blanks. */
const QUERY = JSON.stringify({
  project_id: PROJECT,
  query: { $expr: { $in: [{ $getField: 'op_name' }, [{ $literal: 'op' }]] } },
}).padEnd(LARGE.length);

/** What is wrong with a large body, and the answer to it. */
const REFUSALS: readonly (readonly [string, string, unknown, number, string])[] = [
  ['is not JSON', '/call/start', `{"start":"${LARGE}`, 400, 'invalid_json'],
  [
    'breaks the schema',
    '/call/start',
    { start: { ...startOf('c', { a: LARGE }), op_name: 1 } },
    422,
    'validation_error',
  ],
  ['has a bad id', '/call/start', { start: startOf('?', { a: LARGE }) }, 400, 'invalid_id'],
  [
    'has a bad id within a batch',
    '/call/end',
    { end: { project_id: PROJECT, id: '?', ended_at: AT, output: LARGE } },
    400,
    'invalid_id',
  ],
  ['has unknown keys', '/call/read', { project_id: PROJECT, id: 'c', [LARGE]: 1 }, 422, 'validation_error'],
  [
    'has an unknown value',
    '/calls/delete',
    { project_id: PROJECT, call_ids: ['c'], unknown: LARGE },
    422,
    'validation_error',
  ],
  [
    'has 400,000 keys',
    '/call/read',
    Object.fromEntries(Array.from({ length: 400_000 }, (_, i) => [`k${i}`, 1])),
    422,
    'validation_error',
  ],
  ['has too many items', '/call/upsert_batch', `{"batch":[${'{},'.repeat(500_000)}{}]}`, 400, 'too_many_items'],
  ['takes too much memory', '/call/start', `{"start":[${'{},'.repeat(2_000_000)}{}]}`, 413, 'payload_too_large'],
  [
    'is for another project',
    '/v2/acme/other/call/start',
    { start: startOf('c', { a: LARGE }) },
    400,
    'invalid_request',
  ],
];

test.each(REFUSALS)('a large body that %s is refused', async (_name, path, body, status, code) => {
  const server = await start('memory');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await server.send(path, { method: 'POST', body: text });
  expect([answer.status, (answer.body as { error_code: string }).error_code]).toEqual([status, code]);
  // A key of megabytes is not sent back.
  expect(answer.text.length).toBeLessThan(50_000);
});

test('a large query is answered, and those that are no query are refused', async () => {
  const server = await start('sqlite');
  const answer = await server.send('/calls/query_stats', { method: 'POST', body: QUERY });
  expect(answer).toMatchObject({ status: 200, body: { count: 0 } });
  const literal = { $literal: Array.from({ length: 300_000 }, () => ({})) };
  const query = { $expr: { $eq: [{ $getField: 'op_name' }, literal] } };
  const { status } = await server.post('/calls/query_stats', { project_id: PROJECT, query });
  expect(status).toBe(413);
});

test.each([50_000, 100_000, 200_000])(
  'a query with an object of %i keys is refused in the thread that reads it',
  async (count) => {
    const server = await start('memory');
    const keys = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
    const { status, body } = await server.post('/calls/query_stats', { project_id: PROJECT, query: { $expr: keys } });
    expect([status, body]).toMatchObject([413, { error_code: 'payload_too_large' }]);
  },
);

test.each([1, 2])('%i lists of 10,000 items each are a query', async (lists) => {
  const server = await start('memory');
  const literals = Array.from({ length: 10_000 }, (_, index) => ({ $literal: `op${index}` }));
  const $in = [{ $getField: 'op_name' }, literals];
  const query = { $expr: { $or: Array.from({ length: lists }, () => ({ $in })) } };
  const { status, body } = await server.post('/calls/query_stats', { project_id: PROJECT, query });
  expect([status, body]).toMatchObject([200, { count: 0 }]);
});

/** Bodies that are short, and many values. */
const MANY: readonly (readonly [string, string, object])[] = [
  ['an object', '/obj/create', { obj: { project_id: PROJECT, object_id: 'o', val: Array(60_000).fill(1) } }],
  [
    'a fifth of them, which get a text for their digest,',
    '/obj/create',
    {
      obj: { project_id: PROJECT, object_id: 'o', val: Array(13_000).fill(1) },
    },
  ],
  [
    'a mebibyte of text',
    '/obj/create',
    {
      obj: { project_id: PROJECT, object_id: 'o', val: LARGE.slice(0, 1.1 * 1024 * 1024) },
    },
  ],
  [
    'empty lists',
    '/obj/create',
    { obj: { project_id: PROJECT, object_id: 'o', val: Array.from({ length: 30_000 }, () => []) } },
  ],
  [
    'a feedback payload',
    '/feedback/create',
    {
      project_id: PROJECT,
      svc_ref: `svc:///${PROJECT}/call/x`,
      feedback_type: 't',
      payload: { v: Array(60_000).fill(1) },
    },
  ],
];

test.each(MANY)('many values in %s are read in the thread for large bodies', async (_name, path, body) => {
  const server = await start('memory');
  const thread = nextThread();
  expect((await server.post(path, body)).status).toBe(200);
  expect((await thread).threadId).toBeGreaterThan(0);
});

test('many messages of protobuf are read in the thread for large bodies', async () => {
  const server = await start('memory');
  const thread = nextThread();
  const body = Buffer.alloc(40_000);
  for (let index = 0; index < body.length; index += 2) body[index] = 0x0a;
  const headers = { project_id: PROJECT, 'content-type': 'application/x-protobuf' };
  expect((await server.send('/otel/v1/traces', { method: 'POST', body, headers })).status).toBe(200);
  expect((await thread).threadId).toBeGreaterThan(0);
});

/** Rows that are read in several portions. */
const ROWS = Array.from({ length: 60_000 }, (_, index) => ({ n: index % 50_000, text: index % 7 === 0 ? 'é"\\' : '' }));

test.each(ENGINES)('a table of many rows in %s is what its rows are one by one', async (storage) => {
  const server = await start(storage);
  const table = { project_id: PROJECT, rows: ROWS };
  const { status, body } = await server.post('/table/create', { table });
  expect(status).toBe(200);
  const digests = ROWS.map((row) => digestJson(row));
  expect(body).toEqual({ digest: digestTable(digests), row_digests: digests });
  const { digest } = body as { digest: string };
  const page = await server.post('/table/query', { project_id: PROJECT, digest, offset: 59_990 });
  expect((page.body as { rows: { val: object }[] }).rows.map(({ val }) => val)).toEqual(ROWS.slice(59_990));
  for (const headers of [{ 'svc-dialect': 'w' }, { 'accept-encoding': 'gzip' }]) {
    expect((await server.post('/table/create', { table }, headers)).body).toEqual(body);
  }
});

/** A row that comes or goes at places all over a table, and now and then one behind its end. */
function updateAt(index: number, length: number): { insert?: object; pop?: { index: number }; append?: object } {
  const at = (index * 7919) % length;
  if (index % 3 === 0) return { pop: { index: at } };
  return index % 3 === 1 ? { insert: { index: at, row: { index } } } : { append: { row: { index: index % 100 } } };
}

test.each(ENGINES)('many updates of a table of many rows in %s are what they are of a list', async (storage) => {
  const server = await start(storage);
  const made = await server.post('/table/create', { table: { project_id: PROJECT, rows: ROWS } });
  const { digest: base, row_digests: digests } = made.body as { digest: string; row_digests: string[] };
  const touched: (string | undefined)[] = [];
  const updates = Array.from({ length: 3000 }, (_, index) => {
    const update = updateAt(index, digests.length);
    const { pop, insert, append } = update as Record<string, { index?: number; row?: object } | undefined>;
    const came = insert ?? append;
    const digest = came && digestJson(came.row as never);
    const at = (pop ?? insert)?.index ?? digests.length;
    const gone = digest === undefined ? digests.splice(at, 1) : digests.splice(at, 0, digest);
    touched.push(digest ?? gone[0]);
    return update;
  });
  const sent = { project_id: PROJECT, base_digest: base, updates };
  const { status, body } = await server.post('/table/update', sent);
  expect(status).toBe(200);
  expect(body).toEqual({ digest: digestTable(digests), updated_row_digests: touched });
  expect((await server.post('/table/update', sent)).body).toEqual(body);
  const { digest } = body as { digest: string };
  const page = await server.post('/table/query', { project_id: PROJECT, digest, offset: digests.length - 2 });
  const [last] = (page.body as { rows: { digest: string; original_index: number }[] }).rows.slice(-1);
  expect([last?.digest, last?.original_index]).toEqual([digests.at(-1), digests.length - 1]);
  const beyond = { ...sent, updates: [...updates, { pop: { index: digests.length } }] };
  expect((await server.post('/table/update', beyond)).body).toMatchObject({ error_code: 'invalid_request' });
});

test('a table of many rows with another digest than the expected one is not stored', async () => {
  const server = await start('memory');
  const table = { project_id: PROJECT, rows: ROWS, expected_digest: 'other' };
  const { status, body } = await server.post('/table/create', { table });
  expect([status, body]).toMatchObject([409, { error_code: 'digest_mismatch' }]);
  const digest = digestTable(ROWS.map((row) => digestJson(row)));
  expect((await server.post('/table/query', { project_id: PROJECT, digest })).body).toEqual({ rows: [] });
});

test('a wrong row of many is refused by its place, and nothing is stored', async () => {
  const server = await start('memory');
  const rows = [...ROWS, 1, ...ROWS, []];
  const { status, body } = await server.post('/table/create', { table: { project_id: PROJECT, rows } });
  const at = (index: number) => ({ loc: ['body', 'table', 'rows', index], type: 'dict_type' });
  expect([status, body]).toMatchObject([422, { detail: [at(ROWS.length), at(rows.length - 1)] }]);
});

test('a large body in the dialect of the vendor is read in it', async () => {
  const server = await start('memory');
  const started = { ...startOf('c1', { text: LARGE }), wb_run_step: 5, wb_user_id: 'someone' };
  const headers = { 'svc-dialect': 'w' };
  expect((await server.post('/call/start', { start: started }, headers)).status).toBe(200);
  const { body } = await server.post('/call/read', { project_id: PROJECT, id: 'c1' });
  expect((body as { call: { svc_run_step: number } }).call.svc_run_step).toBe(5);
});

test('attempts of one large request have one id', async () => {
  const server = await start('memory');
  const { id: _id, ...rest } = startOf('', { text: LARGE });
  const ids = await Promise.all(
    [1, 2].map(async () => (await server.post('/call/start', { start: rest }, { 'svc-retry-id': 'r1' })).body),
  );
  expect(ids[0]).toEqual(ids[1]);
});

test('an export of many spans goes the same way', async () => {
  const server = await start('sqlite');
  const spans = Array.from({ length: 3000 }, (_, index) => ({
    traceId: '1'.repeat(32),
    spanId: (index + 1).toString(16).padStart(16, '0'),
    name: 's',
    startTimeUnixNano: '1767225600000000000',
    attributes: Array.from({ length: 10 }, (_member, i) => ({ key: `k${i}`, value: { stringValue: 'x'.repeat(100) } })),
  }));
  const body = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
  const { status, text } = await server.post('/otel/v1/traces', body, { project_id: PROJECT });
  expect([status, text]).toEqual([200, '{}']);
  expect((await server.post('/calls/query_stats', { project_id: PROJECT })).body).toMatchObject({ count: 3000 });
});

const large = () => ({ start: startOf('c1', { text: LARGE }) });

/** The next thread that is started. */
async function nextThread(): Promise<Worker> {
  const [worker] = (await once(process, 'worker')) as [Worker];
  return worker;
}

test('large bodies are read again after their thread could not start', async () => {
  const server = await start('memory');
  const thread = nextThread();
  const first = server.post('/call/start', large());
  await (await thread).terminate();
  expect(await first).toMatchObject({ status: 503, body: { error_code: 'unavailable' } });
  expect((await server.post('/call/start', large())).status).toBe(200);
});

test('large bodies are read again after their thread has ended between two of them', async () => {
  const server = await start('memory');
  const thread = nextThread();
  expect((await server.post('/call/start', large())).status).toBe(200);
  await (await thread).terminate();
  expect((await server.post('/call/start', large())).status).toBe(200);
});

test('a large body whose thread ends while it is read may be sent again', async () => {
  const server = await start('memory');
  const thread = nextThread();
  expect((await server.post('/call/start', large())).status).toBe(200);
  const worker = await thread;
  const post = worker.postMessage.bind(worker);
  worker.postMessage = (...message: Parameters<typeof post>) => {
    post(...message);
    void worker.terminate();
  };
  expect(await server.post('/call/start', large())).toMatchObject({ status: 503, body: { error_code: 'unavailable' } });
  expect((await server.post('/call/start', large())).status).toBe(200);
});
