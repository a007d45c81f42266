import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canonicalJson } from '../../../src/protocol/values/canonical-json.ts';
import { whole } from '../recorder.ts';
import { PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { asList, leavesNothingOut, refuses } from './refusals.ts';

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
const END = {
  project_id: PROJECT,
  id: 'c1',
  ended_at: '2026-01-01T00:00:01.5Z',
  exception: 'Error: no',
  output: [OBJECT_REF, null],
  summary: {
    usage: { 'gpt-x': { requests: 1, prompt_tokens: 10, completion_tokens: 4 } },
    status_counts: { error: 1 },
  },
  svc_run_step_end: 9,
  display_name: 'ended',
  started_at: '1999-01-01T00:00:00Z',
};

/** What is read back of the two; the sizes are there when they are asked for. */
const CALL = {
  id: 'c1',
  project_id: PROJECT,
  op_name: 'predict',
  display_name: 'ended',
  trace_id: 't1',
  parent_id: 'c0',
  thread_id: 'chat – 7',
  turn_id: 'c1',
  started_at: '2026-01-01T00:00:00.123456Z',
  attributes: { env: 'prod', otel_span: { name: 'span' } },
  inputs: START.inputs,
  ended_at: '2026-01-01T00:00:01.500000Z',
  exception: 'Error: no',
  output: END.output,
  summary: { ...END.summary, svc: { status: 'error', trace_name: 'ended', display_name: 'ended', latency_ms: 1376 } },
  svc_user_id: 'local',
  svc_run_id: `${PROJECT}/run1`,
  svc_run_step: 7,
  deleted_at: null,
  storage_size_bytes: null,
  total_storage_size_bytes: null,
  svc_run_step_end: 9,
};
/** The key of the tests may import, so it keeps the user of a start. */
const STORED = { ...CALL, svc_user_id: 'somebody' };

/** Bytes of the canonical texts of what was sent. */
/** A model that nobody has priced is named. */
const SVC_WITH_COSTS = { ...STORED.summary.svc, unpriced_models: ['gpt-x'] };
const SIZE = [START.attributes, START.inputs, END.output, END.summary].map(canonicalJson).join('').length;

const ROOT = { project_id: PROJECT, id: 'c0', op_name: 'main', trace_id: 't1', started_at: '2026-01-01T00:00:00Z' };
const ROOT_CALL = {
  ...ROOT,
  display_name: null,
  parent_id: null,
  thread_id: null,
  turn_id: null,
  attributes: {},
  inputs: {},
  ended_at: null,
  exception: null,
  output: null,
  summary: { svc: { status: 'running', trace_name: 'main' } },
  svc_user_id: 'local',
  svc_run_id: null,
  svc_run_step: null,
  deleted_at: null,
  storage_size_bytes: null,
  total_storage_size_bytes: null,
};

const FILTER = {
  op_names: ['predict'],
  input_refs: [OBJECT_REF],
  output_refs: [`svc:///${PROJECT}/object/settings:*`],
  parent_ids: ['c0'],
  trace_ids: ['t1'],
  call_ids: ['c1'],
  thread_ids: ['chat – 7'],
  turn_ids: ['c1'],
  trace_roots_only: false,
  svc_user_ids: ['somebody'],
  svc_run_ids: ['run1'],
};
const QUERY = { $expr: { $eq: [{ $getField: 'inputs.q' }, { $literal: 'hi' }] } };

const badExpression = { $expr: { $eq: [{ $getField: 'nothing' }, { $literal: 1 }] } };
const emptyJunction = { $expr: { $and: [] } };

describe('/call/start', () => {
  test('stores every field', async () => {
    expect(whole(await server.post('/call/start', { start: START }))).toEqual([200, { id: 'c1', trace_id: 't1' }]);
    expect(whole(await server.post('/call/start', { start: ROOT }))).toEqual([200, { id: 'c0', trace_id: 't1' }]);
  });

  refuses('callStart', [
    { code: 'validation_error', what: 'a start without its op', body: { start: { ...START, op_name: undefined } } },
    {
      code: 'validation_error',
      what: 'a date that is none',
      body: { start: { ...START, started_at: '2026-01-01' } },
      more: {
        detail: [
          {
            loc: ['body', 'start', 'started_at'],
            msg: 'Input should be a valid datetime: RFC 3339 with date and time',
            type: 'datetime_parsing',
          },
        ],
      },
    },
    { code: 'invalid_project_id', what: 'no project', body: { start: { ...START, project_id: 'acme' } } },
    { code: 'invalid_id', what: 'a bad id', body: { start: { ...START, id: 'a/b' } } },
    { code: 'invalid_id', what: 'a bad trace', body: { start: { ...START, trace_id: '' } } },
    { code: 'invalid_id', what: 'a bad parent', body: { start: { ...START, parent_id: ' ' } } },
    { code: 'invalid_id', what: 'a long thread', body: { start: { ...START, thread_id: 'x'.repeat(1025) } } },
    { code: 'invalid_request', what: 'an empty op name', body: { start: { ...START, op_name: '' } } },
    { code: 'invalid_request', what: 'a long op name', body: { start: { ...START, op_name: 'x'.repeat(129) } } },
    { code: 'invalid_ref', what: 'an op name that is an object', body: { start: { ...START, op_name: OBJECT_REF } } },
    { code: 'invalid_ref', what: 'half a reference', body: { start: { ...START, op_name: 'svc:///acme' } } },
  ]);
  leavesNothingOut('callStart');
});

describe('/call/end', () => {
  test('stores every field', async () => {
    expect(whole(await server.post('/call/end', { end: END }))).toEqual([200, {}]);
  });

  refuses('callEnd', [
    { code: 'validation_error', what: 'an end without its time', body: { end: { ...END, ended_at: null } } },
    { code: 'invalid_project_id', what: 'no project', body: { end: { ...END, project_id: 'a/b/c' } } },
    { code: 'invalid_id', what: 'a bad id', body: { end: { ...END, id: 'ü' } } },
  ]);
  leavesNothingOut('callEnd');
});

describe('/call/upsert_batch', () => {
  test('stores every field of starts and ends, in any order', async () => {
    const start = { ...START, project_id: 'acme/batch' };
    const end = { ...END, project_id: 'acme/batch' };
    const batch = [
      { mode: 'end', req: { end } },
      { mode: 'start', req: { start } },
    ];
    const stored = { id: 'c1', trace_id: 't1' };
    expect(whole(await server.post('/call/upsert_batch', { batch }))).toEqual([
      200,
      { res: [{ id: 'c1', trace_id: '' }, stored] },
    ]);
    const read = await server.post('/call/read', { project_id: 'acme/batch', id: 'c1' });
    expect(read.body).toEqual({ call: { ...STORED, project_id: 'acme/batch' } });
  });

  test('an empty batch stores nothing', async () => {
    expect(whole(await server.post('/call/upsert_batch', { batch: [] }))).toEqual([200, { res: [] }]);
  });

  const startItem = (fields: object) => ({ batch: [{ mode: 'start', req: { start: { ...START, ...fields } } }] });
  const inStart = (field: string) => ['batch', 0, 'req', 'start', field];
  const inEnd = (field: string) => ['batch', 0, 'req', 'end', field];
  const endItem = (fields: object) => ({ batch: [{ mode: 'end', req: { end: { ...END, ...fields } } }] });
  refuses('callUpsertBatch', [
    { code: 'validation_error', what: 'an unknown mode', body: { batch: [{ mode: 'stop', req: { end: END } }] } },
    {
      code: 'validation_error',
      what: 'the record of another mode',
      body: { batch: [{ mode: 'start', req: { end: END } }] },
    },
    { code: 'invalid_project_id', what: 'no project', body: endItem({ project_id: '' }), loc: inEnd('project_id') },
    { code: 'invalid_id', what: 'a bad id', body: endItem({ id: '' }), loc: inEnd('id') },
    {
      code: 'invalid_request',
      what: 'a long op name',
      body: startItem({ op_name: 'x'.repeat(129) }),
      loc: inStart('op_name'),
    },
    {
      code: 'invalid_ref',
      what: 'an op name that is an object',
      body: startItem({ op_name: OBJECT_REF }),
      loc: inStart('op_name'),
    },
    {
      code: 'invalid_id',
      what: 'a long turn',
      body: startItem({ turn_id: 'x'.repeat(1025) }),
      loc: inStart('turn_id'),
    },
    { code: 'too_many_items', what: 'a long batch', body: startItem({}), limits: { batch_items: 0 } },
  ]);
  leavesNothingOut('callUpsertBatch');
});

describe('/call/read', () => {
  test('shows every field', async () => {
    const answer = await server.post('/call/read', {
      project_id: PROJECT,
      id: 'c1',
      include_costs: true,
      include_storage_size: true,
      include_total_storage_size: true,
      include_usernames: true,
    });
    const summary = { ...STORED.summary, svc: SVC_WITH_COSTS };
    expect(whole(answer)).toEqual([200, { call: { ...STORED, summary, storage_size_bytes: SIZE } }]);
  });

  test('answers null for a call that is not there', async () => {
    expect(whole(await server.post('/call/read', { project_id: PROJECT, id: 'unknown' }))).toEqual([
      200,
      { call: null },
    ]);
  });

  refuses('callRead', [
    { code: 'validation_error', what: 'an unknown key', body: { project_id: PROJECT, id: 'c1', unknown: 1 } },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x', id: 'c1' } },
    { code: 'invalid_id', what: 'a bad id', body: { project_id: PROJECT, id: 'a b' } },
    { code: 'query_timeout', what: 'a slow read', body: { project_id: PROJECT, id: 'c1' }, slow: 'calls' },
  ]);
  leavesNothingOut('callRead');
});

describe('/calls/query_stats', () => {
  test('counts what every condition leaves', async () => {
    const request = {
      project_id: PROJECT,
      filter: FILTER,
      query: QUERY,
      limit: 5,
      include_total_storage_size: true,
      expand_columns: ['inputs.settings'],
    };
    expect(whole(await server.post('/calls/query_stats', request))).toEqual([
      200,
      { count: 1, total_storage_size_bytes: 0 },
    ]);
    const roots = { project_id: PROJECT, filter: { trace_roots_only: true } };
    expect(whole(await server.post('/calls/query_stats', roots))).toEqual([
      200,
      { count: 1, total_storage_size_bytes: null },
    ]);
  });

  const ask = (fields: object) => ({ project_id: PROJECT, ...fields });
  refuses('callsQueryStats', [
    { code: 'validation_error', what: 'an unknown key of the filter', body: ask({ filter: { unknown: [] } }) },
    { code: 'validation_error', what: 'an unknown operator', body: ask({ query: { $expr: { $ne: [] } } }) },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x' } },
    { code: 'invalid_request', what: 'a limit of 0', body: ask({ limit: 0 }) },
    { code: 'invalid_request', what: 'an empty $and', body: ask({ query: emptyJunction }) },
    { code: 'too_many_items', what: 'a long filter', body: ask({ filter: FILTER }), limits: { filter_items: 0 } },
    { code: 'invalid_field', what: 'an unknown field', body: ask({ query: badExpression }) },
    { code: 'query_timeout', what: 'a slow read', body: ask({}), slow: 'calls' },
  ]);
  leavesNothingOut('callsQueryStats');
});

describe('/calls/stream_query', () => {
  test('takes every field and streams whole calls', async () => {
    const answer = await server.post('/calls/stream_query', {
      project_id: PROJECT,
      filter: FILTER,
      query: QUERY,
      limit: 5,
      offset: 0,
      sort_by: [{ field: 'started_at', direction: 'desc' }],
      include_costs: true,
      include_feedback: true,
      include_usernames: true,
      include_storage_size: true,
      include_total_storage_size: true,
      columns: ['inputs.q', 'summary'],
      expand_columns: ['inputs.settings'],
      return_expanded_column_values: false,
    });
    expect(answer.headers.get('content-type')).toBe('application/jsonl');
    const summary = { ...STORED.summary, svc: { ...SVC_WITH_COSTS, feedback: [] } };
    const columns = ['id', 'project_id', 'trace_id', 'op_name', 'started_at', 'inputs'];
    const { svc_run_step_end: _, ...keys } = STORED;
    const projected = Object.entries(keys).map(([key, value]) => [key, columns.includes(key) ? value : null]);
    expect(whole(asList(answer))).toEqual([
      200,
      [{ ...Object.fromEntries(projected), attributes: {}, summary, storage_size_bytes: SIZE }],
    ]);
  });

  test('streams all calls in the order of their start', async () => {
    const answer = await server.post('/calls/stream_query', { project_id: PROJECT });
    expect(whole(asList(answer))).toEqual([200, [ROOT_CALL, STORED]]);
  });

  const ask = (fields: object) => ({ project_id: PROJECT, ...fields });
  refuses('callsStreamQuery', [
    {
      code: 'validation_error',
      what: 'a direction that is none',
      body: ask({ sort_by: [{ field: 'id', direction: 'up' }] }),
    },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x' } },
    { code: 'invalid_request', what: 'a negative limit', body: ask({ limit: -1 }) },
    { code: 'invalid_request', what: 'a negative offset', body: ask({ offset: -1 }) },
    { code: 'invalid_request', what: 'an empty $and', body: ask({ query: emptyJunction }) },
    { code: 'invalid_field', what: 'an unknown field', body: ask({ query: badExpression }) },
    { code: 'invalid_field', what: 'an unknown column', body: ask({ columns: ['nothing'] }) },
    {
      code: 'invalid_field',
      what: 'an unknown sort field',
      body: ask({ sort_by: [{ field: 'nothing', direction: 'asc' }] }),
    },
    { code: 'too_many_items', what: 'many columns', body: ask({ columns: ['id'] }), limits: { columns: 0 } },
    {
      code: 'too_many_items',
      what: 'many columns to expand',
      body: ask({ expand_columns: ['inputs.a'] }),
      limits: { expand_columns: 0 },
    },
    {
      code: 'payload_too_large',
      what: 'a large value to expand',
      body: ask({ expand_columns: ['inputs.settings'] }),
      limits: { ref_value_bytes: 1 },
      prepare: referToSettings,
    },
    { code: 'query_timeout', what: 'a slow read', body: ask({}), slow: 'calls' },
    { code: 'rate_limited', what: 'one stream too many', body: ask({}), limits: { streams_per_key: 0 } },
  ]);
  leavesNothingOut('callsStreamQuery');
});

describe('/call/update', () => {
  test('renames a call', async () => {
    const update = { project_id: PROJECT, call_id: 'c1', display_name: 'renamed', svc_user_id: 'local' };
    expect(whole(await server.post('/call/update', update))).toEqual([200, {}]);
    const read = await server.post('/call/read', { project_id: PROJECT, id: 'c1' });
    const svc = { ...STORED.summary.svc, trace_name: 'renamed', display_name: 'renamed' };
    expect(read.body).toEqual({ call: { ...STORED, display_name: 'renamed', summary: { ...STORED.summary, svc } } });
  });

  const ask = (fields: object) => ({ project_id: PROJECT, call_id: 'c1', display_name: 'x', ...fields });
  refuses('callUpdate', [
    { code: 'invalid_project_id', what: 'no project', body: ask({ project_id: 'x' }) },
    { code: 'invalid_id', what: 'a bad id', body: ask({ call_id: '/' }) },
    { code: 'invalid_request', what: 'nothing to change', body: ask({ display_name: null }) },
    { code: 'invalid_request', what: 'a long name', body: ask({ display_name: 'x'.repeat(1025) }) },
    { code: 'user_id_not_allowed', what: 'another user', body: ask({ svc_user_id: 'other' }) },
    {
      code: 'call_deleted',
      what: 'a deleted call',
      body: ask({}),
      prepare: async (fresh) => {
        await fresh.post('/call/start', { start: START });
        await fresh.post('/calls/delete', { project_id: PROJECT, call_ids: ['c1'] });
      },
    },
  ]);
  leavesNothingOut('callUpdate');
});

describe('/calls/delete', () => {
  test('deletes calls with what they called', async () => {
    const request = { project_id: PROJECT, call_ids: ['c0', 'unknown'], svc_user_id: 'local' };
    expect(whole(await server.post('/calls/delete', request))).toEqual([200, { num_deleted: 2 }]);
    expect(whole(await server.post('/calls/delete', request))).toEqual([200, { num_deleted: 0 }]);
    expect((await server.post('/calls/stream_query', { project_id: PROJECT })).text).toBe('');
  });

  const ask = (fields: object) => ({ project_id: PROJECT, call_ids: ['c1'], ...fields });
  refuses('callsDelete', [
    { code: 'invalid_project_id', what: 'no project', body: ask({ project_id: 'x' }) },
    { code: 'invalid_id', what: 'a bad id', body: ask({ call_ids: [''] }) },
    { code: 'too_many_items', what: 'many ids', body: ask({}), limits: { calls_per_delete: 0 } },
    { code: 'user_id_not_allowed', what: 'another user', body: ask({ svc_user_id: 'other' }) },
  ]);
  leavesNothingOut('callsDelete');
});

/** Stores a call whose inputs refer to an object. */
async function referToSettings(target: RunningServer): Promise<void> {
  const obj = { project_id: PROJECT, object_id: 'settings', val: { a: 1 } };
  const { digest } = (await target.post('/obj/create', { obj })).body as { digest: string };
  const inputs = { settings: `svc:///${PROJECT}/object/settings:${digest}` };
  const start = { project_id: PROJECT, id: 'c9', op_name: 'f', trace_id: 't9', started_at: '2026-01-01T00:00:00Z' };
  await target.post('/call/start', { start: { ...start, inputs } });
}
