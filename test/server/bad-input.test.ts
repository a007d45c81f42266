import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const START = { project_id: PROJECT, id: 'good', op_name: 'f', trace_id: 't', started_at: '2026-01-01T00:00:00Z' };
const END = { project_id: PROJECT, id: 'good', ended_at: '2026-01-01T00:00:01Z' };
const goodItem = { mode: 'start', req: { start: START } };
const start = (fields: object) => ({ mode: 'start', req: { start: { ...START, ...fields } } });
const end = (fields: object) => ({ mode: 'end', req: { end: { ...END, ...fields } } });

/** A batch whose second item breaks one rule. */
const BAD_ITEMS: readonly (readonly [name: string, code: string, item: unknown])[] = [
  ['no object', 'validation_error', 5],
  ['an unknown mode', 'validation_error', { mode: 'update', req: {} }],
  ['a start without op_name', 'validation_error', start({ op_name: undefined })],
  ['a number as op_name', 'validation_error', start({ op_name: 5 })],
  ['a text as inputs', 'validation_error', start({ inputs: 'x' })],
  ['a date as started_at', 'validation_error', start({ started_at: '2026-01-01' })],
  ['a text as run step', 'validation_error', start({ svc_run_step: '1' })],
  ['an end without id', 'validation_error', end({ id: undefined })],
  ['a list as summary', 'validation_error', end({ summary: [] })],
  ['an empty op_name', 'invalid_request', start({ op_name: '' })],
  ['an op_name of 129 characters', 'invalid_request', start({ op_name: 'é'.repeat(129) })],
  ['an op reference that does not parse', 'invalid_ref', start({ op_name: 'svc:///acme' })],
  ['a reference of another kind', 'invalid_ref', start({ op_name: `svc:///${PROJECT}/object/x:abc` })],
  ['a reference to all versions', 'invalid_ref', start({ op_name: `svc:///${PROJECT}/op/x:*` })],
  ['a project without a slash', 'invalid_project_id', start({ project_id: 'acme' })],
  ['a project with two slashes', 'invalid_project_id', start({ project_id: 'a/b/c' })],
  ['a project that looks like a path', 'invalid_project_id', end({ project_id: '../../etc' })],
  ['a project with a control character', 'invalid_project_id', start({ project_id: 'a/b\0' })],
  ['an empty id', 'invalid_id', start({ id: '' })],
  ['an id with a slash', 'invalid_id', end({ id: 'a/b' })],
  ['an id of 129 characters', 'invalid_id', start({ id: 'x'.repeat(129) })],
  ['a trace id with a space', 'invalid_id', start({ trace_id: 'a b' })],
  ['an empty parent id', 'invalid_id', start({ parent_id: '' })],
  ['a thread id of 1,025 characters', 'invalid_id', start({ thread_id: '😀'.repeat(1025) })],
  ['a turn id of 1,025 characters', 'invalid_id', start({ turn_id: 'x'.repeat(1025) })],
];

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine, limits: { batch_items: 20 } });
  });
  afterEach(() => server.close());

  const count = async () => (await server.post('/calls/query_stats', { project_id: PROJECT })).body;
  const EMPTY = { count: 0, total_storage_size_bytes: null };

  test('an invalid item leaves nothing of its batch, and the log names the request', async () => {
    for (const [name, code, item] of BAD_ITEMS) {
      const id = `bad-${BAD_ITEMS.findIndex(([other]) => other === name)}`;
      const batch = [goodItem, item, end({})];
      const answer = await server.post('/call/upsert_batch', { batch }, { 'svc-request-id': id });
      expect([name, answer.status, answer.body]).toEqual([
        name,
        422,
        expect.objectContaining({ error_code: code, request_id: id }),
      ]);
      const { detail } = answer.body as { detail: { loc: unknown[] }[] };
      expect([name, detail.map(({ loc }) => loc.slice(0, 3))]).toEqual([name, detail.map(() => ['body', 'batch', 1])]);
      expect([name, await count()]).toEqual([name, EMPTY]);
      expect(await server.logged(id)).toMatchObject({
        level: 40,
        status: 422,
        errorCode: code,
        path: '/call/upsert_batch',
        keyId: 'local',
      });
    }
    // The rules above are broken by one item alone: without it the batch is right.
    expect((await server.post('/call/upsert_batch', { batch: [goodItem, end({})] })).status).toBe(200);
    expect(await count()).toEqual({ ...EMPTY, count: 1 });
  });

  test('a body that is no batch stores nothing', async () => {
    for (const body of [
      '',
      '{',
      '[]',
      '"x"',
      'null',
      '{"batch":{}}',
      '{"batch":null}',
      '{"batch":[],"more":1}',
      '\ufeff{"batch":[]}',
    ]) {
      const { status } = await server.post('/call/upsert_batch', body);
      expect([body, status]).toEqual([body, /^[[{"n].*[\]}"l]$/.test(body) ? 422 : 400]);
    }
    expect(await count()).toEqual(EMPTY);
  });

  test('a body that is not UTF-8 is refused', async () => {
    const bytes = Buffer.concat([Buffer.from('{"project_id":"a'), Buffer.from([0xff]), Buffer.from('/b","id":"c"}')]);
    const response = await fetch(`${server.url}/call/read`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}` },
      body: bytes,
    });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error_code: 'invalid_json' }),
    ]);
  });

  test('too many items are refused as a whole', async () => {
    const answer = await server.post('/call/upsert_batch', { batch: Array.from({ length: 21 }, () => goodItem) });
    expect(answer.body).toMatchObject({ error_code: 'too_many_items' });
    expect(await count()).toEqual(EMPTY);
  });

  test('names that look like paths, SQL or markup are names', async () => {
    for (const project_id of ["a'; DROP TABLE calls;--/b", '../..', '<b>/<script>', 'ü ö/😀', '%2e%2e'].filter(
      (id) => !/[%]/.test(id),
    )) {
      const { status } = await server.post('/call/start', { start: { ...START, project_id } });
      expect([project_id, status]).toEqual([project_id, 200]);
      expect((await server.post('/calls/query_stats', { project_id })).body).toEqual({ ...EMPTY, count: 1 });
    }
    expect(await count()).toEqual(EMPTY);
  });

  test('limits, offsets and queries that make no sense are refused', async () => {
    const code = async (fields: object, path = '/calls/stream_query') =>
      ((await server.post(path, { project_id: PROJECT, ...fields })).body as { error_code: string }).error_code;
    expect(await code({ limit: -1 })).toBe('invalid_request');
    expect(await code({ offset: -1 })).toBe('invalid_request');
    expect(await code({ limit: 1.5 })).toBe('validation_error');
    expect(await code({ limit: '5' })).toBe('validation_error');
    expect(await code({ query: {} })).toBe('validation_error');
    expect(await code({ query: { $expr: { $nope: [] } } })).toBe('validation_error');
    expect(await code({ query: { $expr: { $and: [] } } })).toBe('invalid_request');
    expect(await code({ query: { $expr: { $eq: [{ $getField: 'nope' }, { $literal: 1 }] } } })).toBe('invalid_field');
    expect(await code({ sort_by: [{ field: 'started_at', direction: 'ASC' }] })).toBe('validation_error');
    expect(await code({ columns: ['nope'] })).toBe('invalid_field');
    expect(await code({ filter: { call_ids: Array.from({ length: 1001 }, () => 'c') } })).toBe('too_many_items');
    expect(await code({ filter: { call_ids: Array.from({ length: 1001 }, () => 'c') } }, '/calls/query_stats')).toBe(
      'too_many_items',
    );
  });

  test('ids are checked wherever a call is named', async () => {
    const code = async (path: string, fields: object) =>
      ((await server.post(path, { project_id: PROJECT, ...fields })).body as { error_code: string }).error_code;
    expect(await code('/call/read', { id: 'a b' })).toBe('invalid_id');
    expect(await code('/call/update', { call_id: '', display_name: 'x' })).toBe('invalid_id');
    expect(await code('/calls/delete', { call_ids: ['ok', 'a/b'] })).toBe('invalid_id');
    expect(await code('/calls/delete', { call_ids: Array.from({ length: 1001 }, (_, index) => `c${index}`) })).toBe(
      'too_many_items',
    );
  });
});
