import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const STARTED = '2026-01-01T00:00:00Z';
const ENDED = '2026-01-01T00:00:01.25Z';

/** A call as it is read, with every field that has no value. */
const EMPTY_CALL = {
  project_id: PROJECT,
  op_name: 'f',
  display_name: null,
  trace_id: 't1',
  parent_id: null,
  thread_id: null,
  turn_id: null,
  started_at: STARTED,
  attributes: {},
  inputs: {},
  ended_at: null,
  exception: null,
  output: null,
  summary: { svc: { status: 'running', trace_name: 'f' } },
  svc_user_id: 'local',
  svc_run_id: null,
  svc_run_step: null,
  deleted_at: null,
  storage_size_bytes: null,
  total_storage_size_bytes: null,
};

const startOf = (id: string, fields: object = {}) => ({
  project_id: PROJECT,
  id,
  op_name: 'f',
  trace_id: 't1',
  started_at: STARTED,
  ...fields,
});
const endOf = (id: string, fields: object = {}) => ({ project_id: PROJECT, id, ended_at: ENDED, ...fields });
const startItem = (id: string, fields: object = {}) => ({ mode: 'start', req: { start: startOf(id, fields) } });
const endItem = (id: string, fields: object = {}) => ({ mode: 'end', req: { end: endOf(id, fields) } });

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine });
  });
  afterEach(() => server.close());

  const write = (...batch: unknown[]) => server.post('/call/upsert_batch', { batch });
  const start = (fields: object) => server.post('/call/start', { start: startOf('c1', fields) });
  const end = (fields: object) => server.post('/call/end', { end: endOf('c1', fields) });
  const read = async (id: string, more: object = {}): Promise<unknown> =>
    ((await server.post('/call/read', { project_id: PROJECT, id, ...more })).body as { call: unknown }).call;
  const query = async (request: object = {}): Promise<Record<string, unknown>[]> => {
    const { text } = await server.post('/calls/stream_query', { project_id: PROJECT, ...request });
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  test('a start with every field is read back with every field', async () => {
    const fields = {
      op_name: `svc:///${PROJECT}/op/predict:08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM`,
      display_name: 'shown',
      parent_id: 'p:1@x~y',
      thread_id: 'thread – 1',
      turn_id: 'turn-1',
      started_at: '2026-01-01T02:00:00.1234567+02:00',
      attributes: { env: 'prod' },
      inputs: { q: 'hi' },
      otel_dump: { name: 'span' },
      svc_user_id: 'someone',
      svc_run_id: 'acme/demo/run1',
      svc_run_step: 7,
    };
    const answer = await start(fields);
    expect([answer.status, answer.body]).toEqual([200, { id: 'c1', trace_id: 't1' }]);
    const { otel_dump, ...stored } = fields;
    expect(await read('c1')).toEqual({
      ...EMPTY_CALL,
      id: 'c1',
      ...stored,
      started_at: '2026-01-01T00:00:00.123456Z',
      attributes: { env: 'prod', otel_span: otel_dump },
      summary: { svc: { status: 'running', trace_name: 'shown', display_name: 'shown' } },
    });
  });

  test('an end with every field completes the call', async () => {
    await start({ display_name: 'first' });
    const usage = { gpt: { requests: 1, total_tokens: 14 } };
    const summary = { usage, status_counts: { success: 1, error: 0 } };
    const fields = { exception: 'E: no', output: [1, 'x', null], summary, svc_run_step_end: 9, display_name: 'second' };
    const answer = await end({ ...fields, started_at: '1999-01-01T00:00:00Z' });
    expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await read('c1')).toEqual({
      ...EMPTY_CALL,
      id: 'c1',
      ended_at: '2026-01-01T00:00:01.250000Z',
      ...fields,
      summary: { ...summary, svc: { status: 'error', trace_name: 'second', latency_ms: 1250, display_name: 'second' } },
    });
  });

  test('what a start leaves out is made or empty', async () => {
    const answer = await server.post('/call/start', {
      start: { project_id: PROJECT, op_name: 'f', started_at: STARTED },
    });
    const { id, trace_id } = answer.body as { id: string; trace_id: string };
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    expect(id).toMatch(uuid);
    expect(trace_id).toMatch(uuid);
    expect(await read(id)).toEqual({ ...EMPTY_CALL, id, trace_id });
  });

  test('a call without a trace joins the trace of its parent when that is known', async () => {
    await write(startItem('p', { trace_id: 'tp' }), startItem('c', { trace_id: null, parent_id: 'p' }));
    const { body } = await start({ trace_id: null, parent_id: 'unknown' });
    expect(await read('c')).toMatchObject({ trace_id: 'tp' });
    expect(body).toMatchObject({ trace_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string });
  });

  test('an end may come before its start, in one batch and in two', async () => {
    const one = await write(endItem('c1', { output: 1 }), startItem('c1'));
    expect(one.body).toEqual({
      res: [
        { id: 'c1', trace_id: '' },
        { id: 'c1', trace_id: 't1' },
      ],
    });
    await write(endItem('c2', { output: 1 }));
    expect(await read('c2')).toBeNull();
    expect((await write(startItem('c2'))).body).toEqual({ res: [{ id: 'c2', trace_id: 't1' }] });
    expect(await read('c1')).toEqual({ ...((await read('c2')) as object), id: 'c1' });
  });

  test('a batch that is repeated as a whole changes nothing', async () => {
    const batch = [startItem('c1', { inputs: { a: 1 } }), endItem('c1', { output: 2 }), startItem('c2')];
    const first = await write(...batch);
    const before = await query();
    expect((await write(...batch)).body).toEqual(first.body);
    expect(await query()).toEqual(before);
  });

  test('the first start and the last end win', async () => {
    await write(
      startItem('c1', { inputs: { first: true } }),
      startItem('c1', { inputs: {}, trace_id: 't2', op_name: 'g' }),
    );
    await write(endItem('c1', { output: 'one', exception: 'E' }), endItem('c1', { output: 'two' }));
    expect(await read('c1')).toMatchObject({
      inputs: { first: true },
      trace_id: 't1',
      op_name: 'f',
      output: 'two',
      exception: null,
    });
  });

  test('an empty batch has an empty answer', async () => {
    expect((await write()).body).toEqual({ res: [] });
  });

  test('an empty exception is none', async () => {
    await write(startItem('c1'), endItem('c1', { exception: '' }));
    expect(await read('c1')).toMatchObject({ exception: null, summary: { svc: { status: 'success' } } });
  });

  test('a display name of an update beats that of an end, which beats that of a start', async () => {
    const update = (display_name: string) =>
      server.post('/call/update', { project_id: PROJECT, call_id: 'c1', display_name });
    expect((await update('updated')).body).toEqual({});
    await write(endItem('c1', { display_name: 'ended' }), startItem('c1', { display_name: 'started' }));
    expect(await read('c1')).toMatchObject({ display_name: 'updated' });
    await update('');
    expect(await read('c1')).toMatchObject({ display_name: null, summary: { svc: { trace_name: 'f' } } });
  });

  test('an update without a name, or with too long a one, is refused', async () => {
    const update = async (fields: object) =>
      (await server.post('/call/update', { project_id: PROJECT, call_id: 'c1', ...fields })).body;
    expect(await update({})).toMatchObject({ error_code: 'invalid_request' });
    expect(await update({ display_name: null })).toMatchObject({ error_code: 'invalid_request' });
    expect(await update({ display_name: '😀'.repeat(1024) })).toEqual({});
    expect(await update({ display_name: '😀'.repeat(1025) })).toMatchObject({ error_code: 'invalid_request' });
  });

  test('deleting a call deletes what it called and is final', async () => {
    await write(startItem('a'), startItem('b', { parent_id: 'a' }), startItem('c', { parent_id: 'b' }), startItem('d'));
    const remove = async (...call_ids: string[]) =>
      (await server.post('/calls/delete', { project_id: PROJECT, call_ids })).body;
    expect(await remove('a', 'unknown')).toEqual({ num_deleted: 3 });
    expect(await remove('a', 'c')).toEqual({ num_deleted: 0 });
    expect(await remove()).toEqual({ num_deleted: 0 });
    expect((await write(startItem('b', { trace_id: 'other' }))).body).toEqual({ res: [{ id: 'b', trace_id: 't1' }] });
    expect((await query()).map(({ id }) => id)).toEqual(['d']);
    const update = await server.post('/call/update', { project_id: PROJECT, call_id: 'b', display_name: 'x' });
    expect([update.status, update.body]).toEqual([404, expect.objectContaining({ error_code: 'call_deleted' })]);
  });

  test('the status says the first that holds: error, running, descendant_error, success', async () => {
    const counts = (error: unknown) => ({ summary: { status_counts: { error } } });
    await write(
      startItem('error'),
      endItem('error', { exception: 'E', ...counts(1) }),
      startItem('running'),
      startItem('below'),
      endItem('below', counts(2)),
      startItem('text'),
      endItem('text', counts('2')),
      startItem('fine'),
      endItem('fine', counts(0)),
    );
    const status = await Promise.all(['error', 'running', 'below', 'text', 'fine'].map((id) => read(id)));
    expect(status.map((call) => (call as { summary: { svc: { status: string } } }).summary.svc.status)).toEqual([
      'error',
      'running',
      'descendant_error',
      'success',
      'success',
    ]);
  });

  test('what a client keeps beside the computed summary stays, and computed names are ours', async () => {
    const svc = {
      status: 'great',
      latency_ms: -1,
      trace_name: 'x',
      costs: {},
      feedback: [1],
      display_name: 'd',
      mine: 1.5,
    };
    await write(
      startItem('c1'),
      endItem('c1', { summary: { svc, other: 'svc' } }),
      startItem('c2'),
      endItem('c2', { summary: { svc: 5 } }),
    );
    const computed = { status: 'success', trace_name: 'f', latency_ms: 1250 };
    expect(await read('c1')).toMatchObject({ summary: { other: 'svc', svc: { mine: 1.5, ...computed } } });
    expect(((await read('c1')) as { summary: { svc: object } }).summary.svc).not.toHaveProperty('costs');
    expect(await read('c2')).toMatchObject({ summary: { svc: computed } });
  });

  test('numbers keep their digits from the request to the answer', async () => {
    const body = `{"batch":[{"mode":"start","req":{"start":{"project_id":"${PROJECT}","id":"c1","op_name":"f","trace_id":"t1",
      "started_at":"${STARTED}","svc_run_step":5.0,"inputs":{"a":1.0,"b":12345678901234567890,"c":1e16,"__proto__":{"d":-0.0}}}}}]}`;
    expect((await server.post('/call/upsert_batch', body)).status).toBe(200);
    const { text } = await server.post('/call/read', { project_id: PROJECT, id: 'c1' });
    expect(text).toContain('"inputs":{"a":1.0,"b":12345678901234567890,"c":1e+16,"__proto__":{"d":-0.0}}');
    expect(text).toContain('"svc_run_step":5,');
  });

  test('text of any kind survives', async () => {
    const inputs = {
      '': '',
      'a"b\\': 'line\nbreak',
      nul: 'a\0b',
      ünï: '😀\u2028',
      path: '../../etc',
      sql: "'); DROP TABLE calls;--",
    };
    await write(
      startItem('c1', { inputs, display_name: '<b>\0</b>' }),
      endItem('c1', { exception: 'a\0b', output: '\u{10ffff}' }),
    );
    expect(await read('c1')).toMatchObject({
      inputs,
      display_name: '<b>\0</b>',
      exception: 'a\0b',
      output: '\u{10ffff}',
    });
    const broken = `{"start":{"project_id":"${PROJECT}","id":"c2","op_name":"f","started_at":"${STARTED}","inputs":{"a":"\\ud800x"}}}`;
    await server.post('/call/start', broken);
    expect(await read('c2')).toMatchObject({ inputs: { a: '\ufffdx' } });
  });

  test('references are found at any depth and drive the filters', async () => {
    const ref = (name: string) => `svc:///${PROJECT}/object/${name}:abc`;
    await write(
      startItem('c1', { inputs: { list: [{ model: ref('m') }], text: `see ${ref('n')}`, broken: 'svc:///x' } }),
      endItem('c1', { output: { deep: [[ref('o')]] } }),
      startItem('c2', { inputs: { model: ref('other') } }),
    );
    const ids = async (filter: object) => (await query({ filter })).map(({ id }) => id);
    expect(await ids({ input_refs: [ref('m')] })).toEqual(['c1']);
    expect(await ids({ input_refs: [`svc:///${PROJECT}/object/m:*`] })).toEqual(['c1']);
    expect(await ids({ output_refs: [ref('o')] })).toEqual(['c1']);
    expect(await ids({ input_refs: [ref('n')] })).toEqual([]);
  });

  test('a long display name is cut, a long exception too', async () => {
    await start({ display_name: '😀'.repeat(1025) });
    await end({ exception: 'é'.repeat(200_000) });
    const { display_name, exception } = (await read('c1')) as { display_name: string; exception: string };
    expect(display_name).toBe(`${'😀'.repeat(1021)}...`);
    expect(exception).toMatch(/^é+ …\[truncated\]$/);
    expect(Buffer.byteLength(exception)).toBeLessThanOrEqual(256 * 1024);
    expect(Buffer.byteLength(exception)).toBeGreaterThan(256 * 1024 - 4);
  });

  test('a field that is too deep is replaced, and the rest of the batch is kept', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}[1.0]${'}'.repeat(levels - 1)}`;
    const item = (id: string, inputs: string) =>
      `{"mode":"start","req":{"start":{"project_id":"${PROJECT}","id":"${id}","op_name":"f","trace_id":"t1","started_at":"${STARTED}","inputs":${inputs},"attributes":{"b":1.0}}}}`;
    const body = `{"batch":[${item('deep', nested(513))},${item('deepest', nested(4900))},${item('fits', nested(512))}]}`;
    expect((await server.post('/call/upsert_batch', body)).status).toBe(200);
    const placeholder = { _svc: { error: '<EXCEEDS_LIMITS>' } };
    expect(await read('deep')).toMatchObject({ inputs: placeholder, attributes: { b: 1 } });
    expect(await read('deepest')).toMatchObject({ inputs: placeholder });
    const { text } = await server.post('/call/read', { project_id: PROJECT, id: 'fits' });
    expect(text).toContain(`"inputs":${nested(512)}`);
  });

  test('what came with escapes or spaces is found as what it means', async () => {
    const call = JSON.stringify(startItem('c1')).replace(
      '"started_at"',
      '"inputs": { "k\\u0065y" : "caf\\u00e9\\/bar 😀" }, "started_at"',
    );
    expect((await server.post('/call/upsert_batch', `{"batch":[${call}]}`)).status).toBe(200);
    const found = async ($expr: object) => (await query({ query: { $expr } })).map(({ id }) => id);
    const key = { $getField: 'inputs.key' };
    expect(await found({ $eq: [key, { $literal: 'café/bar 😀' }] })).toEqual(['c1']);
    expect(await found({ $contains: { input: key, substr: { $literal: 'é/b' } } })).toEqual(['c1']);
    expect(
      await found({ $contains: { input: { $getField: 'inputs' }, substr: { $literal: '{"key":"café/' } } }),
    ).toEqual(['c1']);
  });

  test('sizes count the canonical texts, and the total belongs to the root', async () => {
    await write(
      startItem('root', { inputs: { a: 1, b: 'é' }, attributes: {} }),
      endItem('root', { output: null, summary: { n: 1.0 } }),
      startItem('child', { parent_id: 'root', inputs: { a: [1, 2] } }),
      startItem('else', { trace_id: 't2' }),
    );
    // {"a": 1, "b": "\u00e9"} {} {"n": 1} · {"a": [1, 2]} {} · {} {}
    const sizes = { root: 23 + 2 + 8, child: 13 + 2, else: 4 };
    const want = { include_storage_size: true, include_total_storage_size: true };
    const shown = (calls: Record<string, unknown>[]) =>
      calls.map(({ id, storage_size_bytes, total_storage_size_bytes }) => [
        id,
        storage_size_bytes,
        total_storage_size_bytes,
      ]);
    expect(shown(await query({ ...want, columns: ['id'] }))).toEqual([
      ['child', sizes.child, null],
      ['else', sizes.else, sizes.else],
      ['root', sizes.root, sizes.root + sizes.child],
    ]);
    expect(shown([(await read('root', want)) as Record<string, unknown>])).toEqual([
      ['root', sizes.root, sizes.root + sizes.child],
    ]);
    expect(shown(await query({ include_storage_size: true, limit: 1 }))).toEqual([['child', sizes.child, null]]);
    const stats = await server.post('/calls/query_stats', { project_id: PROJECT, include_total_storage_size: true });
    expect(stats.body).toEqual({ count: 3, total_storage_size_bytes: sizes.root + sizes.child + sizes.else });
    const none = await server.post('/calls/query_stats', {
      project_id: PROJECT,
      include_total_storage_size: true,
      filter: { call_ids: ['child'] },
    });
    expect(none.body).toEqual({ count: 1, total_storage_size_bytes: 0 });
  });

  test('counting stops at the limit, which is at least 1', async () => {
    await write(startItem('a'), startItem('b'), startItem('c'));
    const stats = async (fields: object) =>
      (await server.post('/calls/query_stats', { project_id: PROJECT, ...fields })).body;
    expect(await stats({})).toEqual({ count: 3, total_storage_size_bytes: null });
    expect(await stats({ limit: 2 })).toEqual({ count: 2, total_storage_size_bytes: null });
    expect(await stats({ limit: 0 })).toMatchObject({ error_code: 'invalid_request' });
  });

  test('columns choose what is shown; the rest is empty', async () => {
    await write(
      startItem('c1', { inputs: { a: 1 }, attributes: { b: 1 }, svc_run_step: 1, display_name: 'd' }),
      endItem('c1', { output: 1, exception: 'E', svc_run_step_end: 2 }),
    );
    const [line] = await query({ columns: ['inputs.a'] });
    expect(line).toEqual({ ...EMPTY_CALL, id: 'c1', inputs: { a: 1 }, svc_user_id: null, summary: null });
    const [summary] = await query({ columns: ['summary', 'svc_run_step_end'] });
    const svc = { status: 'error', latency_ms: 1250, trace_name: 'd', display_name: 'd' };
    expect(summary).toEqual({ ...EMPTY_CALL, id: 'c1', svc_user_id: null, summary: { svc }, svc_run_step_end: 2 });
    const [feedback] = await query({ columns: ['id'], include_feedback: true });
    expect(feedback).toMatchObject({ summary: { svc: { ...svc, feedback: [] } }, output: null });
    expect(await query({ columns: [] })).toEqual(await query({}));
  });

  test('filter, query, sort, limit and offset work together', async () => {
    await write(
      ...['a', 'b', 'c', 'd', 'e'].map((id, index) =>
        startItem(id, { inputs: { n: index }, op_name: id === 'e' ? 'g' : 'f' }),
      ),
    );
    const calls = await query({
      filter: { op_names: ['f'] },
      query: { $expr: { $gte: [{ $getField: 'inputs.n' }, { $literal: 1 }] } },
      sort_by: [{ field: 'inputs.n', direction: 'desc' }],
      limit: 1,
      offset: 1,
    });
    expect(calls.map(({ id }) => id)).toEqual(['c']);
    expect(await query({ limit: 0 })).toEqual([]);
    expect((await server.post('/calls/query', { project_id: PROJECT, limit: 2 })).body).toEqual({
      calls: await query({ limit: 2 }),
    });
  });

  test('a project that was never written is empty', async () => {
    const project_id = 'never/written';
    expect((await server.post('/call/read', { project_id, id: 'c' })).body).toEqual({ call: null });
    expect((await server.post('/calls/stream_query', { project_id })).text).toBe('');
    expect((await server.post('/calls/query_stats', { project_id, include_total_storage_size: true })).body).toEqual({
      count: 0,
      total_storage_size_bytes: 0,
    });
  });

  test('50 writers of 100 calls each lose nothing', async () => {
    const writeAll = async (writer: number) => {
      for (let round = 0; round < 10; round++) {
        const ids = Array.from({ length: 10 }, (_, index) => `w${writer}-${round}-${index}`);
        const answer = await write(
          ...ids.flatMap((id) => [startItem(id, { inputs: { writer } }), endItem(id, { output: id })]),
        );
        expect(answer.status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: 50 }, (_, writer) => writeAll(writer)));
    const calls = await query();
    expect(calls).toHaveLength(5000);
    expect(calls.every(({ id, output }) => id === output)).toBe(true);
  });
});
