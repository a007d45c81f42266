import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const DIGEST = 'A'.repeat(43);

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine, limits: { sorted_bytes: 20_000, ref_value_bytes: 30_000 } });
  });
  afterEach(() => server.close());

  /** Publishes a value; its reference. */
  const publish = async (name: string, val: unknown, project_id = PROJECT) => {
    const { body } = await server.post('/obj/create', { obj: { project_id, object_id: name, val } });
    return `svc:///${project_id}/object/${name}:${(body as { digest: string }).digest}`;
  };
  /** Ended calls c0, c1, … a second apart, with these inputs. */
  const write = async (inputs: readonly unknown[], fields: object = {}) => {
    const batch = inputs.flatMap((value, index) => {
      const at = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
      const ids = { project_id: PROJECT, id: `c${index}` };
      const start = { ...ids, trace_id: `t${index}`, op_name: 'f', started_at: at, inputs: value, ...fields };
      return [
        { mode: 'start', req: { start } },
        { mode: 'end', req: { end: { ...ids, ended_at: at, output: null, summary: {}, ...fields } } },
      ];
    });
    expect((await server.post('/call/upsert_batch', { batch })).status).toBe(200);
  };
  const ask = async (fields: object) => {
    const { status, text, body } = await server.post('/calls/stream_query', { project_id: PROJECT, ...fields });
    if (status !== 200) return body;
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  const inputsOf = async (fields: object) => {
    const calls = await ask({ columns: ['inputs'], ...fields });
    return Array.isArray(calls) ? calls.map(({ inputs }) => inputs as unknown) : calls;
  };
  const idsOf = async (fields: object) => {
    const calls = await ask({ columns: ['id'], ...fields });
    return Array.isArray(calls) ? calls.map(({ id }) => id) : calls;
  };
  const stats = async (fields: object) =>
    (await server.post('/calls/query_stats', { project_id: PROJECT, ...fields })).body;

  test('a reference at an expanded path gives way to its value, which says where it comes from', async () => {
    const model = await publish('model', { name: 'm', temperature: 1.5 });
    await write([{ model, other: model }]);
    expect(await ask({ expand_columns: ['inputs.model'] })).toEqual([
      {
        id: 'c0',
        project_id: PROJECT,
        op_name: 'f',
        display_name: null,
        trace_id: 't0',
        parent_id: null,
        thread_id: null,
        turn_id: null,
        started_at: '2026-01-01T00:00:00Z',
        attributes: {},
        inputs: { model: { name: 'm', temperature: 1.5, _ref: model }, other: model },
        ended_at: '2026-01-01T00:00:00Z',
        exception: null,
        output: null,
        summary: { svc: { status: 'success', trace_name: 'f', latency_ms: 0 } },
        svc_user_id: expect.any(String),
        svc_run_id: null,
        svc_run_step: null,
        deleted_at: null,
        storage_size_bytes: null,
        total_storage_size_bytes: null,
      },
    ]);
    expect(await inputsOf({})).toEqual([{ model, other: model }]);
    expect(await inputsOf({ expand_columns: ['inputs.model'], return_expanded_column_values: false })).toEqual([
      { model, other: model },
    ]);
    expect(await inputsOf({ expand_columns: [], return_expanded_column_values: null })).toEqual([
      { model, other: model },
    ]);
  });

  test('paths are expanded shallowest first, in every body and through lists', async () => {
    const prompt = await publish('prompt', ['be', 'kind']);
    const model = await publish('model', { prompt, 'a.b': prompt, _ref: 'mine' });
    const opRef = (await publish('f', { _type: 'CustomType', svc_type: { type: 'Op' } })).replace('/object/', '/op/');
    await write([{ list: [1, model], part: `${model}/key/prompt/index/1`, op: opRef }], {
      attributes: { prompt },
      output: model,
      summary: { prompt },
    });
    const expand_columns = [
      'inputs.list.1.prompt',
      'inputs.list.1.a\\.b',
      'output.prompt',
      'inputs.part',
      'inputs.op',
      'inputs.list.1',
      'inputs.list.1',
      'inputs.list.7.x',
      'output',
      'attributes.prompt',
      'summary.prompt',
    ];
    const [call] = (await ask({ expand_columns })) as Record<string, unknown>[];
    const whole = { prompt: ['be', 'kind'], 'a.b': ['be', 'kind'], _ref: 'mine' };
    expect(call).toMatchObject({ attributes: { prompt: ['be', 'kind'] }, summary: { prompt: ['be', 'kind'] } });
    expect(call?.['inputs']).toEqual({
      list: [1, whole],
      part: 'kind',
      op: { _type: 'CustomType', svc_type: { type: 'Op' }, _ref: opRef },
    });
    expect(call?.['output']).toEqual({ ...whole, 'a.b': prompt });
  });

  test('what cannot be resolved stays a reference', async () => {
    const deleted = await publish('gone', { x: 1 });
    const foreign = await publish('theirs', { x: 1 }, 'acme/other');
    const own = await publish('own', { x: 1 });
    await server.post('/obj/delete', { project_id: PROJECT, object_id: 'gone' });
    const table = `svc:///${PROJECT}/table/${'0'.repeat(64)}`;
    const holder = await publish('holder', { table });
    const inputs = {
      deleted,
      foreign,
      unknown: `svc:///${PROJECT}/object/own:${DIGEST}`,
      wrongKind: own.replace('/object/', '/op/'),
      latest: `svc:///${PROJECT}/object/own:latest`,
      numbered: `svc:///${PROJECT}/object/own:v0`,
      call: `svc:///${PROJECT}/call/c0`,
      table,
      row: `${holder}/key/table/id/${DIGEST}`,
      column: `${holder}/key/table/key/x`,
      missing: `${own}/key/nope`,
      text: 'svc:///nothing',
      number: 1,
      nothing: null,
    };
    await write([inputs]);
    expect(await inputsOf({ expand_columns: Object.keys(inputs).map((key) => `inputs.${key}`) })).toEqual([inputs]);
  });

  test('columns that are not shown are not expanded', async () => {
    const model = await publish('model', { x: 1 });
    await write([{ model }], { output: model });
    expect(await ask({ columns: ['output'], expand_columns: ['inputs.model', 'output'] })).toMatchObject([
      { inputs: {}, output: { x: 1, _ref: model }, attributes: {} },
    ]);
  });

  describe('with values behind references', () => {
    const temperature = { $getField: 'inputs.model.temperature' };
    const isWarm = { $gt: [temperature, { $literal: 0.5 }] };
    const through = { expand_columns: ['inputs.model'] };
    let warm: string;
    let cold: string;
    beforeEach(async () => {
      warm = await publish('model', { temperature: 1, tags: ['a'] });
      cold = await publish('model', { temperature: 0 });
      await write([
        { model: warm },
        { model: cold },
        { model: { temperature: 2 } },
        { model: 'none' },
        { model: warm },
      ]);
    });

    test('queries ask about them, and about nothing behind what is not expanded', async () => {
      const query = { $expr: isWarm };
      expect(await idsOf({ query })).toEqual(['c2']);
      expect(await idsOf({ ...through, query })).toEqual(['c0', 'c2', 'c4']);
      expect(await idsOf({ ...through, query, return_expanded_column_values: false })).toEqual(['c0', 'c2', 'c4']);
      expect(await idsOf({ ...through, query: { $expr: { $not: [isWarm] } } })).toEqual(['c1']);
      expect(await idsOf({ ...through, query: { $expr: { $eq: [temperature, { $literal: null }] } } })).toEqual(['c3']);
      const tag = { $eq: [{ $getField: 'inputs.model.tags.0' }, { $literal: 'a' }] };
      expect(await idsOf({ ...through, query: { $expr: tag } })).toEqual(['c0', 'c4']);
      const source = { $eq: [{ $getField: 'inputs.model._ref' }, { $literal: cold }] };
      expect(await idsOf({ ...through, query: { $expr: source } })).toEqual(['c1']);
    });

    test('a path that is expanded itself is the reference', async () => {
      const isModel = { $eq: [{ $getField: 'inputs.model' }, { $literal: warm }] };
      expect(await idsOf({ ...through, query: { $expr: isModel } })).toEqual(['c0', 'c4']);
      expect(await idsOf({ ...through, query: { $expr: { $and: [isModel, isWarm] } } })).toEqual(['c0', 'c4']);
    });

    test('they are combined with everything else that is asked', async () => {
      const isLate = { $gte: [{ $getField: 'started_at' }, { $literal: '2026-01-01T00:00:02Z' }] };
      const isDone = { $eq: [{ $getField: 'summary.svc.status' }, { $literal: 'success' }] };
      const svc_ref = `svc:///${PROJECT}/call/c4`;
      await server.post('/feedback/create', { project_id: PROJECT, svc_ref, feedback_type: 'up', payload: { n: 1 } });
      const isLiked = { $eq: [{ $getField: 'feedback.[up].payload.n' }, { $literal: 1 }] };
      const ids = (...parts: object[]) => idsOf({ ...through, query: { $expr: { $and: parts } } });
      expect(await ids(isWarm, isLate)).toEqual(['c2', 'c4']);
      expect(await ids({ $or: [isWarm, isLate] }, isDone)).toEqual(['c0', 'c2', 'c3', 'c4']);
      expect(await ids({ $or: [{ $not: [isWarm] }, isLiked] })).toEqual(['c1', 'c4']);
      expect(await ids({ $or: [isWarm, { $not: [isDone] }] })).toEqual(['c0', 'c2', 'c4']);
      expect(await idsOf({ ...through, query: { $expr: isWarm }, filter: { call_ids: ['c0', 'c1'] } })).toEqual(['c0']);
    });

    test('pages and counts count what is left', async () => {
      const query = { $expr: isWarm };
      const sort_by = [{ field: 'id', direction: 'desc' }];
      expect(await idsOf({ ...through, query, limit: 2, offset: 1 })).toEqual(['c2', 'c4']);
      expect(await idsOf({ ...through, query, limit: 1, sort_by })).toEqual(['c4']);
      expect(await idsOf({ ...through, query, limit: 0 })).toEqual([]);
      expect(await idsOf({ ...through, query, offset: 3 })).toEqual([]);
      expect(await stats({ ...through, query })).toEqual({ count: 3, total_storage_size_bytes: null });
      expect(await stats({ ...through, query, limit: 2 })).toEqual({ count: 2, total_storage_size_bytes: null });
      const calls = (await idsOf({ filter: { call_ids: ['c0', 'c2', 'c4'] } })) as string[];
      const all = await stats({ filter: { call_ids: calls }, include_total_storage_size: true });
      expect(await stats({ ...through, query, include_total_storage_size: true })).toEqual(all);
    });

    test('orders go by them', async () => {
      const by = (direction: string) => ({ ...through, sort_by: [{ field: 'inputs.model.temperature', direction }] });
      expect(await idsOf(by('asc'))).toEqual(['c1', 'c0', 'c4', 'c2', 'c3']);
      expect(await idsOf(by('desc'))).toEqual(['c2', 'c4', 'c0', 'c1', 'c3']);
      expect(await idsOf({ ...by('desc'), limit: 2, offset: 1 })).toEqual(['c4', 'c0']);
      expect(await idsOf({ ...by('asc'), query: { $expr: isWarm } })).toEqual(['c0', 'c4', 'c2']);
      const [first] = (await inputsOf({ ...by('asc'), limit: 1 })) as unknown[];
      expect(first).toEqual({ model: { temperature: 0, _ref: cold } });
      const twice = [
        { field: 'inputs.model.tags', direction: 'asc' },
        { field: 'started_at', direction: 'desc' },
      ];
      expect(await idsOf({ ...through, sort_by: twice })).toEqual(['c4', 'c0', 'c3', 'c2', 'c1']);
    });

    test('an order of more than may be kept is refused, a page of it is not', async () => {
      await write(Array.from({ length: 60 }, (_, n) => ({ model: warm, n, text: 'x'.repeat(500) })));
      const sort_by = [{ field: 'inputs.model.temperature', direction: 'asc' }];
      expect(await ask({ ...through, sort_by })).toMatchObject({ error_code: 'invalid_request' });
      expect(await idsOf({ ...through, sort_by, limit: 3 })).toEqual(['c1', 'c0', 'c10']);
    });
  });

  test('hundreds of calls are expanded in order', async () => {
    const models = await Promise.all([0, 1, 2].map((n) => publish(`model${n}`, { n })));
    await write(Array.from({ length: 300 }, (_, n) => ({ n, model: models[n % 3] })));
    const inputs = await inputsOf({ expand_columns: ['inputs.model'] });
    expect(inputs).toEqual(Array.from({ length: 300 }, (_, n) => ({ n, model: { n: n % 3, _ref: models[n % 3] } })));
    const isTwo = { $eq: [{ $getField: 'inputs.model.n' }, { $literal: 2 }] };
    expect(await stats({ expand_columns: ['inputs.model'], query: { $expr: isTwo } })).toMatchObject({ count: 100 });
    const by = [{ field: 'started_at', direction: 'asc' }];
    const page = { expand_columns: ['inputs.model'], query: { $expr: isTwo }, sort_by: by, offset: 20, limit: 2 };
    expect(await idsOf(page)).toEqual(['c62', 'c65']);
  });

  test('a query that finds nothing in its time is ended', async () => {
    const slow = await startServer({ storage: engine, limits: { read_ms: 0 } });
    const at = { started_at: '2026-01-01T00:00:00Z', inputs: { model: { x: 0 } } };
    await slow.post('/call/start', { start: { project_id: PROJECT, id: 'c0', trace_id: 't', op_name: 'f', ...at } });
    const isThere = { $eq: [{ $getField: 'inputs.model.x' }, { $literal: 1 }] };
    const request = { project_id: PROJECT, expand_columns: ['inputs.model'], query: { $expr: isThere } };
    for (const path of ['/calls/stream_query', '/calls/query_stats']) {
      const { status, body } = await slow.post(path, request);
      expect([status, body]).toMatchObject([504, { error_code: 'query_timeout' }]);
    }
    await slow.close();
  });

  test('what is no path in a body, and too many paths, are refused', async () => {
    await write([{}]);
    for (const path of ['nope', 'op_name', '', 'feedback.[x].payload.v', 'storage_size_bytes']) {
      const { status, body } = await server.post('/calls/stream_query', {
        project_id: PROJECT,
        expand_columns: [path],
      });
      expect([status, body]).toMatchObject([422, { error_code: 'invalid_field' }]);
      expect(await stats({ expand_columns: [path] })).toMatchObject({ error_code: 'invalid_field' });
    }
    const many = Array.from({ length: 101 }, (_, n) => `inputs.p${n}`);
    expect(await ask({ expand_columns: many })).toMatchObject({ error_code: 'too_many_items' });
    expect(await stats({ expand_columns: many })).toMatchObject({ error_code: 'too_many_items' });
    expect(await idsOf({ expand_columns: many.slice(1) })).toEqual(['c0']);
  });

  test('values larger than one answer may be are refused', async () => {
    const large = await publish('large', { text: 'x'.repeat(20_000) });
    await write([{ a: large, b: large }]);
    expect(await inputsOf({ expand_columns: ['inputs.a'] })).toEqual([
      { a: { text: 'x'.repeat(20_000), _ref: large }, b: large },
    ]);
    expect(await ask({ expand_columns: ['inputs.a', 'inputs.b'] })).toMatchObject({
      error_code: 'payload_too_large',
    });
    const read = async (...refs: string[]) => (await server.post('/refs/read_batch', { refs })).body;
    expect(await read(large)).toMatchObject({ vals: [{ text: 'x'.repeat(20_000) }] });
    expect(await read(large, large)).toMatchObject({ error_code: 'payload_too_large' });
  });
});
