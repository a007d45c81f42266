import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const OP = { _type: 'CustomType', svc_type: { type: 'Op' } };
const DATASET = { _class_name: 'Dataset', _bases: ['Object', 'BaseModel'], rows: [] };
const MODEL = { _class_name: 'Mine', _bases: ['Model', 'Object', 'BaseModel'], temperature: 0.5 };

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine, limits: { filter_items: 3, sort_items: 2 } });
  });
  afterEach(() => server.close());

  const create = async (object_id: string, val: unknown, project_id = PROJECT) =>
    (await server.post('/obj/create', { obj: { project_id, object_id, val } })).body as { digest: string };
  const query = async (fields: object = {}) =>
    (await server.post('/objs/query', { project_id: PROJECT, ...fields })).body as { objs: ObjectRow[] };
  const BY_NAME = [{ field: 'object_id', direction: 'asc' }];
  const namesOf = async (filter: object) => {
    const { objs } = await query({ filter, sort_by: BY_NAME });
    return objs.map(({ object_id, version_index }) => `${object_id}.${version_index}`);
  };

  test('a list has whole records', async () => {
    const { digest } = await create('qa', DATASET);
    const expected = {
      project_id: PROJECT,
      object_id: 'qa',
      created_at: expect.stringMatching(/Z$/) as string,
      deleted_at: null,
      digest,
      version_index: 0,
      is_latest: 1,
      kind: 'object',
      base_object_class: 'Dataset',
      leaf_object_class: 'Dataset',
      val: DATASET,
      svc_user_id: 'local',
      size_bytes: null,
    };
    expect(await query()).toEqual({ objs: [expected] });
    expect(await query({ include_storage_size: true })).toEqual({ objs: [{ ...expected, size_bytes: 73 }] });
    const narrow = {
      filter: {
        object_ids: ['qa'],
        base_object_classes: ['Dataset'],
        exclude_base_object_classes: ['Model'],
        leaf_object_classes: ['Dataset'],
        is_op: false,
        latest_only: true,
      },
      limit: 20,
      offset: 0,
      sort_by: [{ field: 'created_at', direction: 'desc' }],
      metadata_only: true,
      include_storage_size: false,
    };
    expect(await query(narrow)).toEqual({ objs: [{ ...expected, val: {} }] });
  });

  test('every field of a filter narrows, null and empty lists do not', async () => {
    await create('a', MODEL);
    await create('a', { ...MODEL, temperature: 1 });
    await create('b', DATASET);
    await create('c', OP);
    await create('d', DATASET, 'acme/other');
    const all = ['a.0', 'a.1', 'b.0', 'c.0'];
    expect(await namesOf({})).toEqual(all);
    expect(await namesOf({ object_ids: ['a', 'c', 'd'] })).toEqual(['a.0', 'a.1', 'c.0']);
    expect(await namesOf({ base_object_classes: ['Model'] })).toEqual(['a.0', 'a.1']);
    expect(await namesOf({ exclude_base_object_classes: ['Model'] })).toEqual(['b.0', 'c.0']);
    expect(await namesOf({ leaf_object_classes: ['Mine', 'Dataset'], latest_only: true })).toEqual(['a.1', 'b.0']);
    expect(await namesOf({ is_op: true })).toEqual(['c.0']);
    expect(await namesOf({ is_op: false, latest_only: true })).toEqual(['a.1', 'b.0']);
    const nothing = {
      object_ids: [],
      base_object_classes: null,
      exclude_base_object_classes: [],
      leaf_object_classes: [],
      is_op: null,
      latest_only: false,
    };
    expect(await namesOf(nothing)).toEqual(all);
  });

  test('pages, orders and the order without any', async () => {
    for (const [name, val] of [
      ['b', 1],
      ['b', 2],
      ['b', OP],
      ['a', 1],
    ] as const)
      await create(name, val);
    const indexes = async (fields: object) =>
      (await query(fields)).objs.map(({ object_id, kind, version_index }) => `${object_id} ${kind} ${version_index}`);
    const filter = { object_ids: ['b'] };
    expect(await indexes({ filter })).toEqual(['b object 0', 'b object 1', 'b op 0']);
    expect(await indexes({ filter, sort_by: [] })).toEqual(['b object 0', 'b object 1', 'b op 0']);
    expect(await indexes({ filter, sort_by: [{ field: 'created_at', direction: 'desc' }] })).toEqual([
      'b op 0',
      'b object 1',
      'b object 0',
    ]);
    expect(await indexes({ sort_by: BY_NAME })).toEqual(['a object 0', 'b object 0', 'b op 0', 'b object 1']);
    expect(await indexes({ sort_by: BY_NAME, limit: 2, offset: 1 })).toEqual(['b object 0', 'b op 0']);
    expect(await indexes({ limit: 0 })).toEqual([]);
  });

  test('a project that was never written has no objects', async () => {
    expect(await query({ project_id: 'acme/none' })).toEqual({ objs: [] });
  });

  test.each([
    ['a negative limit', { limit: -1 }, 'invalid_request'],
    ['a negative offset', { offset: -1 }, 'invalid_request'],
    ['a long list', { filter: { object_ids: ['a', 'b', 'c', 'd'] } }, 'too_many_items'],
    ['a long order', { sort_by: [...BY_NAME, ...BY_NAME, ...BY_NAME] }, 'too_many_items'],
    ['another field to sort by', { sort_by: [{ field: 'digest', direction: 'asc' }] }, 'invalid_field'],
    ['another direction', { sort_by: [{ field: 'object_id', direction: 'up' }] }, 'validation_error'],
    ['an unknown filter', { filter: { tags: ['x'] } }, 'validation_error'],
    ['an unknown field', { foo: 1 }, 'validation_error'],
    ['a list that is a text', { filter: { object_ids: 'a' } }, 'validation_error'],
    ['a project without entity', { project_id: 'demo' }, 'invalid_project_id'],
  ])('%s is refused', async (_name, fields, code) => {
    expect(await query(fields)).toMatchObject({ error_code: code });
  });
});

interface ObjectRow {
  readonly object_id: string;
  readonly version_index: number;
  readonly kind: string;
}
