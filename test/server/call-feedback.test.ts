import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine });
    for (const id of ['c1', 'c2']) {
      const start = { project_id: PROJECT, id, op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
      await server.post('/call/start', { start });
    }
  });
  afterEach(() => server.close());

  const lines = async (fields: object) => {
    const { text } = await server.post('/calls/stream_query', { project_id: PROJECT, ...fields });
    return text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { summary: { svc: Record<string, unknown> } }).summary.svc);
  };

  test('calls show the feedback on them when it is asked for', async () => {
    const svc_ref = `svc:///${PROJECT}/call/c1`;
    const { body } = await server.post('/feedback/create', {
      project_id: PROJECT,
      svc_ref,
      feedback_type: 'thumbs',
      payload: { up: true },
      trigger_ref: `svc:///${PROJECT}/object/alert:v0`,
    });
    const said = {
      ...(body as object),
      svc_ref,
      feedback_type: 'thumbs',
      creator: null,
      annotation_ref: null,
      runnable_ref: null,
      call_ref: null,
      trigger_ref: `svc:///${PROJECT}/object/alert:v0`,
    };
    const [first, second] = await lines({ include_feedback: true, columns: ['id'] });
    expect(first?.['feedback']).toEqual([said]);
    expect(second?.['feedback']).toEqual([]);
    expect((await lines({}))[0]).not.toHaveProperty('feedback');
  });

  test('a call finds what is said about it in whatever spelling of its reference', async () => {
    const project_id = 'acme/my project (é)';
    const start = { project_id, id: 'c1', op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
    await server.post('/call/start', { start });
    const spellings = ['my project (é)', 'my%20project%20%28%C3%A9%29', 'my%20project%20(%c3%a9)'];
    const refs = spellings.map((project) => `svc:///acme/${project}/call/c1`);
    for (const svc_ref of refs) {
      await server.post('/feedback/create', { project_id, svc_ref, feedback_type: 'thumbs', payload: {} });
    }
    expect((await lines({ project_id, include_feedback: true }))[0]?.['feedback']).toHaveLength(3);
    const feedback = { $getField: 'feedback.[thumbs].payload' };
    const isThere = { $expr: { $not: [{ $eq: [feedback, { $literal: null }] }] } };
    expect(await lines({ project_id, query: isThere })).toHaveLength(1);
    const idsBy = async (comparison: object) => {
      const query = { $expr: { $and: [comparison, { $not: [{ $eq: [{ $literal: 1 }, { $literal: 2 }] }] }] } };
      return ((await server.post('/feedback/query', { project_id, query })).body as { result: unknown[] }).result;
    };
    const field = { $getField: 'svc_ref' };
    for (const ref of refs) {
      expect(await idsBy({ $eq: [field, { $literal: ref }] })).toHaveLength(3);
      expect(await idsBy({ $or: [{ $in: [field, [{ $literal: ref }]] }] })).toHaveLength(3);
      expect(await idsBy({ $not: [{ $eq: [field, { $literal: ref }] }] })).toHaveLength(0);
      const isAbout = { $eq: [field, { $literal: ref }] };
      for (const value of [isAbout, { $convert: { input: isAbout, to: 'bool' } }]) {
        expect(await idsBy({ $eq: [value, { $literal: true }] })).toHaveLength(3);
        expect(await idsBy({ $in: [value, [{ $literal: true }]] })).toHaveLength(3);
        expect(await idsBy({ $in: [{ $literal: true }, [value]] })).toHaveLength(3);
        expect(await idsBy({ $not: [value] })).toHaveLength(0);
      }
    }
  });

  const post = async (call: string, feedback_type: string, payload: object, fields: object = {}) => {
    const svc_ref = `svc:///${PROJECT}/call/${call}`;
    const said = { project_id: PROJECT, svc_ref, feedback_type, payload, ...fields };
    expect((await server.post('/feedback/create', said)).status).toBe(200);
  };
  const idsOf = async (fields: object) => {
    const { text } = await server.post('/calls/stream_query', { project_id: PROJECT, columns: ['id'], ...fields });
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id: string }).id);
  };

  test('calls are asked about the feedback on them, and counted by it', async () => {
    await post('c1', 'svc.note.1', { note: 'good' }, { id: 'f1' });
    await post('c1', 'wandb.note.1', { note: 'bad' }, { id: 'f2' });
    await post('c2', 'score', { value: 2 }, { id: 'f3' });
    const isGood = { $eq: [{ $getField: 'feedback.[svc.note.1].payload.note' }, { $literal: 'good' }] };
    const { text } = await server.post('/calls/stream_query', { project_id: PROJECT, query: { $expr: isGood } });
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      {
        id: 'c1',
        project_id: PROJECT,
        op_name: 'f',
        display_name: null,
        trace_id: 't',
        parent_id: null,
        thread_id: null,
        turn_id: null,
        started_at: '2026-01-01T00:00:00Z',
        attributes: {},
        inputs: {},
        ended_at: null,
        exception: null,
        output: null,
        summary: { svc: { status: 'running', trace_name: 'f' } },
        svc_user_id: expect.any(String),
        svc_run_id: null,
        svc_run_step: null,
        deleted_at: null,
        storage_size_bytes: null,
        total_storage_size_bytes: null,
      },
    ]);
    const isBad = { $eq: [{ $getField: 'feedback.[wandb.note.1].payload.note' }, { $literal: 'bad' }] };
    expect(await idsOf({ query: { $expr: isBad } })).toEqual(['c1']);
    const hasNote = { $convert: { input: { $getField: 'feedback.[*].payload.note' }, to: 'exists' } };
    expect(await idsOf({ query: { $expr: { $not: [hasNote] } } })).toEqual(['c2']);
    const stats = await server.post('/calls/query_stats', { project_id: PROJECT, query: { $expr: isGood } });
    expect(stats.body).toEqual({ count: 1, total_storage_size_bytes: null });
    const sort_by = [{ field: 'feedback.[score].payload.value', direction: 'asc' }];
    expect(await idsOf({ sort_by })).toEqual(['c2', 'c1']);
  });

  test('feedback that is gone is not asked about', async () => {
    await post('c1', 'score', { value: 1 }, { id: 'f1' });
    const isOne = { $eq: [{ $getField: 'feedback.[score].payload.value' }, { $literal: 1 }] };
    expect(await idsOf({ query: { $expr: isOne } })).toEqual(['c1']);
    const isFirst = { $eq: [{ $getField: 'id' }, { $literal: 'f1' }] };
    await server.post('/feedback/purge', { project_id: PROJECT, query: { $expr: isFirst } });
    expect(await idsOf({ query: { $expr: isOne } })).toEqual([]);
  });

  test('paths that feedback does not have are refused where they stand', async () => {
    const paths = ['feedback', 'feedback.[*]', 'feedback.thumbs.payload.x', 'feedback.[thumbs].creator'];
    for (const path of [...paths, 'feedback.[thumbs].runnable_ref.x', 'feedback.[].payload.x']) {
      const query = { $expr: { $eq: [{ $getField: path }, { $literal: 1 }] } };
      const refusal = { error_code: 'invalid_field', reason: expect.stringContaining(JSON.stringify(path)) };
      for (const fields of [{ query }, { sort_by: [{ field: path, direction: 'asc' }] }]) {
        const { status, body } = await server.post('/calls/stream_query', { project_id: PROJECT, ...fields });
        expect([status, body]).toEqual([422, expect.objectContaining(refusal)]);
      }
      const { status, body } = await server.post('/calls/query_stats', { project_id: PROJECT, query });
      expect([status, body]).toEqual([422, expect.objectContaining(refusal)]);
    }
  });

  test('the span of a call is asked about and sorted by where it is shown', async () => {
    const dump = (id: string, otel_dump: object) => {
      const start = { project_id: PROJECT, id, op_name: 'g', trace_id: 't', started_at: '2026-01-02T00:00:00Z' };
      return server.post('/call/start', { start: { ...start, attributes: { a: 1 }, otel_dump } });
    };
    await dump('o1', { name: 'GET', status: { code: 2 } });
    await dump('o2', { name: 'POST', status: { code: 1 } });
    const isGet = { $eq: [{ $getField: 'attributes.otel_span.name' }, { $literal: 'GET' }] };
    const { text } = await server.post('/calls/stream_query', {
      project_id: PROJECT,
      columns: ['attributes'],
      query: { $expr: isGet },
    });
    expect(JSON.parse(text)).toMatchObject({
      id: 'o1',
      attributes: { a: 1, otel_span: { name: 'GET', status: { code: 2 } } },
    });
    const sort_by = [{ field: 'attributes.otel_span.status.code', direction: 'asc' }];
    expect(await idsOf({ sort_by })).toEqual(['o2', 'o1', 'c1', 'c2']);
  });
});
