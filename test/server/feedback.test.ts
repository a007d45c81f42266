import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ENGINES, PROJECT, type RunningServer, startServer } from './running-server.ts';

const REF = `svc:///${PROJECT}/call/c1`;

describe.each(ENGINES)('on %s', (engine) => {
  let server: RunningServer;
  beforeEach(async () => {
    server = await startServer({ storage: engine, limits: { feedback_payload_bytes: 5000, note_characters: 10 } });
  });
  afterEach(() => server.close());

  const send = async (path: string, fields: object) => await server.post(path, { project_id: PROJECT, ...fields });
  const create = async (fields: object = {}) =>
    (await send('/feedback/create', { svc_ref: REF, feedback_type: 'thumbs', payload: { up: true }, ...fields }))
      .body as Record<string, unknown>;
  const query = async (fields: object = {}) =>
    ((await send('/feedback/query', fields)).body as { result: Record<string, unknown>[] }).result;
  const idsOf = async (fields: object = {}) => (await query(fields)).map(({ id }) => id);
  const where = (operator: string, field: string, literal: unknown) => ({
    query: { $expr: { [operator]: [{ $getField: field }, { $literal: literal }] } },
  });
  const publish = async (object_id: string, val: object) =>
    await server.post('/obj/create', { obj: { project_id: PROJECT, object_id, val } });

  test('feedback is answered as it is stored and read back with all its fields', async () => {
    const answer = await create({ creator: 'Ann', queue_id: 'q' });
    expect(Object.keys(answer)).toEqual(['id', 'created_at', 'svc_user_id', 'payload']);
    expect(await query()).toEqual([
      {
        ...answer,
        project_id: PROJECT,
        svc_ref: REF,
        creator: 'Ann',
        feedback_type: 'thumbs',
        annotation_ref: null,
        runnable_ref: null,
        call_ref: null,
        trigger_ref: null,
        queue_id: 'q',
      },
    ]);
  });

  test('numbers of a payload keep their digits', async () => {
    const payload = '{"a":1.0,"b":12345678901234567890}';
    const body = `{"project_id":"${PROJECT}","svc_ref":"${REF}","feedback_type":"t","payload":${payload}}`;
    expect((await server.post('/feedback/create', body)).text).toContain(`"payload":${payload}}`);
    expect((await send('/feedback/query', { fields: ['payload'] })).text).toBe(`{"result":[{"payload":${payload}}]}`);
  });

  test('an id is taken once', async () => {
    expect(await create({ id: 'f1' })).toMatchObject({ id: 'f1' });
    expect(await create({ id: 'f1' })).toMatchObject({ error_code: 'invalid_request' });
    expect(await create({ id: 'a/b' })).toMatchObject({ error_code: 'invalid_id' });
  });

  test('feedback that is sent again under its retry id is stored once', async () => {
    const sendAs = async (path: string, fields: object, retryId = 'r1') => {
      const body = { project_id: PROJECT, svc_ref: REF, feedback_type: 'thumbs', payload: { up: 1 }, ...fields };
      return (await server.post(path, body, { 'svc-retry-id': retryId })).body as { id: string };
    };
    const first = await sendAs('/feedback/create', {});
    const [again, atOnce] = await Promise.all([sendAs('/feedback/create', {}), sendAs('/feedback/create', {})]);
    expect([again, atOnce]).toEqual([first, first]);
    expect(await sendAs('/feedback/create', { payload: { up: 2 } })).toHaveProperty('id');
    expect(await sendAs('/feedback/create', {}, 'r2')).toHaveProperty('id');
    expect(await idsOf()).toHaveLength(3);
    const named = await sendAs('/feedback/create', { id: 'f1' });
    expect(await sendAs('/feedback/create', { id: 'f1' })).toEqual(named);
    expect(await sendAs('/feedback/create', { id: 'f1', creator: 'Ann' })).toMatchObject({
      error_code: 'invalid_request',
    });
    const better = await sendAs('/feedback/replace', { feedback_id: 'f1', payload: { up: 3 } });
    expect(await sendAs('/feedback/replace', { feedback_id: 'f1', payload: { up: 3 } })).toEqual(better);
    expect(await idsOf()).toHaveLength(4);
    expect(await idsOf()).not.toContain('f1');
  });

  test.each([
    ['👍🏻', ':thumbs_up_light_skin_tone:', '👍', ':thumbs_up:'],
    ['👍', ':thumbs_up:', '👍', ':thumbs_up:'],
    ['✌🏿', ':victory_hand_dark_skin_tone:', '✌️', ':victory_hand:'],
    ['❤', ':red_heart:', '❤️', ':red_heart:'],
    ['👩🏻‍🤝‍👩🏿', ':women_holding_hands_light_skin_tone_dark_skin_tone:', '👭', ':women_holding_hands:'],
    ['🇩🇪', ':flag_germany:', '🇩🇪', ':flag_germany:'],
  ])('the reaction %s is named', async (emoji, alias, detoned, detonedAlias) => {
    const { payload } = await create({ feedback_type: 'svc.reaction.1', payload: { emoji, by: 'me' } });
    expect(payload).toEqual({ emoji, by: 'me', alias, detoned, detoned_alias: detonedAlias });
  });

  test.each(['', 'a', '👍👍', '👍 ', '🏻', '🐶🏻', '👍🏻🏻', 'constructor', 1, null, undefined])(
    'the reaction %j is refused',
    async (emoji) => {
      for (const prefix of ['svc', 'wandb']) {
        const fields = { feedback_type: `${prefix}.reaction.1`, payload: { emoji } };
        expect(await create(fields)).toMatchObject({ error_code: 'invalid_request' });
      }
      expect(await query()).toEqual([]);
    },
  );

  test('a note has a text of limited length', async () => {
    const note = async (value: unknown) => await create({ feedback_type: 'svc.note.1', payload: { note: value } });
    expect(await note('😀'.repeat(10))).toHaveProperty('id');
    for (const bad of ['😀'.repeat(11), '', 1, null]) {
      expect(await note(bad)).toMatchObject({ error_code: 'invalid_request' });
    }
  });

  test('the value of an annotation keeps the schema of what it names', async () => {
    const spec = { _class_name: 'AnnotationSpec', _bases: ['Object', 'BaseModel'] };
    await publish('score', { ...spec, field_schema: { type: 'number', minimum: 0, maximum: 5 } });
    await publish('plain', { field_schema: { type: 'number' } });
    await publish('broken', { ...spec, field_schema: { type: 'nonsense' } });
    const annotate = async (name: string, payload: object, fields: object = {}) =>
      await create({
        feedback_type: `svc.annotation.${name}`,
        annotation_ref: `svc:///${PROJECT}/object/${name}:latest`,
        payload,
        ...fields,
      });
    expect(await annotate('score', { value: 3 })).toHaveProperty('id');
    expect(await annotate('plain', { value: 'text' })).toHaveProperty('id');
    const refused = { error_code: 'invalid_request' };
    expect(await annotate('score', { value: 6 })).toMatchObject({
      ...refused,
      reason: expect.stringContaining('<= 5') as string,
    });
    expect(await annotate('score', { value: '3' })).toMatchObject(refused);
    expect(await annotate('score', {})).toMatchObject(refused);
    expect(await annotate('broken', { value: 3 })).toMatchObject(refused);
    expect(await annotate('missing', { value: 3 })).toMatchObject(refused);
    expect(await annotate('', { value: 3 }, { annotation_ref: null })).toMatchObject(refused);
    expect(await annotate('score', { value: 3 }, { annotation_ref: null })).toMatchObject(refused);
    for (const ref of [`svc:///acme/other/object/score:latest`, `svc:///${PROJECT}/object/plain:latest`]) {
      expect(await annotate('score', { value: 3 }, { annotation_ref: ref })).toMatchObject(refused);
    }
  });

  test('an annotation names an object that is there, of any class below that of its kind', async () => {
    const field_schema = { type: 'number' };
    await publish('sub', { _class_name: 'Mine', _bases: ['AnnotationSpec', 'Object', 'BaseModel'], field_schema });
    const { body: op } = await publish('op', { _type: 'CustomType', svc_type: { type: 'Op' } });
    await publish('gone', { field_schema });
    await send('/obj/delete', { object_id: 'gone' });
    const annotate = async (name: string, version: string, value: unknown) =>
      await create({
        feedback_type: `svc.annotation.${name}`,
        annotation_ref: `svc:///${PROJECT}/object/${name}:${version}`,
        payload: { value },
      });
    const refused = { error_code: 'invalid_request' };
    expect(await annotate('sub', 'latest', 1)).toHaveProperty('id');
    expect(await annotate('sub', 'latest', 'one')).toMatchObject(refused);
    expect(await annotate('op', (op as { digest: string }).digest, 1)).toMatchObject(refused);
    expect(await annotate('gone', 'latest', 1)).toMatchObject(refused);
    await publish('With.Dots-2', {});
    expect(await annotate('With.Dots-2', 'latest', 1)).toHaveProperty('id');
  });

  test.each(['svc.reaction.1.x', 'svc.note.1.x', 'svc.reaction.2', 'svc.annotations', 'reaction.1'])(
    'the type %s has no rules',
    async (feedback_type) => {
      expect(await create({ feedback_type, payload: { emoji: 'none', note: '' } })).toMatchObject({
        payload: { emoji: 'none', note: '' },
      });
    },
  );

  test('a payload may be as large and as deep as its limits', async () => {
    const text = (bytes: number) => create({ payload: { t: 'x'.repeat(bytes - '{"t": ""}'.length) } });
    expect(await text(5000)).toHaveProperty('id');
    expect(await text(5001)).toMatchObject({ error_code: 'invalid_request' });
    const deep = (levels: number) =>
      create({ payload: { a: JSON.parse('['.repeat(levels - 1) + ']'.repeat(levels - 1)) } });
    expect(await deep(512)).toHaveProperty('id');
    expect(await deep(513)).toMatchObject({ error_code: 'payload_too_large' });
  });

  test('a runnable names what ran, and an op its call too', async () => {
    const run = async (fields: object) =>
      await create({ feedback_type: 'svc.runnable.judge', payload: { output: 1 }, ...fields });
    const op = `svc:///${PROJECT}/op/judge:v0`;
    expect(await run({ runnable_ref: `svc:///${PROJECT}/object/judge:v0` })).toHaveProperty('id');
    expect(await run({ runnable_ref: op, call_ref: REF })).toHaveProperty('id');
    const refused = { error_code: 'invalid_request' };
    expect(await run({ runnable_ref: op })).toMatchObject(refused);
    expect(await run({})).toMatchObject(refused);
    expect(await run({ runnable_ref: op, call_ref: REF, payload: {} })).toMatchObject(refused);
    expect(await run({ runnable_ref: op.replace('judge', 'other'), call_ref: REF })).toMatchObject(refused);
    expect(await run({ feedback_type: 'svc.runnable', runnable_ref: op })).toMatchObject(refused);
  });

  test.each([
    [{ svc_ref: 'no ref' }, 'invalid_ref'],
    [{ svc_ref: 'svc-internal:///x/object/a:v0' }, 'invalid_ref'],
    [{ annotation_ref: REF }, 'invalid_ref'],
    [{ trigger_ref: REF }, 'invalid_ref'],
    [{ call_ref: `svc:///${PROJECT}/object/a:v0` }, 'invalid_ref'],
    [{ runnable_ref: REF }, 'invalid_ref'],
    [{ feedback_type: '' }, 'invalid_request'],
    [{ feedback_type: 'x'.repeat(257) }, 'invalid_request'],
    [{ creator: 'x'.repeat(257) }, 'invalid_request'],
    [{ payload: { text: 'x'.repeat(5000) } }, 'invalid_request'],
    [{ payload: 'text' }, 'validation_error'],
    [{ payload: undefined }, 'validation_error'],
    [{ svc_user_id: 'somebody' }, 'user_id_not_allowed'],
    [{ unknown: 1 }, 'validation_error'],
    [{ project_id: 'x' }, 'invalid_project_id'],
  ])('feedback with %j is refused', async (fields, code) => {
    expect(await create(fields)).toMatchObject({ error_code: code });
    expect(await query()).toEqual([]);
  });

  test('feedback may be on anything of any project', async () => {
    await create({ id: 'f1', svc_ref: 'svc:///acme/other/object/a:v0/attr/b' });
    expect(await idsOf(where('$eq', 'svc_ref', 'svc:///acme/other/object/a:v0/attr/b'))).toEqual(['f1']);
  });

  test('queries compare every field and what is in the payload', async () => {
    await create({ id: 'f1', payload: { note: 'good', n: 2 }, creator: 'Ann' });
    await create({ id: 'f2', payload: { n: 10 }, svc_ref: `svc:///${PROJECT}/call/c2`, feedback_type: 'other' });
    expect(await idsOf(where('$eq', 'svc_ref', REF))).toEqual(['f1']);
    expect(await idsOf(where('$eq', 'payload.note', 'good'))).toEqual(['f1']);
    expect(await idsOf(where('$gt', 'payload.n', 5))).toEqual(['f2']);
    expect(await idsOf(where('$eq', 'creator', null))).toEqual(['f2']);
    expect(await idsOf(where('$gte', 'created_at', '2024-01-01'))).toHaveLength(2);
    expect(await idsOf(where('$lt', 'created_at', 0))).toEqual([]);
    const both = [where('$eq', 'feedback_type', 'other'), where('$eq', 'svc_ref', REF)].map((one) => one.query.$expr);
    expect(await idsOf({ query: { $expr: { $and: both } } })).toEqual([]);
    expect(new Set(await idsOf({ query: { $expr: { $or: both } } }))).toEqual(new Set(['f1', 'f2']));
    expect(await idsOf({ query: { $expr: { $not: [both[1]] } } })).toEqual(['f2']);
    const items = [{ $literal: REF }, { $literal: 'x' }];
    expect(await idsOf({ query: { $expr: { $in: [{ $getField: 'svc_ref' }, items] } } })).toEqual(['f1']);
  });

  test('an order, a limit and an offset make pages', async () => {
    for (const [index, id] of ['f1', 'f2', 'f3'].entries()) await create({ id, payload: { n: 3 - index } });
    const sort_by = [{ field: 'payload.n', direction: 'asc' }];
    expect(await idsOf({ sort_by })).toEqual(['f3', 'f2', 'f1']);
    expect(await idsOf({ sort_by, limit: 1, offset: 1 })).toEqual(['f2']);
    expect((await send('/feedback/query', { limit: -1 })).body).toMatchObject({ error_code: 'invalid_request' });
  });

  test('a record has the fields that were asked for, paths of the payload as texts', async () => {
    await create({ id: 'f1', payload: { note: 'good', deep: { list: [1, { a: 2 }] } } });
    expect(await query({ fields: ['id', 'payload.note', 'payload.deep.list', 'payload.none'] })).toEqual([
      { id: 'f1', 'payload.note': 'good', 'payload.deep.list': '[1,{"a":2}]', 'payload.none': null },
    ]);
    for (const fields of [['nothing'], ['id.x'], ['constructor'], ['id', 'count(*)']]) {
      expect((await send('/feedback/query', { fields })).body).toMatchObject({ error_code: 'invalid_field' });
    }
  });

  test('the number of records is asked for as a field', async () => {
    await create();
    await create({ feedback_type: 'other' });
    expect(await query({ fields: ['count(*)'], limit: 1 })).toEqual([{ 'count(*)': 2 }]);
    expect(await query({ fields: ['count(*)'], ...where('$eq', 'feedback_type', 'other') })).toEqual([
      { 'count(*)': 1 },
    ]);
  });

  test('a purge removes by id and by nothing else', async () => {
    for (const id of ['f1', 'f2']) await create({ id });
    expect((await send('/feedback/purge', where('$eq', 'id', 'f1'))).body).toEqual({});
    expect((await send('/feedback/purge', where('$eq', 'svc_ref', REF))).body).toMatchObject({
      error_code: 'invalid_request',
    });
    expect(await idsOf()).toEqual(['f2']);
  });

  test('feedback that takes the place of other feedback has an id and a time of its own', async () => {
    await create({ id: 'f1', feedback_type: 'svc.note.1', payload: { note: 'good' } });
    const replace = async (fields: object) =>
      (await send('/feedback/replace', { svc_ref: REF, feedback_type: 'svc.note.1', feedback_id: 'f1', ...fields }))
        .body as Record<string, unknown>;
    expect(await replace({ payload: { note: '' } })).toMatchObject({ error_code: 'invalid_request' });
    expect(await idsOf()).toEqual(['f1']);
    const better = await replace({ payload: { note: 'better' } });
    expect(Object.keys(better)).toEqual(['id', 'created_at', 'svc_user_id', 'payload']);
    expect(better['id']).not.toBe('f1');
    expect(await query({ fields: ['id', 'payload.note'] })).toEqual([{ id: better['id'], 'payload.note': 'better' }]);
    expect(await replace({ payload: { note: 'more' }, feedback_id: 'nobody' })).toHaveProperty('id');
    expect(await idsOf()).toHaveLength(2);
  });
});

test('a schema that takes too long holds up nobody else, and one that is none is refused', async () => {
  const server = await startServer();
  try {
    const annotate = async (field_schema: object, value: unknown) => {
      const val = { _class_name: 'AnnotationSpec', _bases: ['Object', 'BaseModel'], field_schema };
      await server.post('/obj/create', { obj: { project_id: PROJECT, object_id: 'spec', val } });
      const annotation_ref = `svc:///${PROJECT}/object/spec:latest`;
      const feedback = { svc_ref: REF, feedback_type: 'svc.annotation.spec', annotation_ref, payload: { value } };
      return (await server.post('/feedback/create', { project_id: PROJECT, ...feedback })).body;
    };
    const answered: string[] = [];
    const hostile = annotate({ pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`).finally(() => answered.push('hostile'));
    await server.post('/feedback/query', { project_id: PROJECT }).finally(() => answered.push('query'));
    const refused = { error_code: 'invalid_request' };
    expect(await hostile).toMatchObject({ ...refused, reason: expect.stringContaining('too much time') as string });
    expect(answered).toEqual(['query', 'hostile']);
    expect(await annotate({ $ref: '#' }, 1)).toMatchObject(refused);
    expect(await annotate({ $ref: 'https://example.com/schema.json' }, 1)).toMatchObject(refused);
    const tenths = { $schema: 'https://example.com/draft', $async: true, $id: 'x', multipleOf: 0.1 };
    expect(await annotate(tenths, 0.3)).toHaveProperty('id');
    expect(await annotate(tenths, 0.35)).toMatchObject(refused);
    const long = await annotate({ required: ['x'.repeat(10_000)] }, {});
    expect((long as { reason: string }).reason.length).toBeLessThan(1000);
  } finally {
    await server.close();
  }
});
