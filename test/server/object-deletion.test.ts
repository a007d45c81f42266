import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const OP = { _type: 'CustomType', svc_type: { type: 'Op' } };
const MODEL = { _class_name: 'Mine', _bases: ['Model', 'Object', 'BaseModel'] };

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine, limits: { digests_per_delete: 3 } });
  });
  afterEach(() => server.close());

  const create = async (val: unknown) => {
    const obj = { project_id: PROJECT, object_id: 'settings', val };
    return ((await server.post('/obj/create', { obj })).body as { digest: string }).digest;
  };
  const read = async (digest: string) =>
    (await server.post('/obj/read', { project_id: PROJECT, object_id: 'settings', digest })).body;
  const remove = async (fields: object = {}) =>
    (await server.post('/obj/delete', { project_id: PROJECT, object_id: 'settings', ...fields })).body;

  test('a deletion answers which versions are gone, and reading them says when', async () => {
    const model = await create(MODEL);
    const plain = await create(1);
    expect(await remove({ digests: ['latest', plain, 'v0'] })).toEqual({
      num_deleted: 2,
      deleted_versions: [
        { digest: model, base_object_class: 'Model', leaf_object_class: 'Mine' },
        { digest: plain, base_object_class: null, leaf_object_class: null },
      ],
    });
    for (const version of [model, plain, 'v0', 'v1', 'latest']) {
      expect(await read(version)).toEqual({
        reason: `Cannot read object "settings:${version}": it was deleted`,
        error_code: 'object_deleted',
        deleted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/) as string,
        request_id: expect.any(String) as string,
      });
    }
  });

  test('a deletion that is sent again under its retry id deletes nothing more', async () => {
    for (const val of [1, MODEL, 3]) await create(val);
    const removeLatest = async (retryId: string) => {
      const body = { project_id: PROJECT, object_id: 'settings', digests: ['latest', 'v1'] };
      return (await server.post('/obj/delete', body, { 'svc-retry-id': retryId })).body;
    };
    const first = await removeLatest('r1');
    expect(first).toMatchObject({ num_deleted: 2 });
    expect(await removeLatest('r1')).toEqual(first);
    expect(await read('latest')).toMatchObject({ obj: { val: 1 } });
    expect(await removeLatest('r2')).toMatchObject({ error_code: 'not_found' });
  });

  test.each([{}, { digests: null }, { digests: [] }])(
    'without digests all versions of both kinds go: %o',
    async (fields) => {
      for (const val of [1, 2, OP]) await create(val);
      expect(await remove(fields)).toMatchObject({ num_deleted: 3 });
      expect((await server.post('/objs/query', { project_id: PROJECT })).body).toEqual({ objs: [] });
      await create(1);
      expect(await read('latest')).toMatchObject({ obj: { val: 1, version_index: 2, is_latest: 1 } });
    },
  );

  test('the latest moves to the greatest number that is left', async () => {
    for (const val of [1, 2, 3, 1]) await create(val);
    await remove({ digests: ['latest'] });
    expect(await read('latest')).toMatchObject({ obj: { val: 3, version_index: 2, is_latest: 1 } });
    expect(await read('v1')).toMatchObject({ obj: { is_latest: 0 } });
  });

  test.each([
    ['a name that is not there', { object_id: 'none' }, 'not_found'],
    ['a version that is not there', { digests: ['v0', 'v7'] }, 'not_found'],
    ['a digest that is not there', { digests: ['nope'] }, 'not_found'],
    ['more versions than one request takes', { digests: ['v0', 'v0', 'v0', 'v0'] }, 'too_many_items'],
    ['a name with a space', { object_id: 'a b' }, 'invalid_object_id'],
    ['a project without entity', { project_id: 'demo' }, 'invalid_project_id'],
    ['a list that is a text', { digests: 'v0' }, 'validation_error'],
    ['an unknown field', { foo: 1 }, 'validation_error'],
  ])('%s is refused and nothing is deleted', async (_name, fields, code) => {
    await create(1);
    expect(await remove(fields)).toMatchObject({ error_code: code });
    expect(await read('v0')).toMatchObject({ obj: { val: 1 } });
  });
});
