import { expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/protocol/endpoints.ts';
import { createReader, type Reader, type RequestOptions } from '../../src/reader/reader.ts';
import { answerJson, startAnsweringServer } from './answering-server.ts';

const PROJECT = 'acme/demo';
const START = { id: 'c1', op_name: 'f', started_at: '2026-01-01T00:00:00Z', inputs: { q: 'hi' } };
const END = { id: 'c1', ended_at: '2026-01-01T00:00:01Z', output: 1 };

/** One request of every endpoint, with the body it has to send and the answer and result that belong to it. */
const REQUESTS: readonly {
  readonly endpoint: keyof typeof ENDPOINTS;
  readonly send: (reader: Reader) => Promise<unknown>;
  readonly body?: unknown;
  readonly answer: unknown;
  readonly result: unknown;
}[] = [
  {
    endpoint: 'callStart',
    send: (reader) => reader.calls.start(START),
    body: { start: { ...START, project_id: PROJECT } },
    answer: { id: 'c1', trace_id: 't1' },
    result: { id: 'c1', trace_id: 't1' },
  },
  {
    endpoint: 'callEnd',
    send: (reader) => reader.calls.end(END),
    body: { end: { ...END, project_id: PROJECT } },
    answer: {},
    result: undefined,
  },
  {
    endpoint: 'callUpsertBatch',
    send: (reader) =>
      reader.calls.write([
        { mode: 'start', req: { start: START } },
        { mode: 'end', req: { end: { ...END, project_id: 'acme/other' } } },
      ]),
    body: {
      batch: [
        { mode: 'start', req: { start: { ...START, project_id: PROJECT } } },
        { mode: 'end', req: { end: { ...END, project_id: 'acme/other' } } },
      ],
    },
    answer: { res: [{ id: 'c1', trace_id: 't1' }] },
    result: [{ id: 'c1', trace_id: 't1' }],
  },
  {
    endpoint: 'callsDelete',
    send: (reader) => reader.calls.delete(['c1', 'c2']),
    body: { project_id: PROJECT, call_ids: ['c1', 'c2'] },
    answer: { num_deleted: 3 },
    result: 3,
  },
  {
    endpoint: 'callUpdate',
    send: (reader) => reader.calls.rename('c1', 'first try'),
    body: { project_id: PROJECT, call_id: 'c1', display_name: 'first try' },
    answer: {},
    result: undefined,
  },
  {
    endpoint: 'callRead',
    send: (reader) => reader.calls.get('c1', { include_costs: true }),
    body: { project_id: PROJECT, id: 'c1', include_costs: true },
    answer: { call: { id: 'c1' } },
    result: { id: 'c1' },
  },
  {
    endpoint: 'callsQueryStats',
    send: (reader) => reader.calls.stats({ filter: { trace_roots_only: true }, project_id: 'acme/other' }),
    body: { project_id: 'acme/other', filter: { trace_roots_only: true } },
    answer: { count: 2, total_storage_size_bytes: null },
    result: { count: 2, total_storage_size_bytes: null },
  },
  {
    endpoint: 'callsStreamQuery',
    send: async (reader) => (await reader.calls.query({ limit: 1 }).next()).value,
    body: { project_id: PROJECT, limit: 1 },
    answer: { id: 'c1' },
    result: { id: 'c1' },
  },
  {
    endpoint: 'costCreate',
    send: (reader) => reader.costs.create({ m: { prompt_token_cost: 1, completion_token_cost: 2 } }),
    body: { project_id: PROJECT, costs: { m: { prompt_token_cost: 1, completion_token_cost: 2 } } },
    answer: { ids: [['i', 'm']] },
    result: [['i', 'm']],
  },
  {
    endpoint: 'costQuery',
    send: (reader) => reader.costs.query({ limit: 1 }),
    body: { project_id: PROJECT, limit: 1 },
    answer: { results: [{ id: 'i' }] },
    result: [{ id: 'i' }],
  },
  {
    endpoint: 'costPurge',
    send: (reader) => reader.costs.purge(['i']),
    body: { project_id: PROJECT, query: { $expr: { $in: [{ $getField: 'id' }, [{ $literal: 'i' }]] } } },
    answer: {},
    result: undefined,
  },
  {
    endpoint: 'feedbackCreate',
    send: (reader) => reader.feedback.create({ svc_ref: 'r', feedback_type: 't', payload: {} }),
    body: { project_id: PROJECT, svc_ref: 'r', feedback_type: 't', payload: {} },
    answer: { id: 'i' },
    result: { id: 'i' },
  },
  {
    endpoint: 'feedbackQuery',
    send: (reader) => reader.feedback.query({ limit: 1 }),
    body: { project_id: PROJECT, limit: 1 },
    answer: { result: [{ id: 'i' }] },
    result: [{ id: 'i' }],
  },
  {
    endpoint: 'feedbackPurge',
    send: (reader) => reader.feedback.purge(['i']),
    body: { project_id: PROJECT, query: { $expr: { $in: [{ $getField: 'id' }, [{ $literal: 'i' }]] } } },
    answer: {},
    result: undefined,
  },
  {
    endpoint: 'feedbackReplace',
    send: (reader) => reader.feedback.replace({ svc_ref: 'r', feedback_type: 't', payload: {}, feedback_id: 'i' }),
    body: { project_id: PROJECT, svc_ref: 'r', feedback_type: 't', payload: {}, feedback_id: 'i' },
    answer: { id: 'j' },
    result: { id: 'j' },
  },
  {
    endpoint: 'fileCreate',
    send: (reader) => reader.files.create({ name: 'obj.ts', bytes: new TextEncoder().encode('hello world\n') }),
    body: { project_id: PROJECT, name: 'obj.ts', content: 'aGVsbG8gd29ybGQK' },
    answer: { digest: 'd' },
    result: 'd',
  },
  {
    endpoint: 'fileContent',
    send: async (reader) => new TextDecoder().decode(await reader.files.get('d')),
    body: { project_id: PROJECT, digest: 'd' },
    answer: 'bytes',
    result: '"bytes"',
  },
  {
    endpoint: 'objCreate',
    send: (reader) => reader.objects.create({ object_id: 'settings', val: { a: 1 } }),
    body: { obj: { project_id: PROJECT, object_id: 'settings', val: { a: 1 } } },
    answer: { digest: 'd', object_id: 'settings' },
    result: { digest: 'd', object_id: 'settings' },
  },
  {
    endpoint: 'objRead',
    send: (reader) => reader.objects.get('settings', 'latest', { metadata_only: true }),
    body: { project_id: PROJECT, object_id: 'settings', digest: 'latest', metadata_only: true },
    answer: { obj: { object_id: 'settings' } },
    result: { object_id: 'settings' },
  },
  {
    endpoint: 'objsQuery',
    send: (reader) => reader.objects.query({ filter: { is_op: true }, limit: 2 }),
    body: { project_id: PROJECT, filter: { is_op: true }, limit: 2 },
    answer: { objs: [{ object_id: 'settings' }] },
    result: [{ object_id: 'settings' }],
  },
  {
    endpoint: 'objDelete',
    send: (reader) => reader.objects.delete('settings', { digests: ['v0'] }),
    body: { project_id: PROJECT, object_id: 'settings', digests: ['v0'] },
    answer: { num_deleted: 0, deleted_versions: [] },
    result: { num_deleted: 0, deleted_versions: [] },
  },
  {
    endpoint: 'otelExportTraces',
    send: (reader) => reader.otel.exportTraces({ resourceSpans: [] }),
    body: { resourceSpans: [] },
    answer: { partialSuccess: { rejectedSpans: '1', errorMessage: 'no' } },
    result: { partialSuccess: { rejectedSpans: '1', errorMessage: 'no' } },
  },
  {
    endpoint: 'refsReadBatch',
    send: (reader) => reader.refs.read(['svc:///acme/demo/call/c1']),
    body: { refs: ['svc:///acme/demo/call/c1'] },
    answer: { vals: [1] },
    result: [1],
  },
  {
    endpoint: 'health',
    send: (reader) => reader.service.health(),
    answer: { status: 'ok' },
    result: { status: 'ok' },
  },
  {
    endpoint: 'version',
    send: (reader) => reader.service.version(),
    answer: { version: '1.2.3', interface: '1' },
    result: { version: '1.2.3', interface: '1' },
  },
  {
    endpoint: 'geolocate',
    send: (reader) => reader.service.geolocate(),
    answer: { ip: '127.0.0.1', location: null, allowed: true },
    result: { ip: '127.0.0.1', location: null, allowed: true },
  },
  {
    endpoint: 'serverInfo',
    send: (reader) => reader.service.info(),
    answer: { limits: {} },
    result: { limits: {} },
  },
  {
    endpoint: 'threadsStreamQuery',
    send: async (reader) => (await reader.threads.query({ filter: { thread_ids: ['chat'] } }).next()).value,
    body: { project_id: PROJECT, filter: { thread_ids: ['chat'] } },
    answer: { thread_id: 'chat' },
    result: { thread_id: 'chat' },
  },
  {
    endpoint: 'tableCreate',
    send: (reader) => reader.tables.create({ rows: [{ n: 1 }] }),
    body: { table: { project_id: PROJECT, rows: [{ n: 1 }] } },
    answer: { digest: 'd', row_digests: ['r'] },
    result: { digest: 'd', row_digests: ['r'] },
  },
  {
    endpoint: 'tableUpdate',
    send: (reader) => reader.tables.update('d', [{ pop: { index: 0 } }]),
    body: { project_id: PROJECT, base_digest: 'd', updates: [{ pop: { index: 0 } }] },
    answer: { digest: 'e', updated_row_digests: ['r'] },
    result: { digest: 'e', updated_row_digests: ['r'] },
  },
  {
    endpoint: 'tableQueryStats',
    send: (reader) => reader.tables.count('d'),
    body: { project_id: PROJECT, digest: 'd' },
    answer: { count: 2 },
    result: 2,
  },
  {
    endpoint: 'tableQueryStatsBatch',
    send: (reader) => reader.tables.stats(['d'], { include_storage_size: true }),
    body: { project_id: PROJECT, digests: ['d'], include_storage_size: true },
    answer: { tables: [{ digest: 'd', count: 2, storage_size_bytes: 36 }] },
    result: [{ digest: 'd', count: 2, storage_size_bytes: 36 }],
  },
  {
    endpoint: 'filesQueryStats',
    send: (reader) => reader.files.stats({ project_id: 'acme/other' }),
    body: { project_id: 'acme/other' },
    answer: { total_size_bytes: 12 },
    result: { total_size_bytes: 12 },
  },
  {
    endpoint: 'tableQuery',
    send: (reader) => reader.tables.query('d', { limit: 1 }),
    body: { project_id: PROJECT, digest: 'd', limit: 1 },
    answer: { rows: [{ digest: 'r', val: {}, original_index: 0 }] },
    result: [{ digest: 'r', val: {}, original_index: 0 }],
  },
];

test('every endpoint has a method', () => {
  expect(REQUESTS.map(({ endpoint }) => endpoint).sort()).toEqual(Object.keys(ENDPOINTS).sort());
});

test.each(REQUESTS)(
  '$endpoint is sent as the endpoint table says',
  async ({ endpoint, send, body, answer, result }) => {
    const server = await startAnsweringServer((response) => answerJson(response, 200, answer));
    const reader = createReader({ url: `${server.url}/`, apiKey: 'secret', project: PROJECT });

    expect(await send(reader)).toEqual(result);

    const { method, path } = ENDPOINTS[endpoint];
    expect(server.received).toMatchObject([{ method, path, headers: { authorization: 'Bearer secret' } }]);
    expect(server.received[0]?.body).toEqual(body);
  },
);

test('a base address may have a path part', async () => {
  const server = await startAnsweringServer((response) => answerJson(response, 200, { status: 'ok' }));
  await createReader({ url: `${server.url}/traces`, apiKey: 'k' }).service.health();
  expect(server.received[0]?.path).toBe('/traces/health');
});

test('an address to locate is sent as a parameter', async () => {
  const server = await startAnsweringServer((response) => answerJson(response, 200, {}));
  await createReader({ url: server.url, apiKey: 'k' }).service.geolocate('::1');
  expect(server.received[0]?.path).toBe('/geolocate?ip=%3A%3A1');
});

test('a request without any project is refused before it is sent', async () => {
  const reader = createReader({ url: 'http://127.0.0.1:1', apiKey: 'k' });
  await expect(reader.calls.get('c1')).rejects.toThrow(TypeError);
});

test('a call, an object and a file that are not there are undefined', async () => {
  const missing = { reason: 'no', error_code: 'not_found', request_id: 'r' };
  const server = await startAnsweringServer((response, { path }) =>
    path === '/call/read' ? answerJson(response, 200, { call: null }) : answerJson(response, 404, missing),
  );
  const reader = createReader({ url: server.url, apiKey: 'k', project: PROJECT });
  expect(await reader.calls.get('c1')).toBeUndefined();
  expect(await reader.objects.get('settings', 'latest')).toBeUndefined();
  expect(await reader.files.get('d')).toBeUndefined();
});

test('pages of an order of its own are counted, to the limit', async () => {
  const server = await startAnsweringServer((response, { body }) => {
    const { limit, offset } = body as { limit: number; offset: number };
    for (let index = offset; index < offset + limit; index += 1) response.write(`{"id":"c${index}"}\n`);
    response.end();
  });
  const reader = createReader({ url: server.url, apiKey: 'k', project: PROJECT });
  const pages = [];
  const request = { limit: 5, offset: 1, sort_by: [{ field: 'op_name', direction: 'asc' as const }] };
  for await (const page of reader.calls.pages(request, { pageSize: 2 })) pages.push(page);
  expect(pages.map((page) => page.map(({ id }) => id))).toEqual([['c1', 'c2'], ['c3', 'c4'], ['c5']]);
  expect(server.received).toHaveLength(3);
});

test('pages end with the first page that is not full', async () => {
  const server = await startAnsweringServer((response, _request, index) => {
    response.end(index === 0 ? '{"id":"c0"}\n{"id":"c1"}\n' : '');
  });
  const reader = createReader({ url: server.url, apiKey: 'k', project: PROJECT });
  const pages = [];
  for await (const page of reader.calls.pages({}, { pageSize: 2 })) pages.push(page);
  expect(pages).toHaveLength(1);
  expect(server.received).toHaveLength(2);
});

test('a page holds at least one call', async () => {
  const reader = createReader({ url: 'http://127.0.0.1:1', apiKey: 'k', project: PROJECT });
  await expect(reader.calls.pages({}, { pageSize: 0 }).next()).rejects.toThrow(RangeError);
});

const COST = { prompt_token_cost: 1, completion_token_cost: 1 };
const FEEDBACK = { svc_ref: 'r', feedback_type: 't', payload: {} };

/** Each method with options. */
const WITH_OPTIONS: Readonly<
  Record<keyof typeof ENDPOINTS | 'pages' | 'tablePages', (reader: Reader, options: RequestOptions) => Promise<unknown>>
> = {
  callStart: ({ calls }, options) => calls.start(START, options),
  callEnd: ({ calls }, options) => calls.end(END, options),
  callUpsertBatch: ({ calls }, options) => calls.write([], options),
  callsDelete: ({ calls }, options) => calls.delete(['c1'], options),
  callUpdate: ({ calls }, options) => calls.rename('c1', 'x', options),
  callRead: ({ calls }, options) => calls.get('c1', options),
  callsQueryStats: ({ calls }, options) => calls.stats({}, options),
  callsStreamQuery: ({ calls }, options) => calls.query({}, options).next(),
  pages: ({ calls }, options) => calls.pages({}, options).next(),
  tablePages: ({ tables }, options) => tables.pages('d', {}, options).next(),
  costCreate: ({ costs }, options) => costs.create({ m: COST }, options),
  costQuery: ({ costs }, options) => costs.query({}, options),
  costPurge: ({ costs }, options) => costs.purge(['i'], options),
  feedbackCreate: ({ feedback }, options) => feedback.create(FEEDBACK, options),
  feedbackQuery: ({ feedback }, options) => feedback.query({}, options),
  feedbackPurge: ({ feedback }, options) => feedback.purge(['i'], options),
  feedbackReplace: ({ feedback }, options) => feedback.replace({ ...FEEDBACK, feedback_id: 'i' }, options),
  fileCreate: ({ files }, options) => files.create({ name: 'a', bytes: 'a' }, options),
  fileContent: ({ files }, options) => files.get('d', options),
  filesQueryStats: ({ files }, options) => files.stats(options),
  objCreate: ({ objects }, options) => objects.create({ object_id: 'o', val: 1 }, options),
  objRead: ({ objects }, options) => objects.get('o', 'latest', options),
  objsQuery: ({ objects }, options) => objects.query({}, options),
  objDelete: ({ objects }, options) => objects.delete('o', options),
  otelExportTraces: ({ otel }, options) => otel.exportTraces({}, options),
  refsReadBatch: ({ refs }, options) => refs.read([], options),
  health: ({ service }, options) => service.health(options),
  version: ({ service }, options) => service.version(options),
  geolocate: ({ service }, options) => service.geolocate(undefined, options),
  serverInfo: ({ service }, options) => service.info(options),
  tableCreate: ({ tables }, options) => tables.create({ rows: [] }, options),
  tableUpdate: ({ tables }, options) => tables.update('d', [], options),
  tableQuery: ({ tables }, options) => tables.query('d', {}, options),
  tableQueryStats: ({ tables }, options) => tables.count('d', options),
  tableQueryStatsBatch: ({ tables }, options) => tables.stats(['d'], options),
  threadsStreamQuery: ({ threads }, options) => threads.query({}, options).next(),
};

test.each(Object.entries(WITH_OPTIONS))('%s ends with its signal, and says why', async (_name, send) => {
  const controller = new AbortController();
  const reason = new Error('enough');
  // Nothing is ever answered.
  const server = await startAnsweringServer(() => controller.abort(reason));
  const reader = createReader({ url: server.url, apiKey: 'k', project: PROJECT });
  await expect(send(reader, { signal: controller.signal })).rejects.toBe(reason);
  expect(server.received).toHaveLength(1);
});
