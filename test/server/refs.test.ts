import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const ROWS = [
  { q: 'a', n: 1 },
  { n: 2, q: 'b' },
];
const ROW = 'DsBinkcEcd9bklBjKH4OntLJ8ZSWyevuLU63Fv4KYFU';

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine, limits: { refs_per_batch: 40 } });
  });
  afterEach(() => server.close());

  /** Publishes a value; its reference. */
  const publish = async (name: string, val: unknown, project_id = PROJECT) => {
    const { body } = await server.post('/obj/create', { obj: { project_id, object_id: name, val } });
    return `svc:///${project_id}/object/${name}:${(body as { digest: string }).digest}`;
  };
  const createTable = async () => {
    const { body } = await server.post('/table/create', { table: { project_id: PROJECT, rows: ROWS } });
    return `svc:///${PROJECT}/table/${(body as { digest: string }).digest}`;
  };
  const read = async (...refs: string[]) => (await server.post('/refs/read_batch', { refs })).body;

  test('values come in the order of their references, whole or the part a path names', async () => {
    const val = { a: [1, 2.5, null, true], b: { 'x/y': 'deep' }, length: null };
    const ref = await publish('settings', val);
    expect(await read(ref, `${ref}/key/a/index/1`, `${ref}/attr/b/key/x%2Fy`, `${ref}/`, ref)).toEqual({
      vals: [val, 2.5, 'deep', val, val],
    });
    expect(await read()).toEqual({ vals: [] });
  });

  test('numbers keep their class', async () => {
    const obj = `{"obj":{"project_id":"${PROJECT}","object_id":"n","val":{"a":{"x":1.0,"y":1e400}}}}`.replace(
      '400',
      '30',
    );
    const { body } = await server.post('/obj/create', obj);
    const ref = `svc:///${PROJECT}/object/n:${(body as { digest: string }).digest}`;
    const { text } = await server.post('/refs/read_batch', { refs: [ref, `${ref}/key/a`] });
    expect(text).toBe('{"vals":[{"a": {"x": 1.0, "y": 1e+30}},{"x":1.0,"y":1e+30}]}');
  });

  test('what has no such part is null', async () => {
    const ref = await publish('settings', { a: [1], t: 'text', n: 1, z: null });
    const paths = [
      'key/b',
      'key/a/index/1',
      'key/a/key/0',
      'key/a/id/x',
      'index/0',
      'id/a',
      'key/t/key/x',
      'key/n/key/x',
    ];
    const more = ['key/z', 'key/z/key/x', 'key/toString', 'key/__proto__', 'key/a/key/length'];
    const refs = [...paths, ...more].map((path) => `${ref}/${path}`);
    expect(await read(...refs)).toEqual({ vals: refs.map(() => null) });
  });

  test('a path goes on behind a reference inside a value, and a value that is one stays one', async () => {
    const inner = await publish('inner', { list: ['x', { y: 1 }] });
    const op = await publish('f', { _type: 'CustomType', svc_type: { type: 'Op' }, files: {} });
    const opRef = op.replace('/object/', '/op/');
    const outer = await publish('outer', { inner, part: `${inner}/key/list`, op: opRef, text: 'svc:///nothing' });
    expect(
      await read(
        `${outer}/key/inner`,
        `${outer}/key/inner/key/list/index/0`,
        `${outer}/key/part/index/1/key/y`,
        `${outer}/key/op/key/files`,
        `${outer}/key/text/key/x`,
      ),
    ).toEqual({ vals: [inner, 'x', 1, {}, null] });
  });

  test('references to other projects, calls and floating versions are not followed from inside', async () => {
    const start = { project_id: PROJECT, id: 'c1', op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
    await server.post('/call/start', { start: { ...start, inputs: { x: 1 } } });
    const foreign = await publish('inner', { x: 1 }, 'acme/other');
    const own = await publish('inner', { x: 1 });
    const latest = `svc:///${PROJECT}/object/inner:latest`;
    const outer = await publish('outer', { foreign, call: `svc:///${PROJECT}/call/c1/attr/inputs`, latest, own });
    expect(
      await read(...['foreign', 'call', 'latest', 'own'].map((key) => `${outer}/key/${key}/key/x`), `${foreign}/key/x`),
    ).toEqual({ vals: [null, null, null, 1, 1] });
  });

  test('more than 32 references in a row lead nowhere', async () => {
    const chain = [await publish('link', { end: true })];
    for (let hop = 1; hop <= 33; hop++) chain.push(await publish('link', { next: chain.at(-1) }));
    const path = (hops: number) => `${chain[hops]}${'/key/next'.repeat(hops)}/key/end`;
    expect(await read(path(32), path(33))).toEqual({ vals: [true, null] });
  });

  test('a row of a table is read by its digest, from outside and from inside a value', async () => {
    const table = await createTable();
    const dataset = await publish('qa', { rows: table, first: `${table}/id/${ROW}` });
    expect(
      await read(
        `${table}/id/${ROW}`,
        `${dataset}/attr/rows/id/${ROW}/key/q`,
        `${dataset}/attr/first/key/n`,
        `${dataset}/attr/rows`,
      ),
    ).toEqual({ vals: [{ n: 1, q: 'a' }, 'a', 1, table] });
    const missing = 'no-such-row';
    expect(await read(`${table}/id/${missing}`)).toMatchObject({ error_code: 'not_found' });
    expect(await read(`${dataset}/attr/rows/id/${missing}`)).toMatchObject({ error_code: 'not_found' });
    expect(await read(`svc:///${PROJECT}/table/${'0'.repeat(64)}/id/${ROW}`)).toMatchObject({
      error_code: 'not_found',
    });
    expect(await read(`${dataset}/attr/rows/index/0`)).toMatchObject({ error_code: 'invalid_ref' });
  });

  test('a call is read as by itself, or is null', async () => {
    const start = {
      project_id: PROJECT,
      id: 'c1',
      op_name: 'f',
      started_at: '2026-01-01T00:00:00Z',
      inputs: { q: 'hi' },
    };
    await server.post('/call/start', { start });
    const { call } = (await server.post('/call/read', { project_id: PROJECT, id: 'c1' })).body as { call: unknown };
    const ref = `svc:///${PROJECT}/call/c1`;
    expect(await read(ref, `${ref}/attr/inputs/key/q`, `svc:///${PROJECT}/call/none`)).toEqual({
      vals: [call, 'hi', null],
    });
  });

  test('a deleted object is null, one that never was makes the whole request fail', async () => {
    const ref = await publish('settings', { a: 1 });
    const outer = await publish('outer', { ref });
    await server.post('/obj/delete', { project_id: PROJECT, object_id: 'settings' });
    expect(await read(ref, `${ref}/key/a`, `${outer}/key/ref/key/a`)).toEqual({ vals: [null, null, null] });
    const unknown = ['one', 'two'].map((digest) => `svc:///${PROJECT}/object/settings:${digest}`);
    expect(await read(outer, ...unknown)).toEqual({
      reason: 'Cannot read 2 of the objects: no such version',
      error_code: 'not_found',
      missing_object_digests: ['one', 'two'],
      request_id: expect.any(String) as string,
    });
    const asOp = outer.replace('/object/', '/op/');
    expect(await read(asOp)).toMatchObject({ error_code: 'not_found' });
  });

  test.each([
    ['a text that is no reference', 'settings', 'invalid_ref'],
    ['an unknown edge', `svc:///${PROJECT}/object/a:d/member/x`, 'invalid_ref'],
    ['an edge without a value', `svc:///${PROJECT}/object/a:d/key`, 'invalid_ref'],
    ['an index that is no number', `svc:///${PROJECT}/object/a:d/index/x`, 'invalid_ref'],
    ['the latest', `svc:///${PROJECT}/object/a:latest`, 'invalid_ref'],
    ['a number as version', `svc:///${PROJECT}/op/a:v0`, 'invalid_ref'],
    ['any version', `svc:///${PROJECT}/op/a:*`, 'invalid_ref'],
    ['a whole table', `svc:///${PROJECT}/table/${'0'.repeat(64)}`, 'invalid_ref'],
  ])('%s is refused', async (_name, ref, code) => {
    expect(await read(ref)).toMatchObject({ error_code: code });
  });

  test('a body of another shape and too many references are refused', async () => {
    expect(await read(...Array.from({ length: 40 }, () => `svc:///${PROJECT}/call/c1`))).toHaveProperty('vals');
    expect(await read(...Array.from({ length: 41 }, () => `svc:///${PROJECT}/call/c1`))).toMatchObject({
      error_code: 'too_many_items',
    });
    for (const body of [{}, { refs: 'x' }, { refs: [1] }, { refs: [], foo: 1 }]) {
      expect((await server.post('/refs/read_batch', body)).body).toMatchObject({ error_code: 'validation_error' });
    }
  });
});
