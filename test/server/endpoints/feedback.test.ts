import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/server/keys/keys.ts';
import { whole, wholeError } from '../recorder.ts';
import { ENGINES, PROJECT, type RunningServer, startServer } from '../running-server.ts';
import { leavesNothingOut, refuses, type Refusal } from './refusals.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const REF = `svc:///${PROJECT}`;
const OBJECT_REF = `${REF}/object/rating:08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM`;
const CALL_REF = `${REF}/call/c1`;
const NOW = expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/) as string;

const GIVEN = {
  project_id: PROJECT,
  id: 'f1',
  svc_ref: CALL_REF,
  creator: 'Ann',
  feedback_type: 'review',
  payload: { note: 'good', stars: 5 },
  annotation_ref: OBJECT_REF,
  runnable_ref: OBJECT_REF,
  call_ref: CALL_REF,
  trigger_ref: OBJECT_REF,
  queue_id: 'queue 1',
};

const ask = (fields: object) => ({ ...GIVEN, ...fields });
const typed = (type: string, payload: object, fields: object = {}) =>
  ask({ feedback_type: type, payload, annotation_ref: null, runnable_ref: null, call_ref: null, ...fields });

/** Creating and replacing hold feedback to the same rules. */
const WRITE_REFUSALS: readonly (Refusal & { readonly field?: string })[] = [
  { code: 'validation_error', what: 'a payload that is a list', body: ask({ payload: [] }) },
  { code: 'invalid_project_id', what: 'no project', field: 'project_id', body: ask({ project_id: 'x' }) },
  { code: 'invalid_id', what: 'a bad id', field: 'id', body: ask({ id: 'a/b' }) },
  { code: 'invalid_ref', what: 'half a reference', field: 'svc_ref', body: ask({ svc_ref: 'svc:///acme' }) },
  {
    code: 'invalid_ref',
    what: 'an annotation that is a call',
    field: 'annotation_ref',
    body: ask({ annotation_ref: CALL_REF }),
  },
  { code: 'invalid_ref', what: 'a trigger that is a call', field: 'trigger_ref', body: ask({ trigger_ref: CALL_REF }) },
  { code: 'invalid_ref', what: 'a call that is an object', field: 'call_ref', body: ask({ call_ref: OBJECT_REF }) },
  {
    code: 'invalid_ref',
    what: 'a runnable that is a call',
    field: 'runnable_ref',
    body: ask({ runnable_ref: CALL_REF }),
  },
  { code: 'user_id_not_allowed', what: 'another user', field: 'svc_user_id', body: ask({ svc_user_id: 'other' }) },
  { code: 'invalid_request', what: 'an empty type', field: 'feedback_type', body: ask({ feedback_type: '' }) },
  {
    code: 'invalid_request',
    what: 'a long type',
    field: 'feedback_type',
    body: ask({ feedback_type: 'x'.repeat(257) }),
  },
  { code: 'invalid_request', what: 'a long creator', field: 'creator', body: ask({ creator: 'x'.repeat(257) }) },
  {
    code: 'invalid_request',
    what: 'a large payload',
    field: 'payload',
    body: ask({}),
    limits: { feedback_payload_bytes: 10 },
  },
  { code: 'invalid_request', what: 'a reaction without emoji', field: 'payload', body: typed('svc.reaction.1', {}) },
  {
    code: 'invalid_request',
    what: 'a reaction with two emoji',
    field: 'payload',
    body: typed('svc.reaction.1', { emoji: '👍👍' }),
  },
  { code: 'invalid_request', what: 'an empty note', field: 'payload', body: typed('svc.note.1', { note: '' }) },
  {
    code: 'invalid_request',
    what: 'a long note',
    field: 'payload',
    body: typed('wandb.note.1', { note: 'x'.repeat(1025) }),
  },
  {
    code: 'invalid_request',
    what: 'an annotation without reference',
    field: 'annotation_ref',
    body: typed('svc.annotation.rating', { value: 1 }),
  },
  {
    code: 'invalid_request',
    what: 'an annotation without name',
    field: 'feedback_type',
    body: typed('svc.annotation', { value: 1 }),
  },
  {
    code: 'invalid_request',
    what: 'an annotation of another name',
    field: 'annotation_ref',
    body: typed('svc.annotation.other', { value: 1 }, { annotation_ref: OBJECT_REF }),
  },
  {
    code: 'invalid_request',
    what: 'an annotation of an object that is not there',
    field: 'annotation_ref',
    body: typed('svc.annotation.rating', { value: 1 }, { annotation_ref: OBJECT_REF }),
  },
  {
    code: 'invalid_request',
    what: 'a runnable without reference',
    field: 'runnable_ref',
    body: typed('svc.runnable.rating', { output: 1 }),
  },
  {
    code: 'invalid_request',
    what: 'a runnable without output',
    field: 'payload',
    body: typed('svc.runnable.rating', {}, { runnable_ref: OBJECT_REF }),
  },
  {
    code: 'invalid_request',
    what: 'an op without its call',
    field: 'call_ref',
    body: typed('svc.runnable.rate', { output: 1 }, { runnable_ref: `${REF}/op/rate:x` }),
  },
];

describe('/feedback/create', () => {
  test('stores every field', async () => {
    expect(whole(await server.post('/feedback/create', { ...GIVEN, svc_user_id: 'local' }))).toEqual([
      200,
      {
        id: 'f1',
        created_at: NOW,
        svc_user_id: 'local',
        payload: GIVEN.payload,
      },
    ]);
  });

  test('adds the names of its emoji to a reaction', async () => {
    const answer = await server.post('/feedback/create', {
      project_id: 'acme/other',
      svc_ref: CALL_REF,
      feedback_type: 'svc.reaction.1',
      payload: { emoji: '👍🏻' },
    });
    expect(whole(answer)).toEqual([
      200,
      {
        id: expect.any(String) as string,
        created_at: NOW,
        svc_user_id: 'local',
        payload: {
          emoji: '👍🏻',
          alias: ':thumbs_up_light_skin_tone:',
          detoned: '👍',
          detoned_alias: ':thumbs_up:',
        },
      },
    ]);
  });

  refuses('feedbackCreate', [
    ...WRITE_REFUSALS,
    {
      code: 'invalid_request',
      what: 'an id that is taken',
      body: GIVEN,
      prepare: (fresh) => fresh.post('/feedback/create', GIVEN),
    },
  ]);
  leavesNothingOut('feedbackCreate');
});

describe.each(ENGINES)('a batch of feedback, in %s', (storage) => {
  let own: RunningServer;
  beforeAll(async () => {
    own = await startServer({ storage });
  });
  afterAll(() => own.close());
  const send = async (batch: readonly object[], headers: Record<string, string> = {}) =>
    await own.post('/feedback/batch/create', { batch }, headers);
  const idsIn = async (project_id: string) => {
    const { body } = await own.post('/feedback/query', { project_id, fields: ['id'] });
    return (body as { result: { id: string }[] }).result.map(({ id }) => id).sort();
  };
  const plain = (id: string, fields: object = {}) => ({
    project_id: PROJECT,
    id,
    svc_ref: CALL_REF,
    feedback_type: 'review',
    payload: { n: 1 },
    ...fields,
  });
  const answerTo = (id: string, payload: object = { n: 1 }) => ({ id, created_at: NOW, svc_user_id: 'local', payload });

  test('is stored in one, of any projects, and answered in order', async () => {
    const note = { feedback_type: 'svc.note.1', payload: { note: 'hi' } };
    const answer = await send([plain('b2'), plain('b1', { project_id: 'acme/other' }), plain('b3', note)]);
    const res = [answerTo('b2'), answerTo('b1'), answerTo('b3', note.payload)];
    expect(whole(answer)).toEqual([200, { res }]);
    expect([await idsIn(PROJECT), await idsIn('acme/other')]).toEqual([['b2', 'b3'], ['b1']]);
  });

  test('takes what is stored already for done, and stores the others', async () => {
    const first = await send([plain('r1')]);
    const again = await send([plain('r1'), plain('r2')]);
    expect(whole(again)).toEqual([200, { res: [(first.body as { res: object[] }).res[0], answerTo('r2')] }]);
    const all = await send([plain('r2'), plain('r1')]);
    expect(all.status).toBe(200);
    expect((await idsIn(PROJECT)).filter((id) => id.startsWith('r'))).toEqual(['r1', 'r2']);
  });

  test('without ids gets the same ones again when the request comes again', async () => {
    const batch = [plain('x', { id: null }), plain('x', { id: null })];
    const first = await send(batch, { 'svc-retry-id': 'try' });
    const before = await idsIn(PROJECT);
    const second = await send(batch, { 'svc-retry-id': 'try' });
    expect(second.body).toEqual(first.body);
    expect(await idsIn(PROJECT)).toEqual(before);
  });

  test.each([
    ['of no project', { project_id: 'x' }, 'project_id'],
    ['against the rules of its type', { feedback_type: 'svc.note.1' }, 'payload'],
    ['with an id that another has', { id: 'taken', payload: { n: 2 } }, 'id'],
    ['with an id that another has on something else', { id: 'taken', svc_ref: OBJECT_REF }, 'id'],
    ['with an id that is in the batch twice', { id: 'good1' }, 'id'],
    ['with an unknown key', { unknown: 1 }, 'unknown'],
  ])('is refused as a whole for one %s', async (_what, fields, field) => {
    await send([plain('taken')]);
    const answer = await send([plain('good1'), plain('bad', fields), plain('good2')]);
    expect([answer.status, answer.body]).toMatchObject([422, { detail: [{ loc: ['body', 'batch', 1, field] }] }]);
    expect((await idsIn(PROJECT)).filter((id) => /^(?:good|bad)/.test(id))).toEqual([]);
  });

  test('is refused for a project that is not of the key', async ({ skip }) => {
    const { dataDir } = own;
    if (dataDir === undefined) return skip('its engine has no folder of keys');
    const { key } = createKey(dataDir, { name: 'ci', entities: ['acme'] });
    const batch = [plain('good3'), plain('bad', { project_id: 'other/demo' })];
    const answer = await send(batch, { authorization: `Bearer ${key}` });
    expect([answer.status, answer.body]).toEqual(wholeError(answer, 'forbidden'));
    expect(await idsIn(PROJECT)).not.toContain('good3');
  });

  test('arrives from clients of the vendor with all that they add', async () => {
    const { svc_ref: _ref, ...rest } = plain('w1');
    const theirs = {
      ...rest,
      weave_ref: CALL_REF.replace('svc:', 'weave:'),
      feedback_type: 'wandb.note.1',
      payload: { note: 'theirs' },
      scorer_tags: [],
      span_status_code: 'UNSET',
    };
    const answer = await own.post('/dialect/w/feedback/batch/create', { batch: [theirs] });
    const { svc_user_id: user, ...stored } = answerTo('w1', { note: 'theirs' });
    expect([answer.status, answer.body]).toEqual([200, { res: [{ ...stored, wb_user_id: user }] }]);
    const { body } = await own.post('/feedback/query', {
      project_id: PROJECT,
      fields: ['id', 'feedback_type', 'svc_ref'],
    });
    expect((body as { result: object[] }).result).toContainEqual({
      id: 'w1',
      feedback_type: 'svc.note.1',
      svc_ref: CALL_REF,
    });
    const set = await own.post('/dialect/w/feedback/batch/create', { batch: [{ ...theirs, scorer_tags: ['good'] }] });
    expect([set.status, set.body]).toMatchObject([422, { detail: [{ loc: ['body', 'batch', 0, 'scorer_tags'] }] }]);
  });
});

describe('/feedback/batch/create', () => {
  test('stores every field, and none at all', async () => {
    const item = { ...GIVEN, id: 'f7', project_id: 'acme/batch', svc_user_id: 'local' };
    expect(whole(await server.post('/feedback/batch/create', { batch: [item] }))).toEqual([
      200,
      { res: [{ id: 'f7', created_at: NOW, svc_user_id: 'local', payload: GIVEN.payload }] },
    ]);
    expect(whole(await server.post('/feedback/batch/create', { batch: [] }))).toEqual([200, { res: [] }]);
  });

  refuses('feedbackBatchCreate', [
    ...WRITE_REFUSALS.map(({ field, ...refusal }) => ({
      ...refusal,
      body: { batch: [refusal.body] },
      ...(field && { loc: ['batch', 0, field] }),
    })),
    { code: 'too_many_items', what: 'a long batch', body: { batch: [GIVEN] }, limits: { batch_items: 0 } },
  ]);
  leavesNothingOut('feedbackBatchCreate');
});

const byRef = (field: string) => ({ $expr: { $eq: [{ $getField: field }, { $literal: CALL_REF }] } });

describe('/feedback/query', () => {
  test('takes every field and answers whole records', async () => {
    const everything = await server.post('/feedback/query', { project_id: PROJECT, query: byRef('svc_ref') });
    expect(whole(everything)).toEqual([200, { result: [{ ...GIVEN, created_at: NOW, svc_user_id: 'local' }] }]);
    const request = {
      project_id: PROJECT,
      fields: ['id', 'payload.stars'],
      query: byRef('svc_ref'),
      sort_by: [{ field: 'created_at', direction: 'desc' }],
      limit: 1,
      offset: 0,
    };
    expect(whole(await server.post('/feedback/query', request))).toEqual([
      200,
      { result: [{ id: 'f1', 'payload.stars': '5' }] },
    ]);
    const count = { project_id: PROJECT, fields: ['count(*)'], limit: 0 };
    expect(whole(await server.post('/feedback/query', count))).toEqual([200, { result: [{ 'count(*)': 1 }] }]);
  });

  const query = (fields: object) => ({ project_id: PROJECT, ...fields });
  refuses('feedbackQuery', [
    { code: 'validation_error', what: 'an unknown key', body: query({ filter: {} }) },
    { code: 'invalid_project_id', what: 'no project', body: { project_id: 'x' } },
    { code: 'invalid_request', what: 'a negative offset', body: query({ offset: -1 }) },
    { code: 'invalid_field', what: 'an unknown field', body: query({ fields: ['nothing'] }) },
    { code: 'invalid_field', what: 'an unknown field in the query', body: query({ query: byRef('nothing') }) },
    {
      code: 'too_many_items',
      what: 'many items of $in',
      body: query({ query: { $expr: { $in: [{ $getField: 'id' }, [{ $literal: 'a' }]] } } }),
      limits: { in_items: 0 },
    },
    { code: 'query_timeout', what: 'a slow read', body: query({}), slow: 'feedback' },
  ]);
  leavesNothingOut('feedbackQuery');
});

describe('/feedback/replace', () => {
  test('stores every field in the place of another', async () => {
    const request = { ...GIVEN, id: 'f2', payload: { note: 'better' }, feedback_id: 'f1', svc_user_id: 'local' };
    expect(whole(await server.post('/feedback/replace', request))).toEqual([
      200,
      {
        id: 'f2',
        created_at: NOW,
        svc_user_id: 'local',
        payload: { note: 'better' },
      },
    ]);
    const left = await server.post('/feedback/query', { project_id: PROJECT });
    const record = { ...GIVEN, id: 'f2', payload: { note: 'better' }, created_at: NOW, svc_user_id: 'local' };
    expect(left.body).toEqual({ result: [record] });
  });

  refuses('feedbackReplace', [
    { code: 'validation_error', what: 'nothing to replace', body: GIVEN },
    { code: 'invalid_id', what: 'a bad id to replace', body: { ...GIVEN, feedback_id: '' } },
    ...WRITE_REFUSALS.map((refusal) => ({ ...refusal, body: { ...(refusal.body as object), feedback_id: 'f1' } })),
  ]);
  leavesNothingOut('feedbackReplace');
});

describe('/feedback/purge', () => {
  const purge = (...given: unknown[]) => ({
    project_id: PROJECT,
    query: { $expr: { $in: [{ $getField: 'id' }, given.map((id) => ({ $literal: id }))] } },
  });

  test('removes records', async () => {
    expect(whole(await server.post('/feedback/purge', purge('f2', 'unknown')))).toEqual([200, {}]);
    expect((await server.post('/feedback/query', { project_id: PROJECT })).body).toEqual({ result: [] });
  });

  refuses('feedbackPurge', [
    { code: 'validation_error', what: 'no query', body: { project_id: PROJECT } },
    { code: 'invalid_project_id', what: 'no project', body: { ...purge(), project_id: 'x' } },
    { code: 'invalid_request', what: 'another field', body: { project_id: PROJECT, query: byRef('svc_ref') } },
    { code: 'too_many_items', what: 'many ids', body: purge('a'), limits: { in_items: 0 } },
  ]);
  leavesNothingOut('feedbackPurge');
});
