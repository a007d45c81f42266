import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whole } from '../recorder.ts';
import { PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { leavesNothingOut, refuses } from './refusals.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const NOW = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/) as string;
const DIGEST = '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM';
const VALUE = { b: 2, a: [1, 2.5, null, true], é: 'ü\n' };
const OBJECT = { project_id: PROJECT, object_id: 'settings', val: VALUE };
const VERSION = {
  ...OBJECT,
  created_at: NOW,
  deleted_at: null,
  digest: DIGEST,
  version_index: 0,
  is_latest: 1,
  kind: 'object',
  base_object_class: null,
  leaf_object_class: null,
  svc_user_id: 'somebody',
  size_bytes: 57,
};
const PROVIDER = { _type: 'Provider', _class_name: 'Provider', _bases: ['BaseObject', 'BaseModel'], url: 'x' };

const create = (fields: object) => ({ obj: { ...OBJECT, ...fields } });

describe('/obj/create', () => {
  test('stores every field', async () => {
    const plain = await server.post('/obj/create', create({ expected_digest: DIGEST, svc_user_id: 'somebody' }));
    expect(whole(plain)).toEqual([200, { digest: DIGEST, object_id: 'settings' }]);
    const fields = { object_id: 'provider', val: { url: 'x' } };
    const classed = await server.post('/obj/create', create({ ...fields, builtin_object_class: 'Provider' }));
    const older = await server.post('/obj/create', create({ ...fields, set_base_object_class: 'Provider' }));
    expect(whole(older)).toEqual([200, classed.body]);
    const read = await server.post('/obj/read', { project_id: PROJECT, object_id: 'provider', digest: 'v0' });
    expect(read.body).toMatchObject({ obj: { val: PROVIDER, base_object_class: 'Provider', version_index: 0 } });
  });

  refuses('objCreate', [
    { code: 'validation_error', what: 'no value', body: create({ val: undefined }) },
    { code: 'invalid_project_id', what: 'no project', body: create({ project_id: 'x' }) },
    { code: 'invalid_object_id', what: 'a name with a space', body: create({ object_id: 'a b' }) },
    { code: 'invalid_object_id', what: 'a long name', body: create({ object_id: 'x'.repeat(129) }) },
    { code: 'invalid_request', what: 'an unknown class', body: create({ builtin_object_class: 'Nothing' }) },
    {
      code: 'invalid_request',
      what: 'a class of a number',
      body: create({ val: 1, builtin_object_class: 'Provider' }),
    },
    {
      code: 'invalid_request',
      what: 'another class than the value has',
      body: create({ val: { ...PROVIDER, _class_name: 'Model' }, builtin_object_class: 'Provider' }),
    },
    {
      code: 'invalid_request',
      what: 'bases without a class',
      body: create({ val: { _bases: ['Object', 'BaseModel'] } }),
    },
    {
      code: 'invalid_request',
      what: 'an annotation spec of a wrong kind',
      body: create({ val: { field_schema: 1 }, builtin_object_class: 'AnnotationSpec' }),
    },
    {
      code: 'invalid_request',
      what: 'files outside',
      body: create({ val: [{ _type: 'CustomType', files: { '../x': 'digest' } }] }),
    },
    {
      code: 'digest_mismatch',
      what: 'another digest',
      body: create({ expected_digest: 'x' }),
      more: { actual_digest: DIGEST },
    },
    { code: 'payload_too_large', what: 'a large value', body: create({}), limits: { object_bytes: 56 } },
    { code: 'payload_too_large', what: 'a deep value', body: create({}), limits: { json_depth: 1 } },
  ]);
  leavesNothingOut('objCreate');
});

const createDeleted = async (fresh: RunningServer) => {
  await fresh.post('/obj/create', create({}));
  await fresh.post('/obj/delete', { project_id: PROJECT, object_id: 'settings' });
};

describe('/obj/read', () => {
  const read = (fields: object) => ({ project_id: PROJECT, object_id: 'settings', digest: DIGEST, ...fields });

  test('answers whole versions', async () => {
    for (const digest of [DIGEST, 'v0', 'latest']) {
      expect(whole(await server.post('/obj/read', read({ digest })))).toEqual([200, { obj: VERSION }]);
    }
    const answer = await server.post('/obj/read', read({ metadata_only: true, include_tags_and_aliases: true }));
    expect(whole(answer)).toEqual([200, { obj: { ...VERSION, val: {} } }]);
  });

  refuses('objRead', [
    { code: 'validation_error', what: 'no digest', body: { project_id: PROJECT, object_id: 'settings' } },
    { code: 'invalid_project_id', what: 'no project', body: read({ project_id: 'x' }) },
    { code: 'invalid_object_id', what: 'an empty name', body: read({ object_id: '' }) },
    { code: 'not_found', what: 'a digest of nothing', body: read({ digest: 'x' }) },
    { code: 'not_found', what: 'a number of nothing', body: read({ digest: 'v7' }) },
    { code: 'not_found', what: 'a name of nothing', body: read({ digest: 'latest' }) },
    {
      code: 'object_deleted',
      what: 'a deleted version',
      body: read({ digest: 'v0' }),
      prepare: createDeleted,
      more: { deleted_at: NOW },
    },
    {
      code: 'object_deleted',
      what: 'a name whose versions were deleted',
      body: read({ digest: 'latest' }),
      prepare: createDeleted,
      more: { deleted_at: NOW },
    },
  ]);
  leavesNothingOut('objRead');
});

describe('/objs/query', () => {
  const query = (fields: object) => ({ project_id: PROJECT, ...fields });

  test('takes every field and answers whole versions', async () => {
    const all = await server.post('/objs/query', query({ filter: { object_ids: ['settings'] } }));
    expect(whole(all)).toEqual([200, { objs: [{ ...VERSION, size_bytes: null }] }]);
    const request = {
      filter: {
        object_ids: ['settings', 'provider'],
        base_object_classes: ['Provider'],
        exclude_base_object_classes: ['Model'],
        leaf_object_classes: ['Provider'],
        is_op: false,
        latest_only: true,
      },
      limit: 1,
      offset: 0,
      sort_by: [{ field: 'object_id', direction: 'desc' }],
      metadata_only: true,
      include_storage_size: true,
    };
    const { objs } = (await server.post('/objs/query', query(request))).body as { objs: (typeof VERSION)[] };
    const classes = { base_object_class: 'Provider', leaf_object_class: 'Provider' };
    const [{ digest, size_bytes: size } = VERSION] = objs;
    expect(objs).toEqual([
      { ...VERSION, object_id: 'provider', val: {}, ...classes, digest, size_bytes: size, svc_user_id: 'local' },
    ]);
    expect(size).toBeGreaterThan(50);
  });

  refuses('objsQuery', [
    { code: 'validation_error', what: 'a flag as text', body: query({ filter: { is_op: 'yes' } }) },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x' } },
    { code: 'invalid_request', what: 'a negative limit', body: query({ limit: -1 }) },
    {
      code: 'invalid_field',
      what: 'an order by digests',
      body: query({ sort_by: [{ field: 'digest', direction: 'asc' }] }),
    },
    {
      code: 'too_many_items',
      what: 'a long filter',
      body: query({ filter: { object_ids: ['a'] } }),
      limits: { filter_items: 0 },
    },
    { code: 'query_timeout', what: 'a slow read', body: query({}), slow: 'objects' },
  ]);
  leavesNothingOut('objsQuery');
});

describe('/obj/delete', () => {
  const remove = (fields: object) => ({ project_id: PROJECT, object_id: 'settings', ...fields });

  test('deletes the versions it is told', async () => {
    const answer = await server.post('/obj/delete', remove({ digests: ['latest', 'v0', DIGEST] }));
    expect(whole(answer)).toEqual([
      200,
      {
        num_deleted: 1,
        deleted_versions: [{ digest: DIGEST, base_object_class: null, leaf_object_class: null }],
      },
    ]);
  });

  refuses('objDelete', [
    { code: 'validation_error', what: 'digests as text', body: remove({ digests: 'x' }) },
    { code: 'invalid_project_id', what: 'no project', body: remove({ project_id: 'x' }) },
    { code: 'invalid_object_id', what: 'a name with a slash', body: remove({ object_id: 'a/b' }) },
    {
      code: 'too_many_items',
      what: 'many digests',
      body: remove({ digests: ['x'] }),
      limits: { digests_per_delete: 0 },
    },
    { code: 'not_found', what: 'a name of nothing', body: remove({}) },
    { code: 'not_found', what: 'versions that are gone', body: remove({}), prepare: createDeleted },
    {
      code: 'not_found',
      what: 'one digest of nothing among others',
      body: remove({ digests: ['v0', 'x'] }),
      prepare: (fresh) => fresh.post('/obj/create', create({})),
    },
  ]);
  leavesNothingOut('objDelete');
});
