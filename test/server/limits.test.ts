import { expect, onTestFinished, test } from 'vitest';
import type { ErrorCode } from '../../src/protocol/error.ts';
import { ERROR_CODES, TracingError } from '../../src/protocol/error.ts';
import { DEFAULT_LIMITS, type Limits } from '../../src/protocol/limits.ts';
import { RUN_HEADER } from '../../src/protocol/process-run.ts';
import type { ServerOptions } from '../../src/server/create-server.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import { type Answer, PROJECT, type RunningServer, startServer } from './running-server.ts';

async function start(options: ServerOptions): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** A limit that refuses a request which is by one too large, and takes the one before. */
interface Refusal {
  readonly max: number;
  /** Sends a request that is as large as the number says. */
  readonly send: (server: RunningServer, size: number) => Promise<Answer>;
  readonly code: ErrorCode;
  /** Answer to what is just within the limit. @default 200 */
  readonly within?: number;
}

const started = { project_id: PROJECT, op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
const startOf = (id: string, fields: object = {}) => ({
  start: { ...started, id, attributes: {}, inputs: {}, ...fields },
});
const endOf = (id: string, fields: object = {}) => ({
  end: { project_id: PROJECT, id, ended_at: '2026-01-01T00:00:01Z', summary: {}, ...fields },
});

const repeat = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
/** One character of two UTF-16 units, which still is one. */
const faces = (count: number) => '😀'.repeat(count);
/** JSON text of an exact length. */
const padded = (value: unknown, bytes: number) => JSON.stringify(value).padEnd(bytes);

async function createObject(server: RunningServer, val: unknown, object_id = 'o'): Promise<Answer> {
  return await server.post('/obj/create', { obj: { project_id: PROJECT, object_id, val } });
}

const createFeedback = (server: RunningServer, feedback_type: string, payload: object) =>
  server.post('/feedback/create', {
    project_id: PROJECT,
    svc_ref: `svc:///${PROJECT}/call/c1`,
    feedback_type,
    payload,
  });

const createTable = (server: RunningServer, rows: readonly object[]) =>
  server.post('/table/create', { table: { project_id: PROJECT, rows } });

const count = (server: RunningServer, fields: object) =>
  server.post('/calls/query_stats', { project_id: PROJECT, ...fields });

const query = (server: RunningServer, fields: object) =>
  server.post('/calls/stream_query', { project_id: PROJECT, ...fields });

const price = { prompt_token_cost: 1, completion_token_cost: 1 };
const isTrue = { $eq: [{ $literal: 1 }, { $literal: 1 }] };

/** `$not` in `$not`; a comparison is two levels, itself and its operands. */
const negated = (depth: number): object => (depth <= 2 ? isTrue : { $not: [negated(depth - 1)] });

async function refTo(server: RunningServer, val: unknown): Promise<string> {
  const { body } = await createObject(server, val);
  return `svc:///${PROJECT}/object/o:${(body as { digest: string }).digest}`;
}

const REFUSALS: Partial<Record<keyof Limits, Refusal>> = {
  request_bytes: {
    max: 200,
    send: (server, size) => server.post('/call/read', padded({ project_id: PROJECT, id: 'c' }, size)),
    code: 'payload_too_large',
  },
  file_request_bytes: {
    max: 200,
    send: (server, size) =>
      server.post('/file/create', padded({ project_id: PROJECT, name: 'f', content: 'eA==' }, size)),
    code: 'payload_too_large',
  },
  file_bytes: {
    max: 1000,
    send: async (server, size) => {
      const body = new FormData();
      body.set('project_id', PROJECT);
      body.set('file', new Blob([new Uint8Array(size)]), 'f');
      const headers = { authorization: `Bearer ${server.apiKey}` };
      const response = await fetch(`${server.url}/file/create`, { method: 'POST', headers, body });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
    },
    code: 'payload_too_large',
  },
  file_json_bytes: {
    max: 1000,
    send: (server, size) => {
      const content = Buffer.alloc(size).toString('base64');
      return server.post('/file/create', { project_id: PROJECT, name: 'f', content });
    },
    code: 'payload_too_large',
  },
  object_bytes: {
    max: 100,
    send: (server, size) => createObject(server, 'x'.repeat(size - 2)),
    code: 'payload_too_large',
  },
  row_bytes: {
    max: 100,
    send: (server, size) => createTable(server, [{ a: 'x'.repeat(size - '{"a": ""}'.length) }]),
    code: 'payload_too_large',
  },
  feedback_payload_bytes: {
    max: 100,
    send: (server, size) => createFeedback(server, 'own', { a: 'x'.repeat(size - '{"a": ""}'.length) }),
    code: 'invalid_request',
  },
  json_depth: { max: 10, send: (server, size) => createObject(server, nested(size)), code: 'payload_too_large' },
  body_depth: { max: 10, send: (server, size) => createObject(server, nested(size - 2)), code: 'payload_too_large' },
  op_name_characters: {
    max: 10,
    send: (server, size) => server.post('/call/start', startOf('c1', { op_name: faces(size) })),
    code: 'invalid_request',
  },
  object_id_characters: {
    max: 10,
    send: (server, size) => createObject(server, 1, '𝒳'.repeat(size)),
    code: 'invalid_object_id',
  },
  display_name_characters: {
    max: 10,
    send: async (server, size) => {
      await server.post('/call/start', startOf('c1'));
      return await server.post('/call/update', { project_id: PROJECT, call_id: 'c1', display_name: faces(size) });
    },
    code: 'invalid_request',
  },
  note_characters: {
    max: 10,
    send: (server, size) => createFeedback(server, 'svc.note.1', { note: faces(size) }),
    code: 'invalid_request',
  },
  filter_items: {
    max: 3,
    send: (server, size) => count(server, { filter: { call_ids: repeat(size, (index) => `c${index}`) } }),
    code: 'too_many_items',
  },
  refs_per_batch: {
    max: 3,
    send: async (server, size) => {
      const ref = await refTo(server, 1);
      return await server.post('/refs/read_batch', { refs: repeat(size, () => ref) });
    },
    code: 'too_many_items',
  },
  ref_value_bytes: {
    max: 100,
    send: async (server, size) =>
      await server.post('/refs/read_batch', { refs: [await refTo(server, 'x'.repeat(size - 2))] }),
    code: 'payload_too_large',
  },
  calls_per_delete: {
    max: 3,
    send: (server, size) =>
      server.post('/calls/delete', { project_id: PROJECT, call_ids: repeat(size, (index) => `c${index}`) }),
    code: 'too_many_items',
  },
  costs_per_create: {
    max: 3,
    send: (server, size) => {
      const costs = Object.fromEntries(repeat(size, (index) => [`m${index}`, price]));
      return server.post('/cost/create', { project_id: PROJECT, costs });
    },
    code: 'too_many_items',
  },
  digests_per_delete: {
    max: 3,
    send: (server, size) => {
      const digests = repeat(size, (index) => `v${index}`);
      return server.post('/obj/delete', { project_id: PROJECT, object_id: 'o', digests });
    },
    code: 'too_many_items',
    within: 404,
  },
  batch_items: {
    max: 3,
    send: (server, size) => {
      const batch = repeat(size, (index) => ({ mode: 'start', req: startOf(`c${index}`) }));
      return server.post('/call/upsert_batch', { batch });
    },
    code: 'too_many_items',
  },
  in_items: {
    max: 3,
    send: (server, size) => {
      const items = repeat(size, (index) => ({ $literal: index }));
      return count(server, { query: { $expr: { $in: [{ $getField: 'id' }, items] } } });
    },
    code: 'too_many_items',
  },
  table_updates: {
    max: 3,
    send: async (server, size) => {
      const { digest } = (await createTable(server, [])).body as { digest: string };
      const updates = repeat(size, (index) => ({ append: { row: { index } } }));
      return await server.post('/table/update', { project_id: PROJECT, base_digest: digest, updates });
    },
    code: 'too_many_items',
  },
  rows_per_table: {
    max: 3,
    send: (server, size) =>
      createTable(
        server,
        repeat(size, (index) => ({ index })),
      ),
    code: 'too_many_items',
  },
  query_depth: {
    max: 5,
    send: (server, size) => count(server, { query: { $expr: negated(size) } }),
    code: 'invalid_request',
  },
  query_nodes: {
    max: 10,
    // A comparison of two literals is three nodes, and `$and` is one.
    send: (server, size) =>
      count(server, { query: { $expr: { $and: [...repeat(size - 7, () => ({ $literal: true })), isTrue, isTrue] } } }),
    code: 'invalid_request',
  },
  query_items: {
    max: 3,
    send: (server, size) => {
      const list = (length: number) => ({
        $in: [{ $getField: 'id' }, repeat(length, (index) => ({ $literal: index }))],
      });
      return count(server, { query: { $expr: { $or: [list(1), list(size - 1)] } } });
    },
    code: 'too_many_items',
  },
  literal_characters: {
    max: 20,
    // Texts, keys and numbers count, also in the list of `$in`.
    send: (server, size) => {
      const listed = { $in: [{ $getField: 'id' }, [{ $literal: 'four' }]] };
      const values = ['x'.repeat(size - 12), { ab: ['c'] }].map((value) => ({ $literal: value }));
      return count(server, { query: { $expr: { $or: [listed, { $eq: values }] } } });
    },
    code: 'invalid_request',
  },
  searched_characters: {
    max: 20,
    // A field is searched by the storage.
    send: (server, size) => {
      const [long, text, part] = ['x'.repeat(50), 'x'.repeat(size - 10), 'abcd'].map((value) => ({ $literal: value }));
      const searches = [
        { $contains: { input: { $getField: 'id' }, substr: long } },
        { $contains: { input: text, substr: part } },
        { $containsToken: { input: { $literal: [] }, substr: part } },
      ];
      return count(server, { query: { $expr: { $or: searches } } });
    },
    code: 'invalid_request',
  },
  query_feedback: {
    max: 3,
    // A list is one comparison, whatever is in it.
    send: (server, size) => {
      const said = { $getField: 'feedback.[n].payload.v' };
      const listed = { $in: [said, [{ $literal: 1 }, { $getField: 'inputs.a' }]] };
      const compared = repeat(size - 1, (index) => ({ $gt: [said, { $literal: index }] }));
      return count(server, { query: { $expr: { $or: [listed, ...compared] } } });
    },
    code: 'invalid_request',
  },
  path_characters: {
    max: 10,
    send: (server, size) => query(server, { sort_by: [{ field: `inputs.${'a'.repeat(size - 7)}`, direction: 'asc' }] }),
    code: 'invalid_request',
  },
  query_path_characters: {
    max: 40,
    send: (server, size) => {
      const fields = repeat(2, (index) => ({ $getField: `inputs.${'a'.repeat(index === 0 ? 5 : size - 19)}` }));
      return count(server, { query: { $expr: { $eq: fields } } });
    },
    code: 'invalid_request',
  },
  sort_items: {
    max: 3,
    send: (server, size) => query(server, { sort_by: repeat(size, () => ({ field: 'id', direction: 'asc' })) }),
    code: 'too_many_items',
  },
  expand_columns: {
    max: 3,
    send: (server, size) => query(server, { expand_columns: repeat(size, (index) => `inputs.a${index}`) }),
    code: 'too_many_items',
  },
  columns: {
    max: 3,
    send: (server, size) => query(server, { columns: repeat(size, (index) => `inputs.a${index}`) }),
    code: 'too_many_items',
  },
};

test.each(Object.entries(REFUSALS))('%s: one more is refused', async (key, { max, send, code, within = 200 }) => {
  const server = await start({ limits: { [key]: max } });
  expect((await server.get('/server_info')).body).toMatchObject({ limits: { [key]: max } });
  const taken = await send(server, max);
  expect([taken.status, taken.text]).toEqual([within, expect.any(String)]);
  const refused = await send(server, max + 1);
  expect([refused.status, refused.body]).toEqual([
    ERROR_CODES[code].status,
    { reason: expect.any(String), error_code: code, request_id: refused.headers.get('svc-request-id') },
  ]);
});

/** A storage whose streams give what is there and then nothing until they are left. */
function stallingStorage() {
  const storage = openMemoryStorage();
  const { calls } = storage;
  const readAll = calls.query.bind(calls);
  const stalling: typeof calls.query = async function* (plan, options) {
    yield* readAll(plan, options);
    await new Promise(() => undefined);
  };
  return { ...storage, calls: Object.assign(calls, { query: stalling }) };
}

/** Limits that do something else than refuse a request for its size. */
const EFFECTS: Partial<Record<keyof Limits, () => Promise<void>>> = {
  call_bytes: async () => {
    const server = await start({ limits: { call_bytes: 1000 } });
    const long = { text: 'x'.repeat(900) };
    await server.post('/call/start', startOf('c1', { attributes: { a: 1 }, inputs: long, otel_dump: { big: long } }));
    await server.post(
      '/call/start',
      startOf('c2', { inputs: { text: 'x'.repeat(2000) }, otel_dump: { big: [long, long] } }),
    );
    const placeholder = { _svc: { error: '<EXCEEDS_LIMITS>' } };
    const read = async (id: string) => (await server.post('/call/read', { project_id: PROJECT, id })).body;
    expect(await read('c1')).toMatchObject({ call: { inputs: long, attributes: { otel_span: { big: long } } } });
    expect(await read('c2')).toMatchObject({ call: { inputs: placeholder, attributes: { otel_span: placeholder } } });
  },
  body_memory_bytes: async () => {
    const server = await start({ limits: { body_memory_bytes: 100_000 } });
    const objects = (size: number) =>
      createObject(
        server,
        repeat(size, () => ({})),
      );
    expect(await objects(800)).toMatchObject({ status: 200 });
    expect(await objects(1600)).toMatchObject({ status: 413, body: { error_code: 'payload_too_large' } });
    // In a large body a value may take as much as ordinary ones do.
    const text = 'x'.repeat(100_000);
    expect(await createObject(server, [text, ...repeat(2000, () => ({}))])).toMatchObject({ status: 200 });
  },
  exception_bytes: async () => {
    const server = await start({ limits: { exception_bytes: 100 } });
    await server.post('/call/start', startOf('c1'));
    await server.post('/call/end', endOf('c1', { exception: '😀'.repeat(100) }));
    const { body } = await server.post('/call/read', { project_id: PROJECT, id: 'c1' });
    const { exception } = (body as { call: { exception: string } }).call;
    expect(exception).toMatch(/^😀+ …\[truncated\]$/u);
    expect(Buffer.byteLength(exception)).toBeLessThanOrEqual(100 + ' …[truncated]'.length + 2);
  },
  sorted_bytes: async () => {
    const server = await start({ limits: { sorted_bytes: 3000 } });
    const val = await refTo(server, { name: 'n' });
    for (const id of ['c1', 'c2', 'c3']) {
      await server.post('/call/start', startOf(id, { inputs: { ref: val, text: 'x'.repeat(1000) } }));
    }
    const sorted = (limit: number) =>
      query(server, {
        expand_columns: ['inputs.ref'],
        sort_by: [{ field: 'inputs.ref.name', direction: 'asc' }],
        limit,
      });
    expect((await sorted(1)).status).toBe(200);
    expect(await sorted(3)).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } });
  },
  read_ms: async () => {
    const server = await start({ storage: 'sqlite', limits: { read_ms: 1 } });
    const inputs = { text: 'x'.repeat(20_000) };
    const batch = repeat(500, (index) => ({ mode: 'start', req: startOf(`c${index}`, { inputs }) }));
    expect((await server.post('/call/upsert_batch', { batch })).status).toBe(200);
    const input = { $getField: 'inputs.text' };
    const slow = { $expr: { $contains: { input, substr: { $literal: 'Y' }, case_insensitive: true } } };
    expect(await query(server, { query: slow })).toMatchObject({ status: 504, body: { error_code: 'query_timeout' } });
  },
  sums_ms: async () => {
    let deadlineMs: number | undefined;
    const storage = openMemoryStorage();
    const { runs } = storage;
    if (runs === undefined) throw new TypeError('The storage has runs');
    runs.sums = async (_plan, options) => {
      ({ deadlineMs } = options ?? {});
      throw new TracingError('query_timeout', 'Cannot add up the calls in time');
    };
    const server = await start({ storage, limits: { sums_ms: 20 } });
    await server.post('/call/start', startOf('c1'), { [RUN_HEADER]: 'id=p0f3c9a1b2c3d4e5f' });
    const { status, body } = await server.post('/x/runs/list', { project_id: PROJECT });
    expect({ status, body }).toMatchObject({ status: 200, body: { runs: [{ calls: null }] } });
    expect(deadlineMs).toBeLessThanOrEqual(20);
  },
  stream_ms: async () => {
    const server = await start({ storage: stallingStorage(), limits: { stream_ms: 50 } });
    await server.post('/call/start', startOf('c1'));
    const headers = { authorization: `Bearer ${server.apiKey}` };
    const body = JSON.stringify({ project_id: PROJECT });
    const response = await fetch(`${server.url}/calls/stream_query`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow('terminated');
    expect(await server.logged(response.headers.get('svc-request-id') ?? '')).toMatchObject({
      errorCode: 'query_timeout',
    });
  },
  streams_per_key: async () => {
    const server = await start({ storage: stallingStorage(), limits: { streams_per_key: 1 }, graceSeconds: 0.1 });
    await server.post('/call/start', startOf('c1'));
    const headers = { authorization: `Bearer ${server.apiKey}` };
    const body = JSON.stringify({ project_id: PROJECT });
    const first = await fetch(`${server.url}/calls/stream_query`, { method: 'POST', headers, body });
    expect(first.status).toBe(200);
    const second = await query(server, {});
    expect(second).toMatchObject({ status: 429, body: { error_code: 'rate_limited' } });
    expect(second.headers.get('retry-after')).toBe('1');
    await first.body?.cancel();
  },
};

test.each(Object.entries(EFFECTS))('%s holds', async (_key, provoke) => {
  expect.hasAssertions();
  await provoke();
});

test('every limit has its row', () => {
  const keys = [...Object.keys(REFUSALS), ...Object.keys(EFFECTS)];
  expect(keys.sort()).toEqual(Object.keys(DEFAULT_LIMITS).sort());
});

test('a limit that is lowered leaves what is there', async () => {
  const storage = openMemoryStorage();
  const before = await start({ storage: { ...storage, close: async () => undefined } });
  expect((await createObject(before, 1, 'long-name')).status).toBe(200);
  const after = await start({ storage, limits: { object_id_characters: 5 } });
  const version = { project_id: PROJECT, object_id: 'long-name', digest: 'latest' };
  expect((await after.post('/obj/read', version)).status).toBe(200);
  expect((await createObject(after, 2, 'long-name')).status).toBe(400);
});
