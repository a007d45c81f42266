import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, PROJECT, type RunningServer, startServer } from './running-server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ storage: 'sqlite' });
});
afterAll(() => server.close());

/** Sends a body in the vendor's spelling and gives back the body of the answer, which must be a success. */
async function w(path: string, body: unknown): Promise<unknown> {
  return succeed(await server.post(`/dialect/w${path}`, body));
}

async function native(path: string, body: unknown): Promise<unknown> {
  return succeed(await server.post(path, body));
}

function succeed(answer: Answer): unknown {
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  if (answer.headers.get('content-type') !== 'application/jsonl') return answer.body;
  return answer.text
    .split('\n')
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));
}

const OP = { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: { 'obj.py': 'd' }, load_op: 'NO_LOAD_OP' };
const NATIVE_OP = { _type: 'CustomType', svc_type: { type: 'Op' }, files: { 'obj.py': 'd' }, load_op: 'NO_LOAD_OP' };
const TIME = '2026-01-01T00:00:00Z';
const LATER = '2026-01-01T00:00:01.250Z';
const ID = 'c1';

/** What a client of the vendor sends, with each name that differs, and names in values that only look like it. */
const START = {
  project_id: PROJECT,
  id: ID,
  op_name: `weave:///${PROJECT}/op/predict:abc`,
  display_name: 'first',
  trace_id: 't1',
  parent_id: null,
  thread_id: 'chat',
  turn_id: ID,
  started_at: TIME,
  attributes: { weave: { client_version: '0.52', source: 'python-sdk' }, svc: 'mine', wb_user_id: 'mine' },
  inputs: { model: `weave:///${PROJECT}/object/m:abc`, image: OP, wb_user_id: 'mine', text: 'a weave:/// inside' },
  wb_user_id: null,
  wb_run_id: `${PROJECT}/run-1`,
  wb_run_step: 3,
};
const END = {
  project_id: PROJECT,
  id: ID,
  ended_at: LATER,
  exception: null,
  output: [{ ref: `weave:///${PROJECT}/call/c1` }, { weave_ref: 'mine' }],
  summary: { weave: { custom: 1 }, usage: { m: { requests: 1 } } },
  wb_run_step_end: 4,
  display_name: null,
  started_at: null,
};

const COMPUTED = { custom: 1, status: 'success', trace_name: 'first', latency_ms: 1250, display_name: 'first' };
const READ = {
  ...START,
  wb_user_id: 'local',
  ended_at: '2026-01-01T00:00:01.250000Z',
  exception: null,
  output: END.output,
  summary: { usage: { m: { requests: 1 } }, weave: COMPUTED },
  deleted_at: null,
  storage_size_bytes: null,
  total_storage_size_bytes: null,
  wb_run_step_end: 4,
};
const READ_NATIVELY = {
  id: ID,
  project_id: PROJECT,
  op_name: `svc:///${PROJECT}/op/predict:abc`,
  display_name: 'first',
  trace_id: 't1',
  parent_id: null,
  thread_id: 'chat',
  turn_id: ID,
  started_at: TIME,
  attributes: { svc: { client_version: '0.52', source: 'python-sdk' }, weave: 'mine', wb_user_id: 'mine' },
  inputs: { model: `svc:///${PROJECT}/object/m:abc`, image: NATIVE_OP, wb_user_id: 'mine', text: 'a weave:/// inside' },
  ended_at: '2026-01-01T00:00:01.250000Z',
  exception: null,
  output: [{ ref: `svc:///${PROJECT}/call/c1` }, { weave_ref: 'mine' }],
  summary: { usage: { m: { requests: 1 } }, svc: COMPUTED },
  svc_user_id: 'local',
  svc_run_id: `${PROJECT}/run-1`,
  svc_run_step: 3,
  svc_run_step_end: 4,
  deleted_at: null,
  storage_size_bytes: null,
  total_storage_size_bytes: null,
};

test('a call that is written in the dialect is read in both spellings', async () => {
  expect(await w('/call/start', { start: START })).toEqual({ id: ID, trace_id: 't1' });
  expect(await w('/call/end', { end: END })).toEqual({});
  expect(await w('/call/read', { project_id: PROJECT, id: ID, include_costs: false })).toEqual({ call: READ });
  expect(await native('/call/read', { project_id: PROJECT, id: ID })).toEqual({ call: READ_NATIVELY });
});

test('a batch of starts and ends is one of calls, whatever keys it has besides', async () => {
  const start = { ...START, id: 'b1', turn_id: 'b1', otel_dump: null, unknown_of_newer_clients: true };
  const batch = [
    { mode: 'end', req: { end: { ...END, id: 'b1' } } },
    { mode: 'start', req: { start }, extra: null },
  ];
  expect(await w('/call/upsert_batch', { batch, newer: null, newest: false })).toEqual({
    res: [
      { id: 'b1', trace_id: '' },
      { id: 'b1', trace_id: 't1' },
    ],
  });
  expect(await native('/call/read', { project_id: PROJECT, id: 'b1' })).toEqual({
    call: { ...READ_NATIVELY, id: 'b1', turn_id: 'b1' },
  });
});

test('a call that is written natively is read in the dialect', async () => {
  const { attributes, inputs, op_name: op } = READ_NATIVELY;
  const start = { ...START, op_name: op, id: 'n1', attributes, inputs };
  const { wb_user_id: _user, wb_run_id: _run, wb_run_step: _step, ...plain } = start;
  await native('/call/start', { start: { ...plain, svc_run_id: `${PROJECT}/run-1`, svc_run_step: 3 } });
  const { output } = READ_NATIVELY;
  await native('/call/end', {
    end: { project_id: PROJECT, id: 'n1', ended_at: LATER, output, summary: { usage: { m: { requests: 1 } } } },
  });
  const { wb_run_step_end: _end, ...expected } = READ;
  const { custom: _custom, ...computed } = COMPUTED;
  expect(await w('/call/read', { project_id: PROJECT, id: 'n1' })).toEqual({
    call: { ...expected, id: 'n1', summary: { usage: { m: { requests: 1 } }, weave: computed } },
  });
  await w('/calls/delete', { project_id: PROJECT, call_ids: ['n1', 'b1'] });
});

test('an update and a deletion name the user as the dialect does', async () => {
  await w('/call/start', { start: { ...START, id: 'd1', parent_id: 'nobody', thread_id: null, trace_id: 't9' } });
  expect(
    await w('/call/update', { project_id: PROJECT, call_id: 'd1', display_name: 'other', wb_user_id: null }),
  ).toEqual({});
  const { call } = (await w('/call/read', { project_id: PROJECT, id: 'd1' })) as { call: { display_name: string } };
  expect(call.display_name).toBe('other');
  expect(await w('/calls/delete', { project_id: PROJECT, call_ids: ['d1'], wb_user_id: 'local' })).toEqual({
    num_deleted: 1,
  });
});

const FILTER = {
  op_names: [`weave:///${PROJECT}/op/predict:*`],
  input_refs: [`weave:///${PROJECT}/object/m:abc`],
  output_refs: [`weave:///${PROJECT}/call/c1`],
  wb_user_ids: ['local'],
  wb_run_ids: ['run-1'],
};

function expression(field: string, literal: unknown): unknown {
  return { $expr: { $eq: [{ $getField: field }, { $literal: literal }] } };
}

test.each([
  ['wb_user_id', 'local'],
  ['wb_run_id', `${PROJECT}/run-1`],
  ['wb_run_step', 3],
  ['wb_run_step_end', 4],
  ['op_name', START.op_name],
  ['summary.weave.status', 'success'],
  ['summary.weave.latency_ms', 1250],
  ['summary.weave.trace_name', 'first'],
  ['attributes.weave.source', 'python-sdk'],
  ['attributes.svc', 'mine'],
  ['inputs.model', START.inputs.model],
  ['inputs.image', OP],
  ['inputs.wb_user_id', 'mine'],
])('a query about %s finds the call', async (field, literal) => {
  const query = expression(field, literal);
  expect(await w('/calls/query_stats', { project_id: PROJECT, query })).toEqual({
    count: 1,
    total_storage_size_bytes: null,
  });
});

test('a filter names references, users and runs as the dialect does', async () => {
  expect(await w('/calls/query_stats', { project_id: PROJECT, filter: FILTER, limit: 5 })).toEqual({
    count: 1,
    total_storage_size_bytes: null,
  });
  const filter = { ...FILTER, wb_run_ids: ['run-2'] };
  expect(await w('/calls/query_stats', { project_id: PROJECT, filter })).toMatchObject({ count: 0 });
});

const NOTE = {
  id: 'f1',
  project_id: PROJECT,
  weave_ref: `weave:///${PROJECT}/call/${ID}`,
  creator: 'Ann',
  feedback_type: 'wandb.note.1',
  payload: { note: 'good', weave_ref: 'mine', about: `weave:///${PROJECT}/call/${ID}` },
};
const NULLS = { annotation_ref: null, runnable_ref: null, call_ref: null, trigger_ref: null };
const NOTE_READ = { ...NOTE, ...NULLS, created_at: expect.any(String), queue_id: null, wb_user_id: 'local' };

test('feedback is created, queried, replaced and purged in the dialect', async () => {
  const answer = { id: 'f1', created_at: expect.any(String), wb_user_id: 'local', payload: NOTE.payload };
  expect(await w('/feedback/create', { ...NOTE, wb_user_id: null })).toEqual(answer);

  const query = expression('weave_ref', NOTE.weave_ref);
  expect(await w('/feedback/query', { project_id: PROJECT, query })).toEqual({ result: [NOTE_READ] });
  expect(await native('/feedback/query', { project_id: PROJECT })).toEqual({
    result: [
      {
        id: 'f1',
        project_id: PROJECT,
        svc_ref: `svc:///${PROJECT}/call/${ID}`,
        creator: 'Ann',
        feedback_type: 'svc.note.1',
        created_at: expect.any(String),
        queue_id: null,
        svc_user_id: 'local',
        ...NULLS,
        payload: { note: 'good', weave_ref: 'mine', about: `svc:///${PROJECT}/call/${ID}` },
      },
    ],
  });
  const fields = ['weave_ref', 'wb_user_id', 'feedback_type', 'payload.weave_ref', 'payload.about'];
  const byType = {
    $expr: {
      $and: [
        { $in: [{ $getField: 'feedback_type' }, [{ $literal: 'wandb.note.1' }, { $literal: 'wandb.reaction.1' }]] },
        { $eq: [{ $literal: 'wandb.note.1' }, { $getField: 'feedback_type' }] },
        { $eq: [{ $convert: { input: { $getField: 'feedback_type' }, to: 'string' } }, { $literal: 'wandb.note.1' }] },
        { $in: [{ $literal: 'wandb.note.1' }, [{ $getField: 'id' }, { $getField: 'feedback_type' }]] },
        { $eq: [{ $getField: 'payload.about' }, { $literal: NOTE.weave_ref }] },
      ],
    },
  };
  expect(
    await w('/feedback/query', {
      project_id: PROJECT,
      fields,
      query: byType,
      limit: 5,
      offset: 0,
      sort_by: [{ field: 'wb_user_id', direction: 'asc' }],
    }),
  ).toEqual({
    result: [
      {
        weave_ref: NOTE.weave_ref,
        wb_user_id: 'local',
        feedback_type: 'wandb.note.1',
        'payload.weave_ref': 'mine',
        'payload.about': NOTE.weave_ref,
      },
    ],
  });

  const { id: _id, ...content } = NOTE;
  const replaced = await w('/feedback/replace', { ...content, payload: { note: 'better' }, feedback_id: 'f1' });
  expect(replaced).toEqual({ ...answer, id: expect.any(String), payload: { note: 'better' } });
  const { id } = replaced as { id: string };
  const reads = await w('/calls/stream_query', {
    project_id: PROJECT,
    filter: { call_ids: [ID] },
    include_feedback: true,
    columns: ['summary'],
  });
  const { project_id: _project, queue_id: _queue, ...entry } = NOTE_READ;
  expect(reads).toMatchObject([{ summary: { weave: { feedback: [{ ...entry, id, payload: { note: 'better' } }] } } }]);

  expect(await w('/feedback/purge', { project_id: PROJECT, query: expression('id', id) })).toEqual({});
  expect(await w('/feedback/query', { project_id: PROJECT, fields: ['count(*)'] })).toEqual({
    result: [{ 'count(*)': 0 }],
  });
});

test('feedback of the newest clients says nothing with members that nobody set', async () => {
  const idle = {
    scorer_tags: [],
    scorer_tag_reasons: {},
    scorer_tag_confidences: {},
    scorer_ratings: {},
    scorer_rating_reasons: {},
    scorer_rating_confidences: {},
    span_agent_name: '',
    span_agent_version: '',
    span_status_code: 'UNSET',
    span_conversation_id: '',
    span_trace_id: '',
    scorer_trace_id: '',
  };
  await w('/feedback/create', { ...NOTE, ...idle, id: 'i1' });
  await w('/feedback/replace', { ...NOTE, ...idle, id: 'i2', feedback_id: 'i1' });
  const said = await server.post('/dialect/w/feedback/create', { ...NOTE, ...idle, scorer_tags: ['good'] });
  expect([said.status, said.body]).toMatchObject([422, { detail: [{ loc: ['body', 'scorer_tags'] }] }]);
  const { weave_ref: _ref, ...content } = NOTE;
  const svc_ref = `svc:///${PROJECT}/call/${ID}`;
  expect((await server.post('/feedback/create', { ...content, ...idle, svc_ref })).status).toBe(422);
  await w('/feedback/purge', { project_id: PROJECT, query: expression('id', 'i2') });
});

test('feedback with a reference each has its rules in the dialect', async () => {
  const { digest } = (await w('/obj/create', {
    obj: { project_id: PROJECT, object_id: 'judge', val: { a: 1 }, wb_user_id: null },
  })) as { digest: string };
  const ref = `weave:///${PROJECT}/object/judge:${digest}`;
  const call = `weave:///${PROJECT}/call/${ID}`;
  const base = { project_id: PROJECT, weave_ref: call };
  const runnable = { ...base, feedback_type: 'wandb.runnable.judge', runnable_ref: ref, call_ref: call };
  const annotation = { ...base, feedback_type: 'wandb.annotation.judge', annotation_ref: ref, trigger_ref: ref };
  await w('/feedback/create', { ...runnable, id: 'r1', payload: { output: 1 } });
  await w('/feedback/create', { ...annotation, id: 'a1', payload: { value: 1 } });
  await w('/feedback/create', { ...base, id: 'e1', feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } });
  const sort_by = [{ field: 'id', direction: 'asc' }];
  const fields = ['id', 'feedback_type', 'annotation_ref', 'runnable_ref', 'call_ref', 'trigger_ref'];
  const types = { annotation: 'wandb.annotation.judge', runnable: 'wandb.runnable.judge' };
  expect(await w('/feedback/query', { project_id: PROJECT, fields, sort_by })).toEqual({
    result: [
      { ...NULLS, id: 'a1', feedback_type: types.annotation, annotation_ref: ref, trigger_ref: ref },
      { ...NULLS, id: 'e1', feedback_type: 'wandb.reaction.1' },
      { ...NULLS, id: 'r1', feedback_type: types.runnable, runnable_ref: ref, call_ref: call },
    ],
  });
  const contains = { input: { $getField: 'feedback_type' }, substr: { $literal: 'wandb.runnable' } };
  const runnables = await w('/feedback/query', {
    project_id: PROJECT,
    fields: ['id'],
    query: { $expr: { $contains: contains } },
  });
  expect(runnables).toEqual({ result: [{ id: 'r1' }] });
  const ids = ['a1', 'e1', 'r1'].map((id) => ({ $literal: id }));
  await w('/feedback/purge', { project_id: PROJECT, query: { $expr: { $in: [{ $getField: 'id' }, ids] } } });
});

test('calls are streamed, sorted and projected by names of the dialect', async () => {
  const request = {
    project_id: PROJECT,
    filter: FILTER,
    query: expression('wb_run_step', 3),
    limit: 10,
    offset: 0,
    sort_by: [
      { field: 'summary.weave.latency_ms', direction: 'desc' },
      { field: 'wb_run_id', direction: 'asc' },
    ],
  };
  expect(await w('/calls/stream_query', request)).toEqual([READ]);
  expect(await w('/calls/query', request)).toEqual({ calls: [READ] });
  const columns = ['wb_user_id', 'summary.weave.status'];
  const unselected = { attributes: {}, inputs: {}, output: null, wb_run_id: null, wb_run_step: null };
  expect(await w('/calls/stream_query', { ...request, columns })).toMatchObject([
    { wb_user_id: 'local', summary: { weave: COMPUTED }, ...unselected },
  ]);
});

test('references in calls are expanded at paths of the dialect', async () => {
  const val = { link: `weave:///${PROJECT}/object/other:b`, weave_ref: 'mine', image: OP };
  const { digest } = (await w('/obj/create', { obj: { project_id: PROJECT, object_id: 'config', val } })) as {
    digest: string;
  };
  const ref = `weave:///${PROJECT}/object/config:${digest}`;
  const start = { project_id: PROJECT, id: 'x1', op_name: 'f', trace_id: 'tx', started_at: TIME };
  await w('/call/start', { start: { ...start, attributes: { weave: { config: ref } }, inputs: { config: ref } } });
  const request = { project_id: PROJECT, filter: { call_ids: ['x1'] } };
  const expand_columns = ['attributes.weave.config', 'inputs.config'];
  expect(await w('/calls/stream_query', { ...request, expand_columns })).toMatchObject([
    { attributes: { weave: { config: { ...val, _ref: ref } } }, inputs: { config: { ...val, _ref: ref } } },
  ]);
  const query = expression('inputs.config.weave_ref', 'mine');
  expect(await w('/calls/query_stats', { ...request, query, expand_columns })).toMatchObject({ count: 1 });
  await w('/calls/delete', { project_id: PROJECT, call_ids: ['x1'] });
});

test('costs are created, queried and purged in the dialect', async () => {
  const costs = { wb_user_id: { prompt_token_cost: 1, completion_token_cost: 2, effective_date: TIME } };
  const created = await w('/cost/create', { project_id: PROJECT, costs, wb_user_id: null });
  expect(created).toEqual({ ids: [[expect.any(String), 'wb_user_id']] });
  const query = expression('llm_id', 'wb_user_id');
  const [[id]] = (created as { ids: [[string, string]] }).ids;
  expect(await w('/cost/query', { project_id: PROJECT, query })).toEqual({
    results: [
      {
        id,
        llm_id: 'wb_user_id',
        prompt_token_cost: 1,
        completion_token_cost: 2,
        effective_date: TIME,
        prompt_token_cost_unit: 'USD',
        completion_token_cost_unit: 'USD',
        provider_id: 'default',
      },
    ],
  });
  expect(await w('/cost/purge', { project_id: PROJECT, query: expression('id', id) })).toEqual({});
  expect(await w('/cost/query', { project_id: PROJECT })).toEqual({ results: [] });
});

test('an object has the digest of its native form and is read in both spellings', async () => {
  const val = { ...OP, nested: [{ link: `weave:///${PROJECT}/object/a:b` }], weave_ref: 'mine' };
  const nativeVal = { ...NATIVE_OP, nested: [{ link: `svc:///${PROJECT}/object/a:b` }], weave_ref: 'mine' };
  const created = await w('/obj/create', {
    obj: { project_id: PROJECT, object_id: 'predict', val, wb_user_id: 'local', builtin_object_class: null },
  });
  expect(await native('/obj/create', { obj: { project_id: PROJECT, object_id: 'predict', val: nativeVal } })).toEqual(
    created,
  );
  const { digest } = created as { digest: string };
  const object = {
    project_id: PROJECT,
    object_id: 'predict',
    digest,
    version_index: 0,
    is_latest: 1,
    kind: 'op',
    created_at: expect.any(String),
    deleted_at: null,
    base_object_class: null,
    leaf_object_class: null,
    size_bytes: expect.any(Number),
  };
  const name = { project_id: PROJECT, object_id: 'predict', digest };
  expect(await w('/obj/read', name)).toEqual({ obj: { ...object, val, wb_user_id: 'local' } });
  expect(await native('/obj/read', name)).toEqual({ obj: { ...object, val: nativeVal, svc_user_id: 'local' } });
  const filter = { object_ids: ['predict'], is_op: true };
  expect(await w('/objs/query', { project_id: PROJECT, filter })).toEqual({
    objs: [{ ...object, val, wb_user_id: 'local', size_bytes: null }],
  });

  const refs = [
    `weave:///${PROJECT}/op/predict:${digest}/key/nested/index/0/key/link`,
    `weave:///${PROJECT}/op/predict:${digest}`,
    `weave:///${PROJECT}/call/${ID}`,
    `weave:///${PROJECT}/call/nobody`,
  ];
  expect(await w('/refs/read_batch', { refs })).toEqual({ vals: [val.nested[0]?.link, val, READ, null] });

  expect(await w('/obj/delete', { project_id: PROJECT, object_id: 'predict', digests: [digest] })).toEqual({
    num_deleted: 1,
    deleted_versions: [{ digest, base_object_class: null, leaf_object_class: null }],
  });
});

test('rows of a table are of the users, down to the fields they are sorted by', async () => {
  const rows = [
    // Sorted by the other name, the first would be the first.
    { weave_ref: 2, svc_ref: 1, link: `weave:///${PROJECT}/object/a:b` },
    { weave_ref: 1, svc_ref: 2 },
  ];
  const nativeRows = [{ ...rows[0], link: `svc:///${PROJECT}/object/a:b` }, rows[1]];
  const created = (await w('/table/create', { table: { project_id: PROJECT, rows } })) as {
    digest: string;
    row_digests: string[];
  };
  expect(await native('/table/create', { table: { project_id: PROJECT, rows: nativeRows } })).toEqual(created);
  const { digest, row_digests: rowDigests } = created;
  const table = { project_id: PROJECT, digest };
  const [first, second] = [
    { digest: rowDigests[0], val: rows[0], original_index: 0 },
    { digest: rowDigests[1], val: rows[1], original_index: 1 },
  ];
  const sort_by = [{ field: 'weave_ref', direction: 'asc' }];
  expect(await w('/table/query', { ...table, sort_by })).toEqual({ rows: [second, first] });
  expect(await w('/table/query_stream', table)).toEqual([first, second]);
  expect(await w('/table/query_stats', table)).toEqual({ count: 2 });
  expect(await w('/table/query_stats_batch', { project_id: PROJECT, digests: [digest] })).toEqual({
    tables: [{ digest, count: 2, storage_size_bytes: null }],
  });
  const updates = [{ pop: { index: 1 } }, { append: { row: { link: `weave:///${PROJECT}/object/a:c` } } }];
  const updated = await w('/table/update', { project_id: PROJECT, base_digest: digest, updates });
  const { digest: next } = updated as { digest: string };
  expect(await w('/table/query', { project_id: PROJECT, digest: next })).toMatchObject({
    rows: [first, { val: { link: `weave:///${PROJECT}/object/a:c` } }],
  });
});

test('files are created as JSON and as forms and read back', async () => {
  const digest = 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc';
  const content = Buffer.from('hello world\n').toString('base64');
  expect(await w('/file/create', { project_id: PROJECT, name: 'obj.py', content })).toEqual({ digest });
  const form = new FormData();
  form.set('project_id', PROJECT);
  form.set('file', new Blob(['hello world\n']), 'obj.py');
  for (const path of ['/file/create', '/files/create']) {
    const headers = { authorization: `Basic ${Buffer.from(`api:${server.apiKey}`).toString('base64')}` };
    const sent = await fetch(`${server.url}/dialect/w${path}`, { method: 'POST', headers, body: form });
    expect(await sent.json()).toEqual({ digest });
  }
  const bytes = await server.post('/dialect/w/file/content', { project_id: PROJECT, digest });
  expect([bytes.text, bytes.headers.get('content-type')]).toEqual(['hello world\n', 'application/octet-stream']);
  // The vendor's client for Python says so of every request, and reads bytes.
  for (const path of ['/file/content', '/files/content']) {
    const answer = await server.post(
      `/dialect/w${path}`,
      { project_id: PROJECT, digest },
      { accept: 'application/json' },
    );
    expect([answer.text, answer.headers.get('content-type')]).toEqual(['hello world\n', 'application/octet-stream']);
  }
  expect(await w('/files/query_stats', { project_id: PROJECT })).toEqual({ total_size_bytes: 12 });
});

test('threads are streamed in the dialect', async () => {
  const sort_by = [{ field: 'turn_count', direction: 'desc' }];
  expect(await w('/threads/stream_query', { project_id: PROJECT, filter: { thread_ids: ['chat'] }, sort_by })).toEqual([
    {
      thread_id: 'chat',
      turn_count: 1,
      start_time: TIME,
      last_updated: '2026-01-01T00:00:01.250000Z',
      first_turn_id: ID,
      last_turn_id: ID,
      p50_turn_duration_ms: 1250,
      p99_turn_duration_ms: 1250,
    },
  ]);
});

test('what the service says about itself has names of the dialect', async () => {
  const ofNative = (await server.get('/server_info')).body as Record<string, unknown>;
  const { min_required_svc_python_version: version, ...others } = ofNative;
  expect((await server.get('/dialect/w/server_info')).body).toEqual({
    ...others,
    min_required_weave_python_version: version,
  });
  expect(others['dialects']).toEqual(['native', 'w']);
  expect((await server.get('/dialect/w/health')).body).toEqual({ status: 'ok' });
  expect((await server.get('/dialect/w/version')).body).toEqual((await server.get('/version')).body);
  expect((await server.get('/dialect/w/geolocate?ip=10.1.2.3')).body).toEqual({
    ip: '10.1.2.3',
    location: null,
    allowed: true,
  });
});

test('what was too large is marked as the dialect marks it', async () => {
  const small = await startServer({ limits: { call_bytes: 200 } });
  const start = { project_id: PROJECT, id: 'big', op_name: 'f', trace_id: 't', started_at: TIME };
  await small.post('/dialect/w/call/start', { start: { ...start, inputs: { text: 'x'.repeat(500) } } });
  const marks = await Promise.all(
    ['/dialect/w', ''].map(async (base) => {
      const { body } = await small.post(`${base}/call/read`, { project_id: PROJECT, id: 'big' });
      return (body as { call: { inputs: unknown } }).call.inputs;
    }),
  );
  expect(marks).toEqual([{ _weave: { error: '<EXCEEDS_LIMITS>' } }, { _svc: { error: '<EXCEEDS_LIMITS>' } }]);
  await small.close();
});

test('numbers keep their digits on both ways', async () => {
  const inputs = '{"a":1.0,"b":12345678901234567890,"c":1e16,"d":0.1,"ref":"weave:///a/b/call/c"}';
  const start = `{"project_id":"${PROJECT}","id":"num","op_name":"f","trace_id":"t","started_at":"${TIME}"`;
  await w('/call/start', `{"start":${start},"inputs":${inputs}}}`);
  const read = await server.post('/dialect/w/call/read', { project_id: PROJECT, id: 'num' });
  expect(read.text).toContain(`"inputs":${inputs.replace('1e16', '1e+16')}`);
  const obj = `{"project_id":"${PROJECT}","object_id":"num","val":${inputs}}`;
  const { digest } = (await w('/obj/create', `{"obj":${obj}}`)) as { digest: string };
  const again = await server.post('/dialect/w/obj/read', { project_id: PROJECT, object_id: 'num', digest });
  expect(again.text).toContain(`"val":${inputs.replace('1e16', '1e+16')}`);
});
