import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whole } from '../recorder.ts';
import { PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { leavesNothingOut, refuses } from './refusals.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const DIGEST = '23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3';
const A = { digest: 'DsBinkcEcd9bklBjKH4OntLJ8ZSWyevuLU63Fv4KYFU', val: { q: 'a', n: 1 } };
const B = { digest: '1G0Wv1X1l3ziu9usQN0vzUVHfHO648mTZ0rEZcZVccM', val: { n: 2, q: 'b' } };
const C = { digest: 'lS3Vhz4eVrI1RxXtnXe14czQa0PTTZlXkI9wY5XpxhM', val: { q: 'c' } };
const TABLE = { project_id: PROJECT, rows: [A.val, B.val] };
const UPDATED = '34e2c68d017d49b812c8cb81399ee484aa9ac7fa84944aa37037702a03b3fcb1';

const inProject = (fields: object) => ({ project_id: PROJECT, ...fields });
const create = (fields: object) => ({ table: { ...TABLE, ...fields } });
const withTable = (fresh: RunningServer) => fresh.post('/table/create', create({}));

describe('/table/create', () => {
  test('stores every field', async () => {
    const answer = await server.post('/table/create', create({ expected_digest: DIGEST }));
    expect(whole(answer)).toEqual([200, { digest: DIGEST, row_digests: [A.digest, B.digest] }]);
  });

  refuses('tableCreate', [
    { code: 'validation_error', what: 'a row that is a number', body: create({ rows: [1] }) },
    { code: 'invalid_project_id', what: 'no project', body: create({ project_id: 'x' }) },
    { code: 'too_many_items', what: 'many rows', body: create({}), limits: { rows_per_table: 1 } },
    { code: 'payload_too_large', what: 'a large row', body: create({}), limits: { row_bytes: 10 } },
    { code: 'payload_too_large', what: 'a deep row', body: create({}), limits: { json_depth: 0 } },
    {
      code: 'digest_mismatch',
      what: 'another digest',
      body: create({ expected_digest: 'x' }),
      more: { actual_digest: DIGEST },
    },
  ]);
  leavesNothingOut('tableCreate');
});

describe('/table/update', () => {
  const update = (...updates: unknown[]) => inProject({ base_digest: DIGEST, updates });

  test('takes every step', async () => {
    const steps = update({ pop: { index: 0 } }, { append: { row: A.val } }, { insert: { index: 0, row: C.val } });
    const { digest } = (await server.post('/table/update', steps)).body as { digest: string };
    const rows = { digest, updated_row_digests: [A.digest, A.digest, C.digest] };
    expect(whole(await server.post('/table/update', steps))).toEqual([200, rows]);
    const read = await server.post('/table/query', inProject({ digest }));
    const expected = [C, B, A].map((row, index) => ({ ...row, original_index: index }));
    expect(read.body).toEqual({ rows: expected });
  });

  test('makes the table of the interface document', async () => {
    const answer = await server.post('/table/update', update({ pop: { index: 0 } }, { append: { row: C.val } }));
    expect(whole(answer)).toEqual([200, { digest: UPDATED, updated_row_digests: [A.digest, C.digest] }]);
  });

  const refused = (...updates: unknown[]) => ({ body: update(...updates), prepare: withTable });
  refuses('tableUpdate', [
    { code: 'validation_error', what: 'a step with no key', ...refused({}) },
    {
      code: 'validation_error',
      what: 'a step with two keys',
      ...refused({ pop: { index: 0 }, append: { row: {} } }),
    },
    { code: 'invalid_project_id', what: 'no project', body: { ...update(), project_id: 'x' } },
    { code: 'invalid_request', what: 'a row to take behind the end', ...refused({ pop: { index: 2 } }) },
    { code: 'invalid_request', what: 'a place behind the end', ...refused({ insert: { index: 3, row: {} } }) },
    { code: 'invalid_request', what: 'a negative place', ...refused({ insert: { index: -1, row: {} } }) },
    { code: 'too_many_items', what: 'many steps', ...refused({ pop: { index: 0 } }), limits: { table_updates: 0 } },
    {
      code: 'payload_too_large',
      what: 'a large row',
      ...refused({ append: { row: { a: 'x'.repeat(20) } } }),
      limits: { row_bytes: 20 },
    },
    { code: 'not_found', what: 'a table of nothing', body: update() },
  ]);
  leavesNothingOut('tableUpdate');
});

describe('/table/query', () => {
  test('takes every field and answers whole rows', async () => {
    const all = [
      { ...A, original_index: 0 },
      { ...B, original_index: 1 },
    ];
    expect(whole(await server.post('/table/query', inProject({ digest: DIGEST })))).toEqual([200, { rows: all }]);
    const request = {
      digest: DIGEST,
      filter: { row_digests: [A.digest, B.digest] },
      limit: 1,
      offset: 1,
      sort_by: [{ field: 'n', direction: 'desc' }],
    };
    expect(whole(await server.post('/table/query', inProject(request)))).toEqual([200, { rows: [all[0]] }]);
    const unknown = await server.post('/table/query', inProject({ digest: 'x' }));
    expect(whole(unknown)).toEqual([200, { rows: [] }]);
  });

  const query = (fields: object) => inProject({ digest: DIGEST, ...fields });
  const sorted = { sort_by: [{ field: 'n', direction: 'asc' }] };
  refuses('tableQuery', [
    { code: 'validation_error', what: 'no digest', body: inProject({}) },
    { code: 'invalid_project_id', what: 'no project', body: query({ project_id: 'x' }) },
    { code: 'invalid_request', what: 'a negative limit', body: query({ limit: -1 }) },
    {
      code: 'invalid_request',
      what: 'an empty sort field',
      body: query({ sort_by: [{ field: '', direction: 'asc' }] }),
    },
    { code: 'invalid_request', what: 'an empty part', body: query({ sort_by: [{ field: 'a..b', direction: 'asc' }] }) },
    {
      code: 'too_many_items',
      what: 'a long filter',
      body: query({ filter: { row_digests: ['x'] } }),
      limits: { filter_items: 0 },
    },
    { code: 'too_many_items', what: 'many sort items', body: query(sorted), limits: { sort_items: 0 } },
    { code: 'query_timeout', what: 'a slow read', body: query({}), slow: 'tables' },
  ]);
  leavesNothingOut('tableQuery');
});

describe('/table/query_stats', () => {
  test('counts rows', async () => {
    expect(whole(await server.post('/table/query_stats', inProject({ digest: DIGEST })))).toEqual([200, { count: 2 }]);
    expect(whole(await server.post('/table/query_stats', inProject({ digest: 'x' })))).toEqual([200, { count: 0 }]);
  });

  refuses('tableQueryStats', [
    { code: 'validation_error', what: 'no digest', body: inProject({}) },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x', digest: 'x' } },
  ]);
  leavesNothingOut('tableQueryStats');
});

describe('/table/query_stats_batch', () => {
  test('takes every field and answers every table once', async () => {
    const request = { digests: [DIGEST, 'x', DIGEST], include_storage_size: true };
    const sized = await server.post('/table/query_stats_batch', inProject(request));
    expect(whole(sized)).toEqual([200, { tables: [{ digest: DIGEST, count: 2, storage_size_bytes: 36 }] }]);
    const none = await server.post('/table/query_stats_batch', inProject({}));
    expect(whole(none)).toEqual([200, { tables: [] }]);
  });

  refuses('tableQueryStatsBatch', [
    { code: 'validation_error', what: 'a digest that is a number', body: inProject({ digests: [1] }) },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x' } },
    { code: 'too_many_items', what: 'many digests', body: inProject({ digests: ['x'] }), limits: { filter_items: 0 } },
  ]);
  leavesNothingOut('tableQueryStatsBatch');
});
