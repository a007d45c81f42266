import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/server/keys/keys.ts';
import { whole, wholeError, wholeItemError } from '../recorder.ts';
import { ENGINES, PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { leavesNothingOut, refuses } from './refusals.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const OBJECT_REF = `svc:///${PROJECT}/object/settings:08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM`;

const START = {
  project_id: PROJECT,
  id: 'c1',
  op_name: 'predict',
  display_name: 'shown',
  trace_id: 't1',
  parent_id: 'c0',
  thread_id: 'chat – 7',
  turn_id: 'c1',
  started_at: '2026-01-01T02:00:00.1234567+02:00',
  attributes: { env: 'prod' },
  inputs: { q: 'hi', settings: OBJECT_REF },
  otel_dump: { name: 'span' },
  svc_user_id: 'somebody',
  svc_run_id: `${PROJECT}/run1`,
  svc_run_step: 7,
};
const ENDED = {
  ended_at: '2026-01-01T00:00:01.5Z',
  exception: 'Error: no',
  output: [OBJECT_REF, null],
  summary: { usage: { 'gpt-x': { requests: 1, prompt_tokens: 10 } }, status_counts: { error: 1 } },
  svc_run_step_end: 9,
};
const END = {
  ...ENDED,
  project_id: PROJECT,
  id: 'c1',
  display_name: 'shown',
  started_at: '1999-01-01T00:00:00Z',
};
const COMPLETE = { ...START, ...ENDED };
const LEAST = {
  project_id: PROJECT,
  id: 'c2',
  op_name: 'f',
  trace_id: 't2',
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01Z',
};

/** What is read back; the key of the tests may import, so it keeps the user of a start. */
const CALL = {
  id: 'c1',
  project_id: PROJECT,
  op_name: 'predict',
  display_name: 'shown',
  trace_id: 't1',
  parent_id: 'c0',
  thread_id: 'chat – 7',
  turn_id: 'c1',
  started_at: '2026-01-01T00:00:00.123456Z',
  attributes: { env: 'prod', otel_span: { name: 'span' } },
  inputs: START.inputs,
  ended_at: '2026-01-01T00:00:01.500000Z',
  exception: 'Error: no',
  output: ENDED.output,
  summary: {
    ...ENDED.summary,
    svc: { status: 'error', trace_name: 'shown', display_name: 'shown', latency_ms: 1376 },
  },
  svc_user_id: 'somebody',
  svc_run_id: `${PROJECT}/run1`,
  svc_run_step: 7,
  deleted_at: null,
  storage_size_bytes: null,
  total_storage_size_bytes: null,
  svc_run_step_end: 9,
};

const read = async (from: RunningServer, id: string, project: string = PROJECT): Promise<unknown> => {
  const answer = await from.post('/call/read', { project_id: project, id });
  return (answer.body as { call: unknown }).call;
};
const complete = async (to: RunningServer, batch: readonly object[], headers: Record<string, string> = {}) =>
  await to.post('/v2/acme/demo/calls/complete', { batch }, headers);

describe.each(ENGINES)('calls that have ended, in %s', (storage) => {
  let own: RunningServer;
  beforeAll(async () => {
    own = await startServer({ storage });
  });
  afterAll(() => own.close());

  test('are stored with every field, and sent again they change nothing', async () => {
    expect(whole(await complete(own, [COMPLETE]))).toEqual([200, {}]);
    expect(await read(own, 'c1')).toEqual(CALL);
    expect(whole(await complete(own, [COMPLETE, COMPLETE], { 'svc-retry-id': 'r1' }))).toEqual([200, {}]);
    expect(await read(own, 'c1')).toEqual(CALL);
    const { body } = await own.post('/calls/query_stats', { project_id: PROJECT });
    expect(body).toMatchObject({ count: 1 });
  });

  test('need no more than ids, op and times', async () => {
    expect(whole(await complete(own, [{ ...LEAST, display_name: null, output: null, unknown: 1 }]))).toEqual([200, {}]);
    expect(await read(own, 'c2')).toEqual({
      ...LEAST,
      display_name: null,
      parent_id: null,
      thread_id: null,
      turn_id: null,
      attributes: {},
      inputs: {},
      exception: null,
      output: null,
      summary: { svc: { status: 'success', trace_name: 'f', latency_ms: 1000 } },
      svc_user_id: 'local',
      svc_run_id: null,
      svc_run_step: null,
      deleted_at: null,
      storage_size_bytes: null,
      total_storage_size_bytes: null,
    });
  });

  test('end a call whose start came before, which stays', async () => {
    const { ended_at: _open, ...start } = { ...LEAST, id: 'c3', inputs: { first: true } };
    await own.post('/v2/acme/demo/call/start', { start });
    await complete(own, [{ ...LEAST, id: 'c3', inputs: { second: true }, output: 3 }]);
    expect(await read(own, 'c3')).toMatchObject({ inputs: { first: true }, output: 3, ended_at: LEAST.ended_at });
  });

  test.each([
    ['of another project', { project_id: 'acme/other' }],
    ['with a bad id', { id: 'a/b' }],
    ['without its end', { ended_at: null }],
    ['with a bad op name', { op_name: '' }],
  ])('are stored all or none: one %s refuses the batch', async (_what, fields) => {
    const answer = await complete(own, [
      { ...LEAST, id: 'good' },
      { ...LEAST, id: 'bad', ...fields },
      { ...LEAST, id: 'good2' },
    ]);
    expect(answer.status).toBe(422);
    expect([await read(own, 'good'), await read(own, 'good2')]).toEqual([null, null]);
  });

  test('have what is too large or too deep replaced, in start and end each', async () => {
    const small = await startServer({ storage, limits: { call_bytes: 200, json_depth: 3 } });
    try {
      const deep = [[[['x']]]];
      const call = { ...LEAST, inputs: { long: 'x'.repeat(300) }, output: deep, summary: { kept: 1 } };
      expect((await complete(small, [call])).status).toBe(200);
      const placeholder = { _svc: { error: '<EXCEEDS_LIMITS>' } };
      const stored = await read(small, 'c2');
      expect(stored).toMatchObject({ inputs: placeholder, output: placeholder, summary: { kept: 1 } });
    } finally {
      await small.close();
    }
  });
});

describe('/v2/…/calls/complete', () => {
  test('takes every field, and none at all', async () => {
    expect(whole(await server.post('/v2/acme/demo/calls/complete', { batch: [COMPLETE] }))).toEqual([200, {}]);
    expect(whole(await server.post('/v2/acme/demo/calls/complete', { batch: [] }))).toEqual([200, {}]);
  });

  test('tells which field of which call is missing', async () => {
    const answer = await complete(server, [COMPLETE, { ...LEAST, id: undefined, ended_at: undefined }]);
    const detail = ['id', 'ended_at'].map((field) => ({
      loc: ['body', 'batch', 1, field],
      msg: 'Field required',
      type: 'missing',
    }));
    expect([answer.status, answer.body]).toEqual(wholeError(answer, 'validation_error', { detail }));
  });

  const at = (field: string) => ['batch', 0, field];
  const batchOf = (fields: object) => ({ batch: [{ ...COMPLETE, ...fields }] });
  refuses('callsComplete', [
    { code: 'validation_error', what: 'no id', body: batchOf({ id: null }) },
    { code: 'validation_error', what: 'no trace', body: batchOf({ trace_id: undefined }) },
    { code: 'validation_error', what: 'an unknown key', body: { batch: [], unknown: 1 } },
    { code: 'invalid_id', what: 'a bad id', body: batchOf({ id: '' }), loc: at('id') },
    { code: 'invalid_id', what: 'a long thread', body: batchOf({ thread_id: 'x'.repeat(1025) }), loc: at('thread_id') },
    {
      code: 'invalid_request',
      what: 'another project',
      body: batchOf({ project_id: 'acme/other' }),
      loc: at('project_id'),
    },
    { code: 'invalid_request', what: 'no project', body: batchOf({ project_id: 'acme' }), loc: at('project_id') },
    {
      code: 'invalid_request',
      what: 'a long op name',
      body: batchOf({ op_name: 'x'.repeat(129) }),
      loc: at('op_name'),
    },
    {
      code: 'invalid_ref',
      what: 'an op name that is an object',
      body: batchOf({ op_name: OBJECT_REF }),
      loc: at('op_name'),
    },
    { code: 'too_many_items', what: 'a long batch', body: batchOf({}), limits: { batch_items: 0 } },
    {
      code: 'invalid_project_id',
      what: 'a slash inside of a part of the path',
      path: '/v2/acme/de%2Fmo/calls/complete',
      body: batchOf({}),
    },
  ]);
  leavesNothingOut('callsComplete');
});

describe('/v2/…/call/start', () => {
  test('stores every field', async () => {
    const start = { ...START, id: 's1' };
    expect(whole(await server.post('/v2/acme/demo/call/start', { start }))).toEqual([
      200,
      { id: 's1', trace_id: 't1' },
    ]);
  });

  refuses('projectCallStart', [
    { code: 'invalid_id', what: 'a bad id', body: { start: { ...START, id: 'a/b' } } },
    { code: 'invalid_request', what: 'another project', body: { start: { ...START, project_id: 'acme/other' } } },
    { code: 'invalid_request', what: 'an empty op name', body: { start: { ...START, op_name: '' } } },
    { code: 'invalid_ref', what: 'an op name that is an object', body: { start: { ...START, op_name: OBJECT_REF } } },
    {
      code: 'invalid_project_id',
      what: 'a path of no project',
      path: '/v2/acme/de%3Amo/call/start',
      body: { start: START },
    },
  ]);
  leavesNothingOut('projectCallStart');
});

describe('/v2/…/call/end', () => {
  test('stores every field', async () => {
    const end = { ...END, id: 's1' };
    expect(whole(await server.post('/v2/acme/demo/call/end', { end }))).toEqual([200, {}]);
    expect(await read(server, 's1')).toEqual({ ...CALL, id: 's1' });
  });

  refuses('projectCallEnd', [
    { code: 'invalid_id', what: 'a bad id', body: { end: { ...END, id: 'ü' } } },
    { code: 'invalid_request', what: 'another project', body: { end: { ...END, project_id: 'acme/other' } } },
    {
      code: 'invalid_project_id',
      what: 'a path of no project',
      path: '/v2/acme/de%3Amo/call/end',
      body: { end: END },
    },
  ]);
  leavesNothingOut('projectCallEnd');
});

describe('the path of a project', () => {
  test('is decoded, however long its parts are', async () => {
    const project = `ünï cödé/${'😀'.repeat(128)}`;
    const path = project.split('/').map(encodeURIComponent).join('/');
    const answer = await server.post(`/v2/${path}/calls/complete`, { batch: [{ ...LEAST, project_id: project }] });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await read(server, 'c2', project)).toMatchObject({ project_id: project });
  });

  test('belongs to an entity of the key, also where nothing is written', async () => {
    const open = await startServer({ storage: 'sqlite' });
    try {
      const { key } = createKey(open.dataDir ?? '', { name: 'ci', entities: ['acme'] });
      for (const [what, body] of [
        ['calls/complete', { batch: [] }],
        ['calls/complete', { batch: [{ ...LEAST, project_id: 'other/demo' }] }],
        ['call/start', { start: { ...START, project_id: 'other/demo' } }],
        ['call/end', { end: { ...END, project_id: 'other/demo' } }],
        // The path is not a way around the project of the record.
        ['call/end', { end: END }],
      ] as const) {
        const answer = await open.post(`/v2/other/demo/${what}`, body, { authorization: `Bearer ${key}` });
        expect([what, answer.status, answer.body]).toEqual([what, ...wholeError(answer, 'forbidden')]);
      }
      const foreign = { batch: [{ ...LEAST, project_id: 'other/demo' }] };
      const answer = await open.post('/v2/acme/demo/calls/complete', foreign, { authorization: `Bearer ${key}` });
      const loc = ['batch', 0, 'project_id'];
      expect([answer.status, answer.body]).toEqual(wholeItemError(answer, 'invalid_request', loc));
    } finally {
      await open.close();
    }
  });

  test('takes no other methods and has no other ends', async () => {
    const get = await server.get('/v2/acme/demo/calls/complete');
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    for (const path of ['/v2/acme/calls/complete', '/v2/acme/demo/x/calls/complete', '/v2/acme/demo/calls', '/v2']) {
      const answer = await server.post(path, { batch: [] });
      expect([path, answer.status, answer.body]).toEqual([path, ...wholeError(answer, 'unknown_path')]);
    }
    expect((await server.post('/v2/acme/demo/calls/complete/', { batch: [] })).status).toBe(200);
    expect((await server.post('/v2/acme/%zz/calls/complete', { batch: [] })).status).toBe(400);
  });

  test('is a label of metrics as a pattern, never with its names', async () => {
    const own = await startServer();
    try {
      await own.post('/v2/marker-entity/marker-project/calls/complete', { batch: [] });
      const { text } = await own.get('/metrics');
      expect(text).toContain('endpoint="/v2/:entity/:project/calls/complete"');
      expect(text).not.toContain('marker');
    } finally {
      await own.close();
    }
  });
});

describe('in the dialect', () => {
  const { svc_user_id: user, svc_run_id: run, svc_run_step: step, svc_run_step_end: stepEnd, ...others } = COMPLETE;
  const theirs = {
    ...others,
    wb_user_id: user,
    wb_run_id: run,
    wb_run_step: step,
    wb_run_step_end: stepEnd,
    inputs: { q: 'hi', settings: OBJECT_REF.replace('svc:', 'weave:') },
    output: [OBJECT_REF.replace('svc:', 'weave:'), null],
    attributes: { env: 'prod', weave: { client_version: '1' } },
    summary: { ...ENDED.summary, weave: { status: 'made up' } },
  };

  test.each([
    ['path', '/dialect/w', {}],
    ['header', '', { 'svc-dialect': 'w' }],
  ])('calls arrive by %s, under a base path too', async (_how, prefix, headers) => {
    const based = await startServer({ basePath: '/traces' });
    try {
      const path = `${prefix}/v2/acme/demo/calls/complete`;
      const answer = await based.post(path, { batch: [theirs] }, headers);
      expect([answer.status, answer.body]).toEqual([200, {}]);
      expect(await read(based, 'c1')).toEqual({
        ...CALL,
        attributes: { ...CALL.attributes, svc: { client_version: '1' } },
      });
    } finally {
      await based.close();
    }
  });

  test('errors name the fields as the request does', async () => {
    const answer = await server.post('/dialect/w/v2/acme/demo/calls/complete', {
      batch: [{ ...theirs, wb_run_step: 'x' }],
    });
    expect(answer.body).toMatchObject({ detail: [{ loc: ['body', 'batch', 0, 'wb_run_step'] }] });
  });

  test('single starts and ends arrive', async () => {
    const start = { ...START, id: 'w1', svc_run_step: undefined, wb_run_step: 5 };
    const started = await server.post('/dialect/w/v2/acme/demo/call/start', { start });
    expect([started.status, started.body]).toEqual([200, { id: 'w1', trace_id: 't1' }]);
    const end = { ...END, id: 'w1', svc_run_step_end: undefined, wb_run_step_end: 6 };
    const ended = await server.post('/v2/acme/demo/call/end', { end }, { 'svc-dialect': 'w' });
    expect([ended.status, ended.body]).toEqual([200, {}]);
    expect(await read(server, 'w1')).toMatchObject({ svc_run_step: 5, svc_run_step_end: 6, ended_at: CALL.ended_at });
  });
});
