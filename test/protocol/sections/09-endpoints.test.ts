import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES } from '../../server/running-server.ts';
import { linesOf, onEveryEngine, openService, refusal, type Service, STARTED, UUID } from './service.ts';

const project_id = 'acme/demo';
const SETTINGS = '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM';
const TABLE = '23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3';
const ROWS = ['DsBinkcEcd9bklBjKH4OntLJ8ZSWyevuLU63Fv4KYFU', '1G0Wv1X1l3ziu9usQN0vzUVHfHO648mTZ0rEZcZVccM'] as const;
const DATASET = 'Yf6X4oOvkQnBonXzGuThiA5boyJYXQcsKemNaYX2XOQ';
const HELLO = 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc';

const uuid: unknown = expect.stringMatching(UUID);
const instant: unknown = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/);

/** Requests as section 9 prints them. */
const BATCH = `{"batch":[
 {"mode":"end","req":{"end":{"project_id":"acme/demo","id":"c1","ended_at":"2026-01-01T00:00:01Z","output":1,"summary":{}}}},
 {"mode":"start","req":{"start":{"project_id":"acme/demo","id":"c1","op_name":"f","trace_id":"t1","started_at":"2026-01-01T00:00:00Z","attributes":{},"inputs":{}}}}]}`;
const CREATE_SETTINGS = `{"obj":{"project_id":"acme/demo","object_id":"settings","val":{"b":2,"a":[1,2.5,null,true],"é":"ü\\n"}}}`;
const CREATE_TABLE = `{"table":{"project_id":"acme/demo","rows":[{"q":"a","n":1},{"n":2,"q":"b"}]}}`;
const CREATE_COST = `{"project_id":"acme/demo","costs":{"gpt-x":{"prompt_token_cost":0.00001,"completion_token_cost":0.00003,"effective_date":"2024-01-01T00:00:00Z","provider_id":"openai"}}}`;
const CREATE_FEEDBACK = `{"project_id":"acme/demo","svc_ref":"svc:///acme/demo/call/c1","feedback_type":"svc.note.1","payload":{"note":"good"},"creator":"Ann"}`;
const CREATE_FILE = `{"project_id":"acme/demo","name":"obj.py","content":"aGVsbG8gd29ybGQK"}`;

describe.each(ENGINES)('the examples on %s', (engine) => {
  let service: Service;
  beforeEach(async () => {
    service = await openService({ storage: engine });
  });
  afterEach(async () => await service.close());

  /** The answer to a request that has to be taken. */
  const ask = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await service.post(path, body);
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.body;
  };
  const refused = async (path: string, body: unknown) => refusal(await service.post(path, body));

  test('9.1 and 9.2: a call starts and ends', async () => {
    const id = '0190a000-0000-7000-8000-000000000001';
    const start = `{"start":{"project_id":"acme/demo","id":"0190a000-0000-7000-8000-000000000001","op_name":"svc:///acme/demo/op/predict:08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM","trace_id":"0190a000-0000-7000-8000-0000000000aa","started_at":"2026-01-01T12:00:00.000Z","attributes":{"env":"prod"},"inputs":{"q":"hi"}}}`;
    expect(await ask('/call/start', start)).toEqual({ id, trace_id: '0190a000-0000-7000-8000-0000000000aa' });
    const end = `{"end":{"project_id":"acme/demo","id":"0190a000-0000-7000-8000-000000000001","ended_at":"2026-01-01T12:00:01.250Z","output":"hello","summary":{"usage":{"gpt-x":{"requests":1,"prompt_tokens":10,"completion_tokens":4,"total_tokens":14}},"status_counts":{"success":1,"error":0}}}}`;
    expect(await ask('/call/end', end)).toEqual({});
    expect(await service.read(id)).toEqual({
      id,
      project_id,
      op_name: `svc:///acme/demo/op/predict:${SETTINGS}`,
      display_name: null,
      trace_id: '0190a000-0000-7000-8000-0000000000aa',
      parent_id: null,
      thread_id: null,
      turn_id: null,
      started_at: '2026-01-01T12:00:00Z',
      attributes: { env: 'prod' },
      inputs: { q: 'hi' },
      ended_at: '2026-01-01T12:00:01.250000Z',
      exception: null,
      output: 'hello',
      summary: {
        usage: { 'gpt-x': { requests: 1, prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 } },
        status_counts: { success: 1, error: 0 },
        svc: { status: 'success', trace_name: 'predict', latency_ms: 1250 },
      },
      svc_user_id: 'user-1',
      svc_run_id: null,
      svc_run_step: null,
      deleted_at: null,
      storage_size_bytes: null,
      total_storage_size_bytes: null,
    });
    expect(
      await ask('/call/end', `{"end":{"project_id":"acme/demo","id":"unknown","ended_at":"2026-01-01T12:00:00Z"}}`),
    ).toEqual({});
  });

  test('9.3: a batch', async () => {
    expect(await ask('/call/upsert_batch', BATCH)).toEqual({
      res: [
        { id: 'c1', trace_id: '' },
        { id: 'c1', trace_id: 't1' },
      ],
    });
    expect(await ask('/call/upsert_batch', { batch: [] })).toEqual({ res: [] });
    expect(await refused('/call/upsert_batch', { batch: [{ mode: 'middle', req: {} }] })).toBe('422 validation_error');
    const item = { mode: 'end', req: { end: { project_id, id: 'c', ended_at: STARTED } } };
    expect(await refused('/call/upsert_batch', { batch: Array.from({ length: 10_001 }, () => item) })).toBe(
      '400 too_many_items',
    );
    const other = {
      mode: 'start',
      req: { start: { project_id: 'other/p', id: 'o', op_name: 'f', trace_id: 't', started_at: STARTED } },
    };
    expect(await ask('/call/upsert_batch', { batch: [other, item, item] })).toEqual({
      res: [
        { id: 'o', trace_id: 't' },
        { id: 'c', trace_id: '' },
        { id: 'c', trace_id: '' },
      ],
    });
  });

  test('9.4: calls are deleted with what they called, and feedback on them stays', async () => {
    await service.write(BATCH);
    await service.start({ id: 'c2', parent_id: 'c1' });
    await service.start({ id: 'c3', parent_id: 'c2' });
    await ask('/feedback/create', CREATE_FEEDBACK);
    expect(await ask('/calls/delete', `{"project_id":"acme/demo","call_ids":["c1"]}`)).toEqual({ num_deleted: 3 });
    expect(await ask('/calls/delete', { project_id, call_ids: [] })).toEqual({ num_deleted: 0 });
    expect(await ask('/calls/delete', { project_id, call_ids: ['unknown'], svc_user_id: null })).toEqual({
      num_deleted: 0,
    });
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);
    expect(await refused('/calls/delete', { project_id, call_ids: ids(1001) })).toBe('400 too_many_items');
    expect(await ask('/calls/delete', { project_id, call_ids: ids(1000) })).toEqual({ num_deleted: 0 });
    expect(await ask('/feedback/query', { project_id, fields: ['count(*)'] })).toEqual({ result: [{ 'count(*)': 1 }] });
  });

  test('9.5 and 9.6: a call is named and read', async () => {
    await service.write(BATCH);
    const read = `{"call":{"id":"c1","project_id":"acme/demo","op_name":"f","display_name":null,"trace_id":"t1","parent_id":null,"thread_id":null,"turn_id":null,"started_at":"2026-01-01T00:00:00Z","attributes":{},"inputs":{},"ended_at":"2026-01-01T00:00:01Z","exception":null,"output":1,"summary":{"svc":{"status":"success","trace_name":"f","latency_ms":1000}},"svc_user_id":"user-1","svc_run_id":null,"svc_run_step":null,"deleted_at":null,"storage_size_bytes":null,"total_storage_size_bytes":null}}`;
    expect(await ask('/call/read', { project_id, id: 'c1' })).toEqual(JSON.parse(read));
    const update = `{"project_id":"acme/demo","call_id":"c1","display_name":"first try"}`;
    expect(await ask('/call/update', update)).toEqual({});
    expect(await service.read()).toMatchObject({ display_name: 'first try' });
    const name = async (display_name: unknown) =>
      await refused('/call/update', { project_id, call_id: 'c1', display_name });
    expect([await name(null), await name(undefined), await name('x'.repeat(1025))]).toEqual(
      Array(3).fill('400 invalid_request'),
    );
    expect([await name('x'.repeat(1024)), await name('')]).toEqual(['200', '200']);
    expect(await service.read()).toMatchObject({ display_name: null });
    expect(await ask('/call/read', { project_id, id: 'unknown' })).toEqual({ call: null });
    // {} and {} and 1 and {}
    const sizes = { include_storage_size: true, include_total_storage_size: true };
    expect(await service.read('c1', sizes)).toMatchObject({ storage_size_bytes: 7, total_storage_size_bytes: 7 });
  });

  test('9.7: calls are counted', async () => {
    await service.write(BATCH);
    await service.start({ id: 'c2' });
    await ask('/call/update', { project_id, call_id: 'c1', display_name: 'first try' });
    const stats = `{"project_id":"acme/demo","query":{"$expr":{"$and":[{"$eq":[{"$getField":"op_name"},{"$literal":"f"}]},{"$contains":{"input":{"$getField":"display_name"},"substr":{"$literal":"TRY"},"case_insensitive":true}}]}}}`;
    expect(await ask('/calls/query_stats', stats)).toEqual({ count: 1, total_storage_size_bytes: null });
    expect(await ask('/calls/query_stats', { project_id, limit: 1 })).toEqual({
      count: 1,
      total_storage_size_bytes: null,
    });
    expect(await refused('/calls/query_stats', { project_id, limit: 0 })).toBe('400 invalid_request');
    const none = { project_id, filter: { call_ids: ['none'] }, include_total_storage_size: true };
    expect(await ask('/calls/query_stats', none)).toEqual({ count: 0, total_storage_size_bytes: 0 });
    expect(await ask('/calls/query_stats', { project_id, include_total_storage_size: true })).toEqual({
      count: 2,
      // Both are roots of one trace, and the total of each is that of the trace.
      total_storage_size_bytes: expect.any(Number) as number,
    });
  });

  test('9.8: calls are streamed', async () => {
    const op_name = `svc:///acme/demo/op/predict:${SETTINGS}`;
    for (const [id, second] of [
      ['c0', 1],
      ['c1', 3],
    ] as const) {
      await service.start({ id, op_name, inputs: { a: 1 } });
      await service.end({ id, output: 1, ended_at: `2026-01-01T00:00:0${second}Z` });
    }
    await service.start({ id: 'child', op_name, parent_id: 'c1' });
    await service.start({ id: 'other' });
    const request = `{"project_id":"acme/demo","filter":{"trace_roots_only":true,"op_names":["svc:///acme/demo/op/predict:*"]},"sort_by":[{"field":"summary.svc.latency_ms","direction":"desc"}],"limit":50,"columns":["summary","display_name"]}`;
    const answer = await service.post('/calls/stream_query', request);
    expect(answer.headers.get('content-type')).toBe('application/jsonl');
    const line = (id: string, latency_ms: number) => ({
      id,
      project_id,
      op_name,
      trace_id: 't1',
      started_at: STARTED,
      display_name: null,
      attributes: {},
      inputs: {},
      summary: { svc: { status: 'success', trace_name: 'predict', latency_ms } },
      ...Object.fromEntries(
        'parent_id thread_id turn_id ended_at exception output svc_user_id svc_run_id svc_run_step deleted_at storage_size_bytes total_storage_size_bytes'
          .split(' ')
          .map((name) => [name, null]),
      ),
    });
    expect(linesOf(answer)).toEqual([line('c1', 3000), line('c0', 1000)]);
    expect(await ask('/calls/query', request)).toEqual({ calls: [line('c1', 3000), line('c0', 1000)] });
  });

  test('9.8: feedback inside a call has these keys', async () => {
    await service.write(BATCH);
    await ask('/feedback/create', CREATE_FEEDBACK);
    const [call] = await service.query({ include_feedback: true });
    const { feedback } = (call as unknown as { summary: { svc: { feedback: unknown } } }).summary.svc;
    expect(feedback).toEqual([
      {
        id: uuid,
        feedback_type: 'svc.note.1',
        svc_ref: 'svc:///acme/demo/call/c1',
        payload: { note: 'good' },
        creator: 'Ann',
        created_at: instant,
        svc_user_id: 'user-1',
        annotation_ref: null,
        runnable_ref: null,
        call_ref: null,
        trigger_ref: null,
      },
    ]);
  });

  test('9.9, 9.10 and 9.11: prices are set, read and removed', async () => {
    const { ids } = (await ask('/cost/create', CREATE_COST)) as { ids: [string, string][] };
    expect(ids).toEqual([[uuid, 'gpt-x']]);
    const cost = {
      id: ids[0]?.[0],
      llm_id: 'gpt-x',
      prompt_token_cost: 0.000_01,
      completion_token_cost: 0.000_03,
      prompt_token_cost_unit: 'USD',
      completion_token_cost_unit: 'USD',
      effective_date: '2024-01-01T00:00:00Z',
      provider_id: 'openai',
    };
    const query = `{"project_id":"acme/demo","query":{"$expr":{"$eq":[{"$getField":"llm_id"},{"$literal":"gpt-x"}]}}}`;
    expect(await ask('/cost/query', query)).toEqual({ results: [cost] });
    const nothing = Object.fromEntries(Object.keys(cost).map((key) => [key, null]));
    expect(await ask('/cost/query', { project_id, fields: ['llm_id'] })).toEqual({
      results: [{ ...nothing, llm_id: 'gpt-x' }],
    });
    expect(await refused('/cost/query', { project_id, fields: ['nope'] })).toBe('422 invalid_field');
    expect(await ask('/cost/query', { project_id: 'acme/other' })).toEqual({ results: [] });
    const price = { prompt_token_cost: 1, completion_token_cost: 1 };
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, price]));
    expect(await refused('/cost/create', { project_id, costs: { m: { ...price, prompt_token_cost: -1 } } })).toBe(
      '400 invalid_request',
    );
    expect(await refused('/cost/create', { project_id, costs: many(1001) })).toBe('400 too_many_items');
    expect(await ask('/cost/create', { project_id, costs: {} })).toEqual({ ids: [] });
    const { ids: created } = (await ask('/cost/create', { project_id, costs: many(3) })) as { ids: [string, string][] };
    expect(created.map(([, name]) => name)).toEqual(['m0', 'm1', 'm2']);
    const purge = `{"project_id":"acme/demo","query":{"$expr":{"$in":[{"$getField":"id"},[{"$literal":"${cost.id}"}]]}}}`;
    expect(await ask('/cost/purge', purge)).toEqual({});
    expect(await ask('/cost/purge', purge)).toEqual({});
    const left = (await ask('/cost/query', { project_id })) as { results: { llm_id: string }[] };
    expect(left.results.map(({ llm_id }) => llm_id).toSorted()).toEqual(['m0', 'm1', 'm2']);
  });

  test.each(['/cost/purge', '/feedback/purge'])('%s takes ids in three shapes and nothing else', async (path) => {
    const id = { $getField: 'id' };
    const literal = (value: unknown) => ({ $literal: value });
    const purge = async ($expr: object) => await refused(path, { project_id, query: { $expr } });
    expect(await purge({ $eq: [id, literal('x')] })).toBe('200');
    expect(await purge({ $in: [id, [literal('x'), literal('y')]] })).toBe('200');
    expect(await purge({ $or: [{ $eq: [id, literal('x')] }, { $eq: [id, literal('y')] }] })).toBe('200');
    const others = [
      { $eq: [id, literal(1)] },
      { $eq: [literal('x'), id] },
      { $eq: [{ $getField: 'llm_id' }, literal('x')] },
      { $in: [id, [literal(1)]] },
      { $and: [{ $eq: [id, literal('x')] }] },
      { $not: [{ $eq: [id, literal('x')] }] },
      { $or: [{ $in: [id, [literal('x')]] }] },
      literal(true),
    ];
    for (const expression of others) expect(await purge(expression)).toBe('400 invalid_request');
    expect(await refused(path, { project_id })).toBe('422 validation_error');
  });

  test('9.12, 9.13 and 9.14: feedback is given, read, replaced and removed', async () => {
    const given = (await ask('/feedback/create', CREATE_FEEDBACK)) as { id: string; created_at: string };
    expect(given).toEqual({ id: uuid, created_at: instant, svc_user_id: 'user-1', payload: { note: 'good' } });
    const query = `{"project_id":"acme/demo","fields":["id","payload.note"],"query":{"$expr":{"$eq":[{"$getField":"svc_ref"},{"$literal":"svc:///acme/demo/call/c1"}]}}}`;
    expect(await ask('/feedback/query', query)).toEqual({ result: [{ id: given.id, 'payload.note': 'good' }] });
    expect(await ask('/feedback/query', { project_id })).toEqual({
      result: [
        {
          id: given.id,
          project_id,
          svc_ref: 'svc:///acme/demo/call/c1',
          creator: 'Ann',
          created_at: given.created_at,
          feedback_type: 'svc.note.1',
          payload: { note: 'good' },
          annotation_ref: null,
          runnable_ref: null,
          call_ref: null,
          trigger_ref: null,
          queue_id: null,
          svc_user_id: 'user-1',
        },
      ],
    });
    expect(await ask('/feedback/query', { project_id, fields: ['payload.none'] })).toEqual({
      result: [{ 'payload.none': null }],
    });
    expect(await ask('/feedback/query', { project_id, fields: ['count(*)'] })).toEqual({ result: [{ 'count(*)': 1 }] });
    expect(await refused('/feedback/query', { project_id, fields: ['nope'] })).toBe('422 invalid_field');
    const since = { $expr: { $gte: [{ $getField: 'created_at' }, { $literal: '2020-01-01' }] } };
    expect(await ask('/feedback/query', { project_id, fields: ['id'], query: since })).toEqual({
      result: [{ id: given.id }],
    });

    const replace = (feedback_id: string, payload: object) =>
      `{"project_id":"acme/demo","svc_ref":"svc:///acme/demo/call/c1","feedback_type":"svc.note.1","payload":${JSON.stringify(payload)},"feedback_id":"${feedback_id}"}`;
    const newer = (await ask('/feedback/replace', replace(given.id, { note: 'better' }))) as { id: string };
    expect(newer).toEqual({ id: uuid, created_at: instant, svc_user_id: 'user-1', payload: { note: 'better' } });
    expect(newer.id).not.toBe(given.id);
    expect(await refused('/feedback/replace', replace(newer.id, {}))).toBe('400 invalid_request');
    expect(await ask('/feedback/query', query)).toEqual({ result: [{ id: newer.id, 'payload.note': 'better' }] });
    const extra = (await ask('/feedback/replace', replace('unknown', { note: 'more' }))) as { id: string };
    expect(await ask('/feedback/query', { project_id, fields: ['id'] })).toEqual({
      result: [{ id: newer.id }, { id: extra.id }],
    });
    const purge = { project_id, query: { $expr: { $eq: [{ $getField: 'id' }, { $literal: newer.id }] } } };
    expect(await ask('/feedback/purge', purge)).toEqual({});
    expect(await ask('/feedback/query', { project_id, fields: ['id'] })).toEqual({ result: [{ id: extra.id }] });
  });

  test('9.15 and 9.16: files are stored as JSON and as forms, and read back', async () => {
    expect(await ask('/file/create', CREATE_FILE)).toEqual({ digest: HELLO });
    expect(await ask('/files/create', CREATE_FILE)).toEqual({ digest: HELLO });
    const sendForm = async (parts: readonly string[]) =>
      await service.post(
        '/file/create',
        `${parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--b--\r\n`,
        {
          'content-type': 'multipart/form-data; boundary=b',
        },
      );
    const project = 'name="project_id"\r\n\r\nacme/demo';
    const file = 'name="file"; filename="obj.py"\r\n\r\nhello world\n';
    expect((await sendForm([project, file])).body).toEqual({ digest: HELLO });
    expect(refusal(await sendForm([project]))).toBe('422 validation_error');
    expect(refusal(await sendForm([file]))).toBe('422 validation_error');
    expect(refusal(await sendForm([project, file, 'name="expected_digest"\r\n\r\nx']))).toBe('409 digest_mismatch');
    expect(await refused('/file/create', { project_id, name: 'x', content: 'aGk' })).toBe('400 invalid_request');
    expect(await refused('/file/create', { project_id, name: 'x', content: 'aG k=' })).toBe('400 invalid_request');
    expect(await refused('/file/create', { project_id, name: 'x', content: 'aGk=', expected_digest: 'x' })).toBe(
      '409 digest_mismatch',
    );

    const content = `{"project_id":"acme/demo","digest":"${HELLO}"}`;
    for (const path of ['/file/content', '/files/content']) {
      const raw = await service.post(path, content);
      expect([raw.text, raw.headers.get('content-type'), raw.headers.get('content-length')]).toEqual([
        'hello world\n',
        'application/octet-stream',
        '12',
      ]);
    }
    const accept = async (value: string) => (await service.post('/file/content', content, { accept: value })).text;
    expect(await accept('application/json')).toBe('{"content":"aGVsbG8gd29ybGQK"}');
    expect(await accept('application/json, */*')).toBe('hello world\n');
    expect(await accept('application/json, application/octet-stream')).toBe('hello world\n');
    expect(await refused('/file/content', { project_id, digest: 'none' })).toBe('404 not_found');
    expect(await ask('/files/query_stats', `{"project_id":"acme/demo"}`)).toEqual({ total_size_bytes: 12 });
    expect(await ask('/files/query_stats', { project_id: 'acme/other' })).toEqual({ total_size_bytes: 0 });
  });

  test('9.17, 9.18 and 9.20: versions of an object', async () => {
    expect(await ask('/obj/create', CREATE_SETTINGS)).toEqual({ digest: SETTINGS, object_id: 'settings' });
    const read = `{"project_id":"acme/demo","object_id":"settings","digest":"latest"}`;
    const obj = {
      project_id,
      object_id: 'settings',
      created_at: instant,
      deleted_at: null,
      digest: SETTINGS,
      version_index: 0,
      is_latest: 1,
      kind: 'object',
      base_object_class: null,
      leaf_object_class: null,
      val: { a: [1, 2.5, null, true], b: 2, é: 'ü\n' },
      svc_user_id: 'user-1',
      size_bytes: 57,
    };
    expect(await ask('/obj/read', read)).toEqual({ obj });
    const version = async (digest: string, more: object = {}) => {
      const { body } = await service.post('/obj/read', { project_id, object_id: 'settings', digest, ...more });
      return body;
    };
    expect(await version(SETTINGS)).toEqual({ obj });
    expect(await version('v0', { include_tags_and_aliases: true })).toEqual({ obj });
    expect(await version('latest', { metadata_only: true })).toEqual({ obj: { ...obj, val: {} } });
    expect(await version('v1')).toMatchObject({ error_code: 'not_found' });

    const create = async (val: unknown) =>
      ((await ask('/obj/create', { obj: { project_id, object_id: 'settings', val } })) as { digest: string }).digest;
    const other = await create({ other: 1 });
    expect(await version('latest')).toMatchObject({ obj: { digest: other, version_index: 1 } });
    await ask('/obj/create', CREATE_SETTINGS);
    expect(await version('latest')).toMatchObject({ obj: { digest: SETTINGS, version_index: 0, is_latest: 1 } });
    expect(await version('v1')).toMatchObject({ obj: { is_latest: 0 } });

    const remove = async (digests: unknown) =>
      (await service.post('/obj/delete', { project_id, object_id: 'settings', digests })).body;
    const deleted = (digest: string) => ({ digest, base_object_class: null, leaf_object_class: null });
    expect(await remove(['latest', 'v0', SETTINGS])).toEqual({ num_deleted: 1, deleted_versions: [deleted(SETTINGS)] });
    expect(await version(SETTINGS)).toMatchObject({ error_code: 'object_deleted', deleted_at: instant });
    expect(await version('latest')).toMatchObject({ obj: { digest: other, is_latest: 1 } });
    expect(await remove(['v1', 'v7'])).toMatchObject({ error_code: 'not_found' });
    expect(await version('v1')).toMatchObject({ obj: { digest: other } });
    expect(await remove(Array.from({ length: 101 }, () => 'v1'))).toMatchObject({ error_code: 'too_many_items' });
    expect(await remove(null)).toEqual({ num_deleted: 1, deleted_versions: [deleted(other)] });
    expect(await version('latest')).toMatchObject({ error_code: 'object_deleted', deleted_at: instant });
    expect(await remove([])).toMatchObject({ error_code: 'not_found' });
    await ask('/obj/create', CREATE_SETTINGS);
    expect(await version('latest')).toMatchObject({ obj: { digest: SETTINGS, version_index: 2 } });
  });

  test('9.17: an op and an object of one name have versions of their own', async () => {
    const op = { _type: 'CustomType', svc_type: { type: 'Op' }, files: {} };
    const create = async (val: unknown) =>
      ((await ask('/obj/create', { obj: { project_id, object_id: 'scorer', val } })) as { digest: string }).digest;
    const [object, opDigest] = [await create({ a: 1 }), await create(op)];
    const read = async (digest: string) => await ask('/obj/read', { project_id, object_id: 'scorer', digest });
    expect(await read('latest')).toMatchObject({
      obj: { kind: 'object', digest: object, version_index: 0, is_latest: 1 },
    });
    expect(await read('v0')).toMatchObject({ obj: { kind: 'object' } });
    expect(await read(opDigest)).toMatchObject({ obj: { kind: 'op', version_index: 0, is_latest: 1 } });
    expect(await ask('/obj/delete', { project_id, object_id: 'scorer' })).toMatchObject({ num_deleted: 2 });
  });

  const createDataset = async () => {
    const { digest } = (await ask('/table/create', CREATE_TABLE)) as { digest: string };
    const val = {
      _type: 'Dataset',
      _class_name: 'Dataset',
      _bases: ['Object', 'BaseModel'],
      name: 'qa',
      description: null,
      rows: `svc:///acme/demo/table/${digest}`,
    };
    return await ask('/obj/create', { obj: { project_id, object_id: 'qa', val } });
  };

  test('9.19: objects are listed', async () => {
    expect(await createDataset()).toEqual({ digest: DATASET, object_id: 'qa' });
    await ask('/obj/create', CREATE_SETTINGS);
    const request = `{"project_id":"acme/demo","filter":{"base_object_classes":["Dataset"],"latest_only":true},"metadata_only":true,"limit":20}`;
    const dataset = {
      project_id,
      object_id: 'qa',
      created_at: instant,
      deleted_at: null,
      digest: DATASET,
      version_index: 0,
      is_latest: 1,
      kind: 'object',
      base_object_class: 'Dataset',
      leaf_object_class: 'Dataset',
      val: {},
      svc_user_id: 'user-1',
      size_bytes: null,
    };
    expect(await ask('/objs/query', request)).toEqual({ objs: [dataset] });
    const names = async (more: object) => {
      const { objs } = (await ask('/objs/query', { project_id, ...more })) as { objs: { object_id: string }[] };
      return objs.map(({ object_id }) => object_id);
    };
    expect(await names({})).toEqual(['qa', 'settings']);
    expect(await names({ filter: { exclude_base_object_classes: ['Dataset'] } })).toEqual(['settings']);
    expect(await names({ filter: { is_op: true } })).toEqual([]);
    expect(
      await names({ filter: { leaf_object_classes: [] }, sort_by: [{ field: 'object_id', direction: 'desc' }] }),
    ).toEqual(['settings', 'qa']);
    expect(await names({ limit: 1, offset: 1 })).toEqual(['settings']);
    const sort_by = [{ field: 'digest', direction: 'asc' }];
    expect(await refused('/objs/query', { project_id, sort_by })).toBe('422 invalid_field');
    const sized = (await ask('/objs/query', { project_id, include_storage_size: true })) as {
      objs: { size_bytes: unknown }[];
    };
    expect(sized.objs[1]).toMatchObject({ size_bytes: 57 });
  });

  test('9.22: values are read by reference', async () => {
    await ask('/obj/create', CREATE_SETTINGS);
    await createDataset();
    const refs = `{"refs":["svc:///acme/demo/object/settings:${SETTINGS}/key/a/index/1","svc:///acme/demo/object/qa:${DATASET}/attr/rows/id/${ROWS[0]}/key/q"]}`;
    expect(await ask('/refs/read_batch', refs)).toEqual({ vals: [2.5, 'a'] });
    const read = async (...list: string[]) => (await service.post('/refs/read_batch', { refs: list })).body;
    const settings = `svc:///acme/demo/object/settings:${SETTINGS}`;
    await service.write(BATCH);
    expect(await read()).toEqual({ vals: [] });
    expect(await read('svc:///acme/demo/call/c1', 'svc:///acme/demo/call/none')).toEqual({
      vals: [await service.read(), null],
    });
    expect(await read(`svc:///acme/demo/table/${TABLE}/id/${ROWS[1]}`)).toEqual({ vals: [{ n: 2, q: 'b' }] });
    expect(await read(`${settings}/key/none`, `${settings}/key/a/index/9`, `${settings}/key/b/key/x`)).toEqual({
      vals: [null, null, null],
    });
    expect(await read(`svc:///acme/demo/object/qa:${DATASET}/attr/rows`)).toEqual({
      vals: [`svc:///acme/demo/table/${TABLE}`],
    });
    expect(await read(`svc:///acme/demo/object/qa:${DATASET}/attr/rows/id/none`)).toMatchObject({
      error_code: 'not_found',
    });
    expect(await read(`svc:///acme/demo/object/qa:${DATASET}/attr/rows/index/0`)).toMatchObject({
      error_code: 'invalid_ref',
    });
    for (const ref of [
      `svc:///acme/demo/table/${TABLE}`,
      ...['latest', 'v0', '*'].map((v) => `svc:///acme/demo/object/settings:${v}`),
    ]) {
      expect(await read(ref)).toMatchObject({ error_code: 'invalid_ref' });
    }
    const unknown = `svc:///acme/demo/object/settings:${DATASET}`;
    expect(await read(settings, unknown)).toMatchObject({ error_code: 'not_found', missing_object_digests: [DATASET] });
    await ask('/obj/delete', { project_id, object_id: 'settings' });
    expect(await read(settings, `${settings}/key/a`)).toEqual({ vals: [null, null] });
    expect(await refused('/refs/read_batch', { refs: Array.from({ length: 1001 }, () => settings) })).toBe(
      '400 too_many_items',
    );
  });

  test('9.23 to 9.26: what the service says of itself', async () => {
    expect((await service.get('/health')).body).toEqual({ status: 'ok' });
    const version = (await service.get('/version')).body as { version: string };
    expect(version).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) as string, interface: '1' });
    expect((await service.get('/geolocate')).body).toEqual({ ip: '127.0.0.1', location: null, allowed: true });
    expect((await service.get('/geolocate?ip=2001:db8::1')).body).toEqual({
      ip: '2001:db8::1',
      location: null,
      allowed: true,
    });
    expect(refusal(await service.get('/geolocate?ip=1.2.3'))).toBe('422 validation_error');
    expect((await service.get('/server_info')).body).toEqual({
      min_required_svc_python_version: '0.0.1',
      trace_server_version: version.version,
      min_required_svc_client_version: expect.any(String) as string,
      dialects: ['native', 'w'],
      limits: expect.objectContaining({ request_bytes: 32 * 1024 * 1024, batch_items: 10_000 }) as object,
    });
  });

  test('9.27 to 9.30: tables are stored, changed, read and counted', async () => {
    expect(await ask('/table/create', CREATE_TABLE)).toEqual({ digest: TABLE, row_digests: ROWS });
    expect(await ask('/table/create', CREATE_TABLE)).toEqual({ digest: TABLE, row_digests: ROWS });
    expect(await refused('/table/create', { table: { project_id, rows: [1] } })).toBe('422 validation_error');
    expect(await refused('/table/create', { table: { project_id, rows: [], expected_digest: 'x' } })).toBe(
      '409 digest_mismatch',
    );
    const update = `{"project_id":"acme/demo","base_digest":"${TABLE}","updates":[{"pop":{"index":0}},{"append":{"row":{"q":"c"}}}]}`;
    const digest = '34e2c68d017d49b812c8cb81399ee484aa9ac7fa84944aa37037702a03b3fcb1';
    const added = 'lS3Vhz4eVrI1RxXtnXe14czQa0PTTZlXkI9wY5XpxhM';
    expect(await ask('/table/update', update)).toEqual({ digest, updated_row_digests: [ROWS[0], added] });
    const change = async (...updates: object[]) =>
      await service.post('/table/update', { project_id, base_digest: TABLE, updates });
    expect((await change()).body).toEqual({ digest: TABLE, updated_row_digests: [] });
    expect((await change({ insert: { index: 2, row: { q: 'c' } } })).body).toMatchObject({
      updated_row_digests: [added],
    });
    for (const wrong of [{ pop: { index: 2 } }, { pop: { index: -1 } }, { insert: { index: 3, row: {} } }]) {
      expect(refusal(await change(wrong))).toBe('400 invalid_request');
    }
    for (const wrong of [{}, { pop: { index: 0 }, append: { row: {} } }, { push: {} }]) {
      expect(refusal(await change(wrong))).toBe('422 validation_error');
    }
    expect(await refused('/table/update', { project_id, base_digest: 'none', updates: [] })).toBe('404 not_found');

    const rows = async (more: object = {}) => await ask('/table/query', { project_id, digest: TABLE, ...more });
    const [first, second] = [
      { digest: ROWS[0], val: { n: 1, q: 'a' }, original_index: 0 },
      { digest: ROWS[1], val: { n: 2, q: 'b' }, original_index: 1 },
    ];
    expect(await rows()).toEqual({ rows: [first, second] });
    expect(await rows({ filter: { row_digests: [ROWS[1]] } })).toEqual({ rows: [second] });
    expect(await rows({ sort_by: [{ field: 'n', direction: 'desc' }], limit: 1 })).toEqual({ rows: [second] });
    expect(await rows({ offset: 1 })).toEqual({ rows: [second] });
    expect(await rows({ digest: 'none' })).toEqual({ rows: [] });
    for (const field of ['', 'a..b', '.']) {
      expect(await refused('/table/query', { project_id, digest: TABLE, sort_by: [{ field, direction: 'asc' }] })).toBe(
        '400 invalid_request',
      );
    }
    const lines = await service.post('/table/query_stream', { project_id, digest: TABLE });
    expect(linesOf(lines)).toEqual([first, second]);

    expect(await ask('/table/query_stats', { project_id, digest: TABLE })).toEqual({ count: 2 });
    expect(await ask('/table/query_stats', { project_id, digest: 'none' })).toEqual({ count: 0 });
    const stats = `{"project_id":"acme/demo","digests":["${TABLE}","nope"],"include_storage_size":true}`;
    expect(await ask('/table/query_stats_batch', stats)).toEqual({
      tables: [{ digest: TABLE, count: 2, storage_size_bytes: 36 }],
    });
    expect(await ask('/table/query_stats_batch', { project_id, digests: [digest, TABLE, digest] })).toEqual({
      tables: [
        { digest, count: 2, storage_size_bytes: null },
        { digest: TABLE, count: 2, storage_size_bytes: null },
      ],
    });
    expect(await ask('/table/query_stats_batch', { project_id })).toEqual({ tables: [] });
    const many = Array.from({ length: 1001 }, () => 'x');
    expect(await refused('/table/query_stats_batch', { project_id, digests: many })).toBe('400 too_many_items');
  });

  test('9.31: threads are streamed', async () => {
    const at = (seconds: number) => new Date(Date.parse(STARTED) + seconds * 1000).toISOString();
    const turn = async (id: string, thread_id: string, from: number, to: number) => {
      await service.start({ id, thread_id, turn_id: id, started_at: at(from) });
      await service.end({ id, ended_at: at(to) });
    };
    await turn('c1', 'chat-7', 0, 1);
    await turn('c9', 'chat-7', 58, 60);
    const thread = `{"thread_id":"chat-7","turn_count":2,"start_time":"2026-01-01T00:00:00Z","last_updated":"2026-01-01T00:01:00Z","first_turn_id":"c1","last_turn_id":"c9","p50_turn_duration_ms":1500,"p99_turn_duration_ms":1990}`;
    const answer = await service.post('/threads/stream_query', { project_id });
    expect(answer.headers.get('content-type')).toBe('application/jsonl');
    expect(JSON.parse(answer.text)).toEqual(JSON.parse(thread));
    await turn('d1', 'chat-8', 100, 101);
    const names = async (request: object) => {
      const { text } = await service.post('/threads/stream_query', { project_id, ...request });
      return [...text.matchAll(/"thread_id":"([^"]*)"/g)].map(([, name]) => name);
    };
    expect(await names({})).toEqual(['chat-8', 'chat-7']);
    expect(await names({ sort_by: [{ field: 'turn_count', direction: 'desc' }] })).toEqual(['chat-7', 'chat-8']);
    expect(await names({ filter: { after_datetime: STARTED } })).toEqual(['chat-8']);
    expect(await names({ filter: { before_datetime: at(60) } })).toEqual([]);
    expect(await names({ filter: { before_datetime: at(61) } })).toEqual(['chat-7']);
    expect(await names({ filter: { thread_ids: [] }, limit: 1, offset: 1 })).toEqual(['chat-7']);
    expect(await refused('/threads/stream_query', { project_id, sort_by: [{ field: 'id', direction: 'asc' }] })).toBe(
      '422 invalid_field',
    );
    const many = Array.from({ length: 1001 }, () => 'x');
    expect(await refused('/threads/stream_query', { project_id, filter: { thread_ids: many } })).toBe(
      '400 too_many_items',
    );
  });
});

onEveryEngine((service) => {
  describe('9.17: the class of an object', () => {
    const bases = (...names: string[]) => ({ _bases: names });
    const spec = { _type: 'Provider', _class_name: 'Provider', ...bases('BaseObject', 'BaseModel') };
    test.each<
      readonly [
        name: string,
        val: unknown,
        builtin: string | null,
        classes: readonly unknown[] | string,
        stored?: unknown,
      ]
    >([
      ['no object', [1], null, [null, null]],
      ['no object with a builtin class', [1], 'Provider', '400 invalid_request'],
      ['a model', { _class_name: 'Model', ...bases('Object', 'BaseModel') }, null, ['Model', 'Model']],
      ['an object of old', { _class_name: 'A', ...bases('BaseObject', 'BaseModel') }, null, ['A', 'A']],
      ['a subclass', { _class_name: 'Mine', ...bases('Model', 'Object', 'BaseModel') }, null, ['Model', 'Mine']],
      [
        'a subclass of one',
        { _class_name: 'M', ...bases('Mine', 'Model', 'Object', 'BaseModel') },
        null,
        ['Model', 'M'],
      ],
      ['no class name', bases('Object', 'BaseModel'), null, '400 invalid_request'],
      [
        'the builtin class it is',
        { _class_name: 'Provider', ...bases('BaseObject', 'BaseModel') },
        'Provider',
        ['Provider', 'Provider'],
      ],
      [
        'another builtin class',
        { _class_name: 'A', ...bases('Object', 'BaseModel') },
        'Provider',
        '400 invalid_request',
      ],
      ['a builtin class', { a: 1 }, 'Provider', ['Provider', 'Provider'], { a: 1, ...spec }],
      ['an unknown builtin class', { a: 1 }, 'Nope', '400 invalid_request'],
      ['other bases', { _class_name: 'A', ...bases('A', 'B') }, null, [null, null]],
      ['one base', { _class_name: 'A', ...bases('BaseModel') }, null, [null, null]],
      [
        'a right annotation spec',
        { field_schema: { type: 'string' }, op_scope: ['f'] },
        'AnnotationSpec',
        ['AnnotationSpec', 'AnnotationSpec'],
        expect.anything(),
      ],
      ['a wrong annotation spec', { field_schema: 1 }, 'AnnotationSpec', '400 invalid_request'],
      ['a file inside', { deep: [{ _type: 'CustomType', files: { 'a/b.txt': 'x' } }] }, null, [null, null]],
      ['a file outside', { deep: [{ _type: 'CustomType', files: { '../b.txt': 'x' } }] }, null, '400 invalid_request'],
      ['a file at the root', { _type: 'CustomWeaveType', files: { '/etc/passwd': 'x' } }, null, '400 invalid_request'],
    ])('%s', async (_name, val, builtin, classes, stored = val) => {
      const { project } = service;
      for (const key of ['builtin_object_class', 'set_base_object_class']) {
        const answer = await service.post('/obj/create', {
          obj: { project_id: project, object_id: 'o', val, [key]: builtin },
        });
        const read = await service.post('/obj/read', { project_id: project, object_id: 'o', digest: 'latest' });
        const { obj } = read.body as { obj?: Record<string, unknown> };
        expect(obj ? [obj['base_object_class'], obj['leaf_object_class']] : refusal(answer)).toEqual(classes);
        expect(obj?.['val']).toEqual(typeof classes === 'string' ? undefined : stored);
      }
    });
  });
});
