import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const OP = {
  _type: 'CustomType',
  svc_type: { type: 'Op' },
  files: { 'obj.ts': 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc' },
  load_op: 'NO_LOAD_OP',
};

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine, limits: { object_bytes: 2000 } });
  });
  afterEach(() => server.close());

  const create = async (fields: object) =>
    (await server.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'settings', ...fields } })).body;
  const read = async (digest: string, fields: object = {}) => {
    const { body } = await server.post('/obj/read', { project_id: PROJECT, object_id: 'settings', digest, ...fields });
    const { obj } = body as { obj?: Record<string, unknown> };
    return obj ?? body;
  };

  test('an object is read back with every field', async () => {
    const val = { b: 2, a: [1, 2.5, null, true], é: 'ü\n' };
    const digest = '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM';
    expect(await create({ val })).toEqual({ digest, object_id: 'settings' });
    const expected = {
      project_id: PROJECT,
      object_id: 'settings',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z$/) as string,
      deleted_at: null,
      digest,
      version_index: 0,
      is_latest: 1,
      kind: 'object',
      base_object_class: null,
      leaf_object_class: null,
      val,
      svc_user_id: 'local',
      size_bytes: 57,
    };
    for (const version of [digest, 'latest', 'v0']) expect(await read(version)).toEqual(expected);
    expect(await read('latest', { metadata_only: true, include_tags_and_aliases: true })).toEqual({
      ...expected,
      val: {},
    });
  });

  test('numbers keep their class, so the digest is that of what was sent', async () => {
    const send = (val: string) =>
      server.post('/obj/create', `{"obj":{"project_id":"${PROJECT}","object_id":"settings","val":${val}}}`);
    expect((await send('{"name":"m","temp":1.0,"n":1}')).body).toMatchObject({
      digest: 'm30XXr15rUTKeLrEzGyioxQ7KYAJWvVTcmFZVmhbO9w',
    });
    expect((await send('{"name":"m","temp":1,"n":1}')).body).toMatchObject({
      digest: 'AkLm8KlYMUMzLjhjoxOdiaSTQOd3eDkCAYmV4P9eatA',
    });
    const { text } = await server.post('/obj/read', { project_id: PROJECT, object_id: 'settings', digest: 'v0' });
    expect(text).toContain('"val":{"n": 1, "name": "m", "temp": 1.0}');
  });

  test('any JSON value can be one, null too, but it must be there', async () => {
    for (const val of [null, 0, 'text', [], false]) expect(await create({ val })).toHaveProperty('digest');
    expect(await read('latest')).toMatchObject({ val: false, version_index: 4 });
    expect(await create({})).toMatchObject({ detail: [{ loc: ['body', 'obj', 'val'], type: 'missing' }] });
  });

  test('a value that is known makes no version and becomes the latest again', async () => {
    const first = (await create({ val: 1 })) as { digest: string };
    await create({ val: 2 });
    expect(await read('latest')).toMatchObject({ val: 2, version_index: 1 });
    expect(await create({ val: 1 })).toEqual(first);
    expect(await read('latest')).toMatchObject({ val: 1, version_index: 0 });
    expect(await read('v1')).toMatchObject({ val: 2, is_latest: 0 });
    expect(await read('v2')).toMatchObject({ error_code: 'not_found' });
  });

  test('an op is told by its value and numbered apart from an object of the same name', async () => {
    expect(await create({ val: OP })).toMatchObject({ digest: 'ynqx9MZlTmnyIOkyXrjM07r5zcYPz2qVFXAw2FCFJK0' });
    expect(await read('latest')).toMatchObject({ kind: 'op', version_index: 0 });
    await create({ val: 5 });
    expect(await read('latest')).toMatchObject({ kind: 'object', version_index: 0 });
    await create({ val: { _type: 'CustomWeaveType', weave_type: { type: 'Op' }, files: {} } });
    expect(await read('v0')).toMatchObject({ kind: 'object' });
    expect(await read('ynqx9MZlTmnyIOkyXrjM07r5zcYPz2qVFXAw2FCFJK0')).toMatchObject({ kind: 'op', is_latest: 0 });
  });

  test('the classes of a model are read from its bases', async () => {
    const model = (_bases: unknown, fields: object = {}) => ({ val: { _class_name: 'Mine', _bases, ...fields } });
    const classes = async (request: object) => {
      await create(request);
      const { base_object_class, leaf_object_class } = (await read('latest')) as Record<string, unknown>;
      return [base_object_class, leaf_object_class];
    };
    expect(await classes(model(['Model', 'Object', 'BaseModel']))).toEqual(['Model', 'Mine']);
    expect(await classes(model(['Sub', 'Model', 'BaseObject', 'BaseModel']))).toEqual(['Model', 'Mine']);
    expect(await classes(model(['Object', 'BaseModel']))).toEqual(['Mine', 'Mine']);
    expect(await classes(model(['BaseModel']))).toEqual([null, null]);
    expect(await classes(model(['Object', 'Other']))).toEqual([null, null]);
    expect(await classes({ val: 'text' })).toEqual([null, null]);
    const provider = {
      ...model(['Object', 'BaseModel'], { _class_name: 'Provider' }),
      builtin_object_class: 'Provider',
    };
    expect(await classes(provider)).toEqual(['Provider', 'Provider']);
  });

  test('a builtin class marks the value', async () => {
    await create({ val: { name: 'p' }, set_base_object_class: 'Provider' });
    expect(await read('latest')).toMatchObject({
      base_object_class: 'Provider',
      leaf_object_class: 'Provider',
      val: { name: 'p', _type: 'Provider', _class_name: 'Provider', _bases: ['BaseObject', 'BaseModel'] },
    });
  });

  test.each([
    ['an unknown builtin class', { val: {}, builtin_object_class: 'Nope' }],
    ['a builtin class for a text', { val: 'text', builtin_object_class: 'Provider' }],
    ['a model without a class name', { val: { _bases: ['Object', 'BaseModel'] } }],
    [
      'a builtin class that is not that of the model',
      { val: { _class_name: 'A', _bases: ['Object', 'BaseModel'] }, builtin_object_class: 'Provider' },
    ],
    ['an annotation spec with a number as name', { val: { name: 5 }, builtin_object_class: 'AnnotationSpec' }],
    [
      'an annotation spec with a text as schema',
      { val: { field_schema: 'x' }, builtin_object_class: 'AnnotationSpec' },
    ],
    [
      'an annotation spec with a number in its scope',
      { val: { op_scope: [5] }, builtin_object_class: 'AnnotationSpec' },
    ],
    ['an absolute file path', { val: { ...OP, files: { '/etc/passwd': 'x' } } }],
    ['a file path that leads outside, deep inside the value', { val: [{ a: { ...OP, files: { 'a/../../b': 'x' } } }] }],
    ['a file path with backslashes', { val: { ...OP, files: { '..\\b': 'x' } } }],
  ])('%s is refused', async (_name, fields) => {
    expect(await create(fields)).toMatchObject({ error_code: 'invalid_request' });
    expect(await read('latest')).toMatchObject({ error_code: 'not_found' });
  });

  test('an annotation spec with right members is taken', async () => {
    const val = {
      name: 'n',
      description: null,
      field_schema: { type: 'string' },
      unique_among_creators: true,
      op_scope: ['f'],
    };
    expect(await create({ val, builtin_object_class: 'AnnotationSpec' })).toHaveProperty('digest');
  });

  test('another digest than the expected one stores nothing and tells the right one', async () => {
    expect(await create({ val: { i: 1 }, expected_digest: 'wrong' })).toMatchObject({
      error_code: 'digest_mismatch',
      actual_digest: 'X9JzV19XGsTuoYkllRKAipPm3SFXfSO3ce8QJUxep1k',
    });
    expect(await read('latest')).toMatchObject({ error_code: 'not_found' });
    expect(
      await create({ val: { i: 1 }, expected_digest: 'X9JzV19XGsTuoYkllRKAipPm3SFXfSO3ce8QJUxep1k' }),
    ).toHaveProperty('digest');
  });

  test('a value above the limits is refused', async () => {
    expect(await create({ val: 'x'.repeat(1999) })).toMatchObject({ error_code: 'payload_too_large' });
    const deep = `${'['.repeat(513)}${']'.repeat(513)}`;
    const { body } = await server.post(
      '/obj/create',
      `{"obj":{"project_id":"${PROJECT}","object_id":"settings","val":${deep}}}`,
    );
    expect(body).toMatchObject({ error_code: 'payload_too_large' });
    expect(await read('latest')).toMatchObject({ error_code: 'not_found' });
  });

  test('names are letters, digits, dots, dashes and underscores', async () => {
    for (const object_id of ['', 'a b', 'a/b', 'a:b', 'x'.repeat(129)]) {
      expect(await create({ object_id, val: 1 })).toMatchObject({ error_code: 'invalid_object_id' });
    }
    expect(await create({ object_id: 'Ünï-1_.', val: 1 })).toHaveProperty('digest');
  });

  test('many creates of one name at once get versions without a gap', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => create({ val: { index } })));
    const versions = await Promise.all(Array.from({ length: 30 }, (_, index) => read(`v${index}`)));
    const rows = versions as { val: { index: number }; created_at: string; is_latest: number }[];
    expect(new Set(rows.map(({ val }) => val.index)).size).toBe(30);
    expect(rows.filter(({ is_latest }) => is_latest === 1)).toHaveLength(1);
    expect(new Set(rows.map(({ created_at }) => created_at)).size).toBe(30);
  });
});
