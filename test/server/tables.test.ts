import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const ROWS = [
  { q: 'a', n: 1 },
  { n: 2, q: 'b' },
];
const DIGEST = '23e33f79a2e3de551c0200d4baa78b9fea8e28478367d5ac48bfca009c99e6f3';
const ROW_DIGESTS = [
  'DsBinkcEcd9bklBjKH4OntLJ8ZSWyevuLU63Fv4KYFU',
  '1G0Wv1X1l3ziu9usQN0vzUVHfHO648mTZ0rEZcZVccM',
] as const;
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    const limits = { row_bytes: 1000, rows_per_table: 500, filter_items: 3, sort_items: 2, table_updates: 9 };
    server = await startServer({ storage: engine, limits });
  });
  afterEach(() => server.close());

  const create = async (rows: unknown, fields: object = {}) =>
    (await server.post('/table/create', { table: { project_id: PROJECT, rows, ...fields } })).body;
  const query = async (digest: string, fields: object = {}) =>
    (await server.post('/table/query', { project_id: PROJECT, digest, ...fields })).body;
  const indexes = async (digest: string, fields: object) => {
    const { rows } = (await query(digest, fields)) as { rows: { original_index: number }[] };
    return rows.map((row) => row.original_index);
  };

  test('a table is stored under the digest of its rows and read back in order', async () => {
    const answer = { digest: DIGEST, row_digests: ROW_DIGESTS };
    expect(await create(ROWS)).toEqual(answer);
    expect(await create(ROWS, { expected_digest: DIGEST })).toEqual(answer);
    expect(await query(DIGEST)).toEqual({
      rows: ROWS.map((val, index) => ({ digest: ROW_DIGESTS[index], val, original_index: index })),
    });
  });

  test('a table may have no rows, and an unknown one has none', async () => {
    expect(await create([])).toEqual({ digest: EMPTY, row_digests: [] });
    expect(await query(EMPTY)).toEqual({ rows: [] });
    expect(await query('nope')).toEqual({ rows: [] });
  });

  test('numbers of rows keep their digits', async () => {
    const rows = '[{"x":1.0,"y":1e16,"z":12345678901234567890}]';
    const { body } = await server.post('/table/create', `{"table":{"project_id":"${PROJECT}","rows":${rows}}}`);
    const { digest } = body as { digest: string };
    const { text } = await server.post('/table/query', { project_id: PROJECT, digest });
    expect(text).toContain('"val":{"x": 1.0, "y": 1e+16, "z": 12345678901234567890}');
  });

  test('rows are chosen by digest, sorted and cut', async () => {
    const rows = [{ q: 'b', n: 2 }, { q: 'a', n: 10 }, { n: null }, { q: 'b', n: '3' }, { q: 'a', n: 10 }];
    const { digest, row_digests } = (await create(rows)) as { digest: string; row_digests: string[] };
    const by = (field: string, direction = 'asc') => ({ field, direction });
    expect(await indexes(digest, { filter: { row_digests: [row_digests[1]] } })).toEqual([1, 4]);
    expect(await indexes(digest, { filter: { row_digests: [] } })).toEqual([0, 1, 2, 3, 4]);
    expect(await indexes(digest, { filter: { row_digests: null }, limit: 2, offset: 1 })).toEqual([1, 2]);
    expect(await indexes(digest, { sort_by: [by('n')] })).toEqual([0, 3, 1, 4, 2]);
    expect(await indexes(digest, { sort_by: [by('q', 'desc'), by('n', 'desc')] })).toEqual([3, 0, 1, 4, 2]);
    expect(await indexes(digest, { sort_by: [by('n', 'desc')], limit: 2, offset: 1 })).toEqual([4, 3]);
  });

  test('the hidden path streams the same rows as lines', async () => {
    const rows = Array.from({ length: 450 }, (_, n) => ({ n, text: 'x'.repeat(900) }));
    const { digest } = (await create(rows)) as { digest: string };
    const body = { project_id: PROJECT, digest, sort_by: [{ field: 'n', direction: 'desc' }], limit: 440 };
    const { text, headers } = await server.post('/table/query_stream', body);
    const { rows: listed } = (await query(digest, body)) as { rows: unknown[] };
    expect(headers.get('content-type')).toBe('application/jsonl');
    expect(text.endsWith('\n')).toBe(true);
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(listed);
    expect(listed).toHaveLength(440);
    expect((await server.post('/table/query_stream', { project_id: PROJECT, digest: 'nope' })).text).toBe('');
  });

  test('another digest than the expected one stores nothing and tells the right one', async () => {
    expect(await create(ROWS, { expected_digest: 'x' })).toMatchObject({
      error_code: 'digest_mismatch',
      actual_digest: DIGEST,
    });
    expect(await query(DIGEST)).toEqual({ rows: [] });
  });

  test.each([
    ['a row that is no object', [{}, 5], 'validation_error'],
    ['a row above the limit', [{ text: 'x'.repeat(1000) }], 'payload_too_large'],
    ['a row that is too deep', [JSON.parse(`{"a":${'['.repeat(512)}${']'.repeat(512)}}`)], 'payload_too_large'],
    ['too many rows', Array.from({ length: 501 }, () => ({})), 'too_many_items'],
    ['no list', {}, 'validation_error'],
  ])('%s is refused', async (_name, rows, error_code) => {
    expect(await create(rows)).toMatchObject({ error_code });
  });

  test('tables may be as large as their limits', async () => {
    const { digest } = (await create(Array.from({ length: 500 }, () => ({})))) as { digest: string };
    expect(await create([{ t: 'x'.repeat(1000 - '{"t": ""}'.length) }])).toHaveProperty('digest');
    expect(await create([{ t: 'x'.repeat(1001 - '{"t": ""}'.length) }])).toMatchObject({
      error_code: 'payload_too_large',
    });
    const updates = Array.from({ length: 9 }, () => ({ pop: { index: 0 } }));
    const request = { project_id: PROJECT, base_digest: digest, updates };
    expect((await server.post('/table/update', request)).status).toBe(200);
  });

  test.each([
    ['an empty sort field', { sort_by: [{ field: '', direction: 'asc' }] }, 'invalid_request'],
    ['a sort field with an empty part', { sort_by: [{ field: 'a..b', direction: 'asc' }] }, 'invalid_request'],
    ['an unknown direction', { sort_by: [{ field: 'a', direction: 'up' }] }, 'validation_error'],
    ['too many fields', { sort_by: ['a', 'b', 'c'].map((field) => ({ field, direction: 'asc' })) }, 'too_many_items'],
    ['too many digests', { filter: { row_digests: ['a', 'b', 'c', 'd'] } }, 'too_many_items'],
    ['an unknown key of the filter', { filter: { digests: ['a'] } }, 'validation_error'],
    ['a negative limit', { limit: -1 }, 'invalid_request'],
    ['a negative offset', { offset: -1 }, 'invalid_request'],
    ['a project that is none', { project_id: 'acme' }, 'invalid_project_id'],
  ])('%s is refused in a query', async (_name, fields, error_code) => {
    expect(await query(DIGEST, fields)).toMatchObject({ error_code });
    const stream = await server.post('/table/query_stream', { project_id: PROJECT, digest: DIGEST, ...fields });
    expect(stream.body).toMatchObject({ error_code });
  });

  const update = async (updates: unknown, fields: object = {}) =>
    (await server.post('/table/update', { project_id: PROJECT, base_digest: DIGEST, updates, ...fields })).body;

  test('an update makes another table and leaves the first', async () => {
    await create(ROWS);
    expect(await update([{ pop: { index: 0 } }, { append: { row: { q: 'c' } } }])).toEqual({
      digest: '34e2c68d017d49b812c8cb81399ee484aa9ac7fa84944aa37037702a03b3fcb1',
      updated_row_digests: [ROW_DIGESTS[0], 'lS3Vhz4eVrI1RxXtnXe14czQa0PTTZlXkI9wY5XpxhM'],
    });
    const { rows } = (await query('34e2c68d017d49b812c8cb81399ee484aa9ac7fa84944aa37037702a03b3fcb1')) as {
      rows: { val: unknown }[];
    };
    expect(rows.map(({ val }) => val)).toEqual([ROWS[1], { q: 'c' }]);
    expect(await indexes(DIGEST, {})).toEqual([0, 1]);
  });

  test('updates are made one after another', async () => {
    await create(ROWS);
    const { digest } = (await update([
      { insert: { index: 2, row: { q: 'last' } } },
      { insert: { index: 0, row: { q: 'gone' } } },
      { pop: { index: 0 } },
      { insert: { index: 0, row: { q: 'first' } }, pop: null },
    ])) as { digest: string };
    const { rows } = (await query(digest)) as { rows: { val: { q: string } }[] };
    expect(rows.map(({ val }) => val.q)).toEqual(['first', 'a', 'b', 'last']);
  });

  test('no updates, and those that undo each other, give the table itself', async () => {
    await create(ROWS);
    expect(await update([])).toEqual({ digest: DIGEST, updated_row_digests: [] });
    expect(await update([{ append: { row: { q: 'c' } } }, { pop: { index: 2 } }])).toMatchObject({ digest: DIGEST });
    expect(await update([{ pop: { index: 0 } }, { pop: { index: 0 } }])).toMatchObject({ digest: EMPTY });
    expect(await update([{ append: { row: ROWS[0] } }], { base_digest: EMPTY })).toHaveProperty('digest');
  });

  test.each([
    ['an index beyond the last row', [{ append: { row: {} } }, { pop: { index: 3 } }], 'invalid_request'],
    ['a negative index', [{ pop: { index: -1 } }], 'invalid_request'],
    ['a place beyond the end', [{ insert: { index: 3, row: {} } }], 'invalid_request'],
    ['an update with two keys', [{ pop: { index: 0 }, append: { row: {} } }], 'validation_error'],
    ['an update with no key', [{}], 'validation_error'],
    ['a fraction as index', [{ pop: { index: 0.5 } }], 'validation_error'],
    ['a row that is no object', [{ append: { row: [] } }], 'validation_error'],
    ['a row above the limit', [{ append: { row: { text: 'x'.repeat(1000) } } }], 'payload_too_large'],
    ['too many updates', Array.from({ length: 10 }, () => ({ append: { row: {} } })), 'too_many_items'],
  ])('%s is refused in an update, and nothing is stored', async (_name, updates, error_code) => {
    await create(ROWS);
    expect(await update(updates)).toMatchObject({ error_code });
    const grown = (await create([...ROWS, {}])) as { digest: string };
    expect(grown).toHaveProperty('digest');
  });

  test('a table that is not there cannot be updated', async () => {
    expect(await update([])).toMatchObject({ error_code: 'not_found' });
    await create(ROWS);
    expect(await update([], { project_id: 'acme/other' })).toMatchObject({ error_code: 'not_found' });
    expect(await update([], { project_id: 'acme' })).toMatchObject({ error_code: 'invalid_project_id' });
  });

  test('rows are counted, those of an unknown table too', async () => {
    await create([...ROWS, ...ROWS]);
    const { digest } = (await create([...ROWS, ...ROWS])) as { digest: string };
    const count = async (fields: object) =>
      (await server.post('/table/query_stats', { project_id: PROJECT, digest, ...fields })).body;
    expect(await count({})).toEqual({ count: 4 });
    expect(await count({ digest: 'nope' })).toEqual({ count: 0 });
    expect(await count({ project_id: 'acme/other' })).toEqual({ count: 0 });
    expect(await count({ digest: null })).toMatchObject({ error_code: 'validation_error' });
  });

  test('statistics come in the order asked for, each table once, unknown ones left out', async () => {
    await create(ROWS);
    await create([]);
    const stats = async (fields: object) =>
      (await server.post('/table/query_stats_batch', { project_id: PROJECT, ...fields })).body;
    const digests = [DIGEST, 'nope', DIGEST];
    expect(await stats({ digests, include_storage_size: true })).toEqual({
      tables: [{ digest: DIGEST, count: 2, storage_size_bytes: 36 }],
    });
    expect(await stats({ digests: [EMPTY, DIGEST], include_storage_size: null })).toEqual({
      tables: [
        { digest: EMPTY, count: 0, storage_size_bytes: null },
        { digest: DIGEST, count: 2, storage_size_bytes: null },
      ],
    });
    for (const none of [{}, { digests: null }, { digests: [] }]) expect(await stats(none)).toEqual({ tables: [] });
    expect(await stats({ digests: ['a', 'b', 'c', 'd'] })).toMatchObject({ error_code: 'too_many_items' });
    expect(await stats({ project_id: 'acme' })).toMatchObject({ error_code: 'invalid_project_id' });
  });

  test('a table belongs to its project', async () => {
    await create(ROWS);
    expect(await query(DIGEST, { project_id: 'acme/other' })).toEqual({ rows: [] });
    expect(await create(ROWS, { project_id: 'acme' })).toMatchObject({ error_code: 'invalid_project_id' });
  });
});
