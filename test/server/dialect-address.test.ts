import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/protocol/endpoints.ts';
import { TracingError } from '../../src/protocol/error.ts';
import { openMemoryStorage } from '../../src/storage/reference/memory-storage.ts';
import { PROJECT, type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/call/start', {
    start: { project_id: PROJECT, id: 'c1', op_name: 'f', trace_id: 't', started_at: TIME },
  });
});
afterAll(() => server.close());

const TIME = '2026-01-01T00:00:00Z';
const READ = { project_id: PROJECT, id: 'c1' };

/** How the call is spelled when it is read like this: the name of its user tells. */
async function spelling(path: string, headers: Record<string, string>): Promise<string> {
  const { status, body, text } = await server.post(path, READ, headers);
  if (status !== 200) return text;
  const { call } = body as { call: object };
  return 'wb_user_id' in call ? 'w' : 'native';
}

describe('the dialect of a request', () => {
  test.each([
    ['/call/read', undefined, 'native'],
    ['/call/read', 'native', 'native'],
    ['/call/read', 'w', 'w'],
    ['/dialect/w/call/read', undefined, 'w'],
    ['/dialect/w/call/read', 'w', 'w'],
    ['/dialect/w/call/read/', undefined, 'w'],
    ['/dialect/w/call/read?x=1', undefined, 'w'],
    ['/dialect/native/call/read', undefined, 'native'],
  ])('%s with the header %s is %s', async (path, header, expected) => {
    expect(await spelling(path, header === undefined ? {} : { 'svc-dialect': header })).toBe(expected);
  });

  test.each([
    ['/dialect/x/call/read', undefined],
    ['/dialect/W/call/read', undefined],
    ['/dialect//call/read', undefined],
    ['/call/read', 'x'],
    ['/call/read', ''],
    ['/call/read', 'constructor'],
    ['/dialect/w/call/read', 'native'],
    ['/dialect/native/call/read', 'w'],
  ])('%s with the header %s is refused', async (path, header) => {
    const { status, body } = await server.post(path, READ, header === undefined ? {} : { 'svc-dialect': header });
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        reason: expect.stringMatching(/^Cannot speak the dialect "[^]*": want "native" or "w"$/),
        error_code: 'invalid_request',
        request_id: expect.any(String),
      },
    });
  });

  test('is looked at after the key', async () => {
    const response = await fetch(`${server.url}/dialect/x/call/read`, { method: 'POST', body: '{}' });
    expect(response.status).toBe(401);
  });

  test('changes nothing about wrong methods and unknown paths', async () => {
    const wrong = await server.get('/dialect/w/call/read');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    const unknown = await server.post('/dialect/w/call/nothing', {});
    expect([unknown.status, unknown.body]).toMatchObject([404, { reason: 'No such path: "/dialect/w/call/nothing"' }]);
    expect((await server.post('/dialect/w', {})).status).toBe(404);
    expect((await server.post('/dialect/', {})).status).toBe(400);
  });

  test('an id of a retried request is echoed under the name of the dialect', async () => {
    const header = async (path: string, name: string) =>
      (await server.post(path, READ, { [name]: 'retry-7' })).headers.get('svc-request-id');
    expect(await header('/dialect/w/call/read', 'x-weave-retry-id')).toBe('retry-7');
    expect(await header('/dialect/w/call/read', 'svc-request-id')).toBe('retry-7');
    expect(await header('/call/read', 'svc-retry-id')).toBe('retry-7');
    expect(await header('/call/read', 'x-weave-retry-id')).not.toBe('retry-7');
    expect(await header('/dialect/w/call/read', 'svc-retry-id')).not.toBe('retry-7');
  });
});

test('a write that comes again with the retry id of the dialect is done once', async () => {
  const body = { project_id: PROJECT, weave_ref: `weave:///${PROJECT}/call/c1`, feedback_type: 'x', payload: {} };
  const create = async (name: string) =>
    (await server.post('/dialect/w/feedback/create', body, { [name]: 'retry-8' })).body as { id: string };
  const first = await create('x-weave-retry-id');
  expect(await create('x-weave-retry-id')).toEqual(first);
  expect((await create('svc-retry-id')).id).not.toBe(first.id);
});

describe('an error in the dialect', () => {
  const start = { project_id: PROJECT, op_name: 'f', started_at: TIME };
  const post = async (path: string, body: unknown) => await server.post(`/dialect/w${path}`, body);

  test('names fields of a body as the body does', async () => {
    const { status, body } = await post('/call/upsert_batch', {
      batch: [{ mode: 'start', req: { start: { ...start, wb_run_step: '5', wb_user_id: 1 } } }],
    });
    expect({ status, body }).toEqual({
      status: 422,
      body: {
        reason: '2 validation errors',
        error_code: 'validation_error',
        request_id: expect.any(String),
        detail: [
          {
            loc: ['body', 'batch', 0, 'req', 'start', 'wb_user_id'],
            msg: 'Input should be a valid string',
            type: 'string_type',
          },
          {
            loc: ['body', 'batch', 0, 'req', 'start', 'wb_run_step'],
            msg: 'Input should be a valid integer',
            type: 'int_type',
          },
        ],
      },
    });
    const missing = await post('/feedback/create', { project_id: PROJECT, feedback_type: 'x', payload: {} });
    expect(missing.body).toMatchObject({ detail: [{ loc: ['body', 'weave_ref'], type: 'missing' }] });
  });

  test('refuses keys of the native spelling and keys that only look like the vendor’s', async () => {
    const filter = { wb_user_ids: [], svc_user_ids: ['a'], wb_other: 1, wb_newer: null };
    const { status, body } = await post('/calls/query_stats', {
      project_id: PROJECT,
      filter,
      svc_ref: 'x',
      weave_ref: false,
    });
    expect(status).toBe(422);
    expect((body as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc)).toEqual([
      ['body', 'filter', 'svc_user_ids'],
      ['body', 'filter', 'wb_other'],
      ['body', 'svc_ref'],
    ]);
    // Where unknown keys are ignored, the native one is too.
    await post('/call/start', { start: { ...start, id: 'ignored', svc_run_id: 'x' } });
    const read = await post('/call/read', { ...READ, id: 'ignored' });
    expect(read.body).toMatchObject({ call: { wb_run_id: null } });
  });

  test('speaks of fields, references, types and headers in the names of the dialect', async () => {
    const query = { $expr: { $eq: [{ $getField: 'summary.weave.cost' }, { $literal: 1 }] } };
    const ref = { project_id: PROJECT, weave_ref: `weave:///${PROJECT}/call/c1`, payload: {} };
    const reasons = await Promise.all(
      [
        post('/calls/query_stats', { project_id: PROJECT, query }),
        post('/cost/create', { project_id: PROJECT, costs: {}, wb_user_id: 'somebody' }),
        post('/refs/read_batch', { refs: ['weave-trace-internal:///p/call/c1'] }),
        post('/refs/read_batch', { refs: [`svc:///${PROJECT}/call/c1`] }),
        post('/feedback/create', { ...ref, feedback_type: 'wandb.runnable' }),
        post('/otel/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [{}] }] }] }),
      ].map(async (answer) => {
        const { status, body } = await answer;
        return [status, (body as { error_code: string }).error_code, (body as { reason: string }).reason];
      }),
    );
    expect(reasons).toEqual([
      [422, 'invalid_field', expect.stringContaining('"summary.weave.cost"')],
      [400, 'user_id_not_allowed', expect.stringContaining('wb_user_id')],
      [400, 'invalid_ref', expect.stringMatching(/weave-trace-internal:.*does not start with weave:\/\/\//)],
      [400, 'invalid_ref', expect.stringMatching(/"svc:\/\/\/.*does not start with weave:\/\/\//)],
      [400, 'invalid_request', expect.stringContaining('"wandb.runnable"')],
      [400, 'invalid_project_id', expect.stringContaining('wandb.entity and wandb.project')],
    ]);
  });

  test('ends a broken stream with a line whose key is the same and whose reason is not', async () => {
    const storage = openMemoryStorage();
    const query = storage.calls.query.bind(storage.calls);
    const calls = Object.assign(storage.calls, {
      async *query(...args: Parameters<typeof query>) {
        yield* query(...args);
        throw new TracingError('query_timeout', 'Cannot go on at svc_user_id');
      },
    });
    const breaking = await startServer({ storage: { ...storage, calls } });
    await breaking.post('/call/start', { start: { ...start, id: 'c1' } });
    const response = await fetch(`${breaking.url}/dialect/w/calls/stream_query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${breaking.apiKey}`, 'accept-encoding': 'identity' },
      body: JSON.stringify({ project_id: PROJECT }),
    });
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    })();
    await expect(reading).rejects.toThrow('terminated');
    const [first = '', last = ''] = text.trim().split('\n');
    expect(JSON.parse(first)).toMatchObject({ id: 'c1', wb_user_id: 'local' });
    expect(JSON.parse(last)).toEqual({
      _svc_error: { reason: 'Cannot go on at wb_user_id', error_code: 'query_timeout', status: 504 },
    });
    await breaking.close();
  });
});

describe('a base path', () => {
  let based: RunningServer;
  beforeAll(async () => {
    based = await startServer({ basePath: '/team/traces/', openHealth: true });
  });
  afterAll(() => based.close());
  const origin = () => new URL(based.url).origin;
  const ask = async (path: string, method = 'POST') => {
    const headers = { authorization: `Bearer ${based.apiKey}` };
    const init = method === 'POST' ? { method, headers, body: '{}' } : { method, headers };
    const response = await fetch(origin() + path, init);
    return { status: response.status, allow: response.headers.get('allow'), body: await response.json() };
  };

  test('is part of the address', () => {
    expect(based.url).toBe(`http://127.0.0.1:${based.port}/team/traces`);
  });

  test('stands before every endpoint, in the dialect too', async () => {
    for (const { method, path } of Object.values(ENDPOINTS)) {
      for (const base of ['/team/traces', '/team/traces/dialect/w']) {
        // Every body but that of an export lacks something; none of them is an unknown path.
        const expected = method === 'GET' || path === ENDPOINTS.otelExportTraces.path ? 200 : 422;
        expect([base + path, (await ask(base + path, method)).status]).toEqual([base + path, expected]);
      }
    }
  });

  test.each([
    '/call/read',
    '/team/call/read',
    '/team/tracesx/call/read',
    '/dialect/w/call/read',
    '/health',
    '/',
    '/team/traces',
  ])('nothing answers at %s', async (path) => {
    expect(await ask(path)).toMatchObject({
      status: 404,
      body: { error_code: 'unknown_path', reason: `No such path: "${path}"` },
    });
  });

  test('leaves wrong methods what they are', async () => {
    expect(await ask('/team/traces/call/read', 'GET')).toMatchObject({ status: 405, allow: 'POST' });
  });

  test('keeps what needs no key inside of it', async () => {
    expect((await fetch(`${based.url}/health`)).status).toBe(200);
    expect((await fetch(`${origin()}/health`)).status).toBe(404);
  });

  test.each([
    ['/team/traces/dialect/w/server_info', '"min_required_weave_python_version"'],
    ['/team/traces/server_info?x=1', '"min_required_svc_python_version"'],
    ['/server_info', '"unknown_path"'],
    ['', '"unknown_path"'],
  ])('is found in a whole address, as proxies send it, with %s', async (path, expected) => {
    const { port } = based;
    const headers = { authorization: `Bearer ${based.apiKey}`, host: 'localhost' };
    const sent = request({ port, path: `http://traces.example${path}`, headers, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    expect(text).toContain(expected);
  });

  test.each(['traces', '/a b', '/a?b', '/a//b', 'http://x/y', '/a/../b%'])('cannot be %s', async (basePath) => {
    await expect(startServer({ basePath })).rejects.toMatchObject({ code: 'invalid_configuration' });
  });

  test('may be a slash, which is none', async () => {
    const plain = await startServer({ basePath: '/' });
    expect(plain.url).toBe(`http://127.0.0.1:${plain.port}`);
    expect((await plain.get('/version')).status).toBe(200);
    await plain.close();
  });
});

describe('spans in the dialect', () => {
  const PATH = '/otel/v1/traces';
  const image = { _type: 'CustomWeaveType', weave_type: { type: 'PIL.Image.Image' }, files: {} };
  const string = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const exportOf = (spanId: string, prefix: 'wandb' | 'svc') => ({
    resourceSpans: [
      {
        resource: {
          attributes: [
            string(`${prefix}.entity`, 'acme'),
            string(`${prefix}.project`, 'demo'),
            string(prefix === 'wandb' ? 'wandb.wb_run_id' : 'svc.run_id', 'run-1'),
          ],
        },
        scopeSpans: [{ spans: [spanOf(spanId, prefix)] }],
      },
    ],
  });
  const run = (prefix: string, name: string) => (prefix === 'wandb' ? `wandb.wb_${name}` : `svc.${name}`);
  const spanOf = (spanId: string, prefix: string) => ({
    traceId: '0123456789abcdef0123456789abcdef',
    spanId,
    name: 'chat',
    startTimeUnixNano: '1767225600000000000',
    endTimeUnixNano: '1767225601500000000',
    attributes: [
      string('input.value', JSON.stringify({ model: `weave:///${PROJECT}/object/m:abc`, image })),
      string('output.value', `weave:///${PROJECT}/object/o:abc`),
      string(`${prefix}.display_name`, 'shown'),
      string(`${prefix}.thread_id`, 'chat-7'),
      { key: `${prefix}.is_turn`, value: { boolValue: true } },
      { key: run(prefix, 'run_step'), value: { intValue: '3' } },
      { key: run(prefix, 'run_step_end'), value: { intValue: '4' } },
      string(`${prefix}.attributes`, JSON.stringify({ weave: { source: 'otel' }, mine: 1 })),
      string(prefix === 'wandb' ? 'weave.span.kind' : 'svc.span.kind', 'llm'),
    ],
  });
  const read = async (id: string, base = '') =>
    ((await server.post(`${base}/call/read`, { project_id: PROJECT, id })).body as { call: Record<string, unknown> })
      .call;

  test.each(['wandb', 'svc'] as const)('may name attributes of the service by either name: %s', async (prefix) => {
    const id = prefix === 'wandb' ? 'aaaaaaaaaaaaaaa1' : 'aaaaaaaaaaaaaaa2';
    expect((await server.post(`/dialect/w${PATH}`, exportOf(id, prefix))).text).toBe('{}');
    const input = { model: `svc:///${PROJECT}/object/m:abc` };
    const native = await read(id);
    expect(native).toMatchObject({
      op_name: 'chat',
      display_name: 'shown',
      thread_id: 'chat-7',
      turn_id: id,
      inputs: { 'input.value': { ...input, image: { _type: 'CustomType', svc_type: { type: 'PIL.Image.Image' } } } },
      output: { 'output.value': `svc:///${PROJECT}/object/o:abc` },
      attributes: {
        kind: 'llm',
        mine: 1,
        svc: { source: 'otel' },
        otel_span: { attributes: { output: { value: `svc:///${PROJECT}/object/o:abc` } } },
      },
      svc_run_id: `${PROJECT}/run-1`,
      svc_run_step: 3,
      svc_run_step_end: 4,
    });
    expect(await read(id, '/dialect/w')).toMatchObject({
      inputs: { 'input.value': { model: `weave:///${PROJECT}/object/m:abc`, image } },
      output: { 'output.value': `weave:///${PROJECT}/object/o:abc` },
      attributes: { kind: 'llm', mine: 1, weave: { source: 'otel' }, otel_span: { name: 'chat' } },
      wb_run_id: `${PROJECT}/run-1`,
      wb_run_step: 3,
      wb_run_step_end: 4,
    });
    const filter = { input_refs: [input.model], output_refs: [`svc:///${PROJECT}/object/o:abc`] };
    const found = await server.post('/calls/stream_query', { project_id: PROJECT, filter, columns: ['id'] });
    expect(found.text).toContain(id);
  });

  test('that are left out are counted in the names of the dialect', async () => {
    const [named, unnamed] = [exportOf('aaaaaaaaaaaaaaa3', 'wandb'), exportOf('aaaaaaaaaaaaaaa4', 'wandb')];
    const { resourceSpans } = {
      resourceSpans: [...named.resourceSpans, { ...unnamed.resourceSpans[0], resource: {} }],
    };
    const { body } = await server.post(`/dialect/w${PATH}`, { resourceSpans });
    expect(body).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining('wandb.entity and wandb.project') },
    });
  });

  test.each([
    ['/dialect/w', 'wandb-api-key', PATH, false, 200],
    ['/dialect/w', 'svc-api-key', PATH, false, 200],
    ['', 'svc-api-key', PATH, true, 200],
    ['', 'svc-api-key', PATH, false, 401],
    ['', 'wandb-api-key', PATH, true, 401],
    ['/dialect/w', 'wandb-api-key', '/call/read', true, 401],
    ['', 'svc-api-key', '/call/read', true, 401],
  ])('%s takes the header %s at %s, allowed natively: %s → %i', async (base, header, path, otlpKeyHeader, expected) => {
    const own = await startServer({ otlpKeyHeader });
    const send = async (key: string) =>
      (await fetch(own.url + base + path, { method: 'POST', headers: { [header]: key }, body: '{}' })).status;
    expect(await send(own.apiKey)).toBe(expected);
    expect(await send('wrong')).toBe(401);
    await own.close();
  });
});
