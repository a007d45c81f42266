import { describe, expect, test } from 'vitest';
import { toObjectId } from '../../../src/protocol/values/id.ts';
import { onEveryEngine, refusal, type Service, STARTED, UUID } from './service.ts';

const DIGEST = '08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM';

onEveryEngine((service) => {
  describe('3.1 date-times', () => {
    test.each([
      ['2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z'],
      ['2026-01-01T12:00:00z', '2026-01-01T12:00:00Z'],
      ['2026-01-01T12:00:00', '2026-01-01T12:00:00Z'],
      ['2026-01-01T12:00:00.000Z', '2026-01-01T12:00:00Z'],
      ['2026-01-01T12:00:00.5Z', '2026-01-01T12:00:00.500000Z'],
      ['2026-01-01T12:00:00.000001Z', '2026-01-01T12:00:00.000001Z'],
      ['2026-01-01T12:00:00.1234569Z', '2026-01-01T12:00:00.123456Z'],
      ['2026-01-01T12:00:00.123456789+05:30', '2026-01-01T06:30:00.123456Z'],
      ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00Z'],
      ['2024-02-29T00:00:00-00:00', '2024-02-29T00:00:00Z'],
    ])('%s is read back as %s', async (started_at, stored) => {
      await service.start({ started_at });
      expect(await service.read()).toMatchObject({ started_at: stored });
    });

    test.each([
      '2026-01-01',
      '2026-02-29T00:00:00Z',
      '2026-01-01T24:00:00Z',
      '2026-01-01T12:00Z',
      'yesterday',
      '',
      ' 2026-01-01T12:00:00Z',
      1_767_225_600,
      true,
      {},
    ])('%j is no date-time', async (started_at) => {
      expect(refusal(await service.start({ started_at }))).toBe('422 validation_error');
      await service.start();
      expect(refusal(await service.end({ ended_at: started_at }))).toBe('422 validation_error');
    });

    test('a query may write a time as a number', async () => {
      await service.start();
      const expression = { $eq: [{ $getField: 'started_at' }, { $literal: Date.parse(STARTED) / 1000 }] };
      expect(await service.ids({ query: { $expr: expression } })).toEqual(['c1']);
    });
  });

  describe('3.2 project_id', () => {
    test.each(['a/b', `${'x'.repeat(128)}/${'😀'.repeat(128)}`, 'ä ö/ü é', '../..', 'a/..', "'/--", '<b>/&amp;'])(
      '%j names a project',
      async (project_id) => {
        expect(refusal(await service.start({ project_id }))).toBe('200');
        const { body } = await service.post('/call/read', { project_id, id: 'c1' });
        expect(body).toMatchObject({ call: { id: 'c1', project_id } });
      },
    );

    test.each([
      '',
      'a',
      '/',
      'a/',
      '/b',
      'a/b/c',
      'a/b/',
      `${'x'.repeat(129)}/b`,
      `a/${'x'.repeat(129)}`,
      ' a/b',
      'a /b',
      'a/ b',
      'a/b ',
      ...[':', '%', '?', '#', '\\', '\0', '\n', '\u007f', '\u0085'].flatMap((char) => [`a${char}a/b`, `a/b${char}b`]),
    ])('%j names none', async (project_id) => {
      for (const answer of await everyKindOfRequest(service, project_id)) {
        expect(refusal(answer)).toBe('400 invalid_project_id');
      }
    });

    test('a project that was never written is empty, and what has a name is not found there', async () => {
      const { project: project_id } = service;
      const ask = async (path: string, fields: object = {}) =>
        (await service.post(path, { project_id, ...fields })).body;
      expect(await ask('/call/read', { id: 'c1' })).toEqual({ call: null });
      expect((await service.post('/calls/stream_query', { project_id })).text).toBe('');
      expect((await service.post('/threads/stream_query', { project_id })).text).toBe('');
      expect(await ask('/calls/query_stats')).toEqual({ count: 0, total_storage_size_bytes: null });
      expect(await ask('/objs/query')).toEqual({ objs: [] });
      expect(await ask('/cost/query')).toEqual({ results: [] });
      expect(await ask('/feedback/query')).toEqual({ result: [] });
      expect(await ask('/files/query_stats')).toEqual({ total_size_bytes: 0 });
      expect(await ask('/table/query', { digest: 'x' })).toEqual({ rows: [] });
      expect(await ask('/table/query_stats', { digest: 'x' })).toEqual({ count: 0 });
      expect(await ask('/table/query_stats_batch', { digests: ['x'] })).toEqual({ tables: [] });
      const missing = [
        await service.post('/obj/read', { project_id, object_id: 'o', digest: 'latest' }),
        await service.post('/obj/delete', { project_id, object_id: 'o' }),
        await service.post('/file/content', { project_id, digest: 'x' }),
        await service.post('/table/update', { project_id, base_digest: 'x', updates: [] }),
        await service.post('/refs/read_batch', { refs: [`svc:///${project_id}/object/o:${DIGEST}`] }),
      ];
      expect(missing.map(refusal)).toEqual(missing.map(() => '404 not_found'));
    });
  });

  describe('3.3 ids', () => {
    const longest = `${'Az09._~:@-'.repeat(12)}12345678`;

    test('every allowed character, up to 128 of them, makes an id', async () => {
      expect(longest).toHaveLength(128);
      const fields = { id: longest, trace_id: longest, parent_id: longest, turn_id: longest };
      expect((await service.start(fields)).body).toEqual({ id: longest, trace_id: longest });
      expect(await service.read(longest)).toMatchObject(fields);
    });

    test.each(['', 'a/b', 'a b', 'ä', 'a\0', 'a\n', `${longest}x`, 'a%2Fb', '😀'])('%j is no id', async (id) => {
      const { project: project_id } = service;
      const feedback = { project_id, svc_ref: `svc:///${project_id}/call/c1`, feedback_type: 'x', payload: {} };
      const answers = [
        await service.start({ id }),
        await service.start({ trace_id: id }),
        await service.start({ parent_id: id }),
        await service.end({ id }),
        await service.post('/call/update', { project_id, call_id: id, display_name: 'x' }),
        await service.post('/call/read', { project_id, id }),
        await service.post('/calls/delete', { project_id, call_ids: [id] }),
        await service.post('/feedback/create', { ...feedback, id }),
      ];
      expect(answers.map(refusal)).toEqual(answers.map(() => '400 invalid_id'));
    });

    test('ids that are left out are made as UUIDv7', async () => {
      const { project: project_id } = service;
      const { id, trace_id } = (await service.start({ id: null, trace_id: null })).body as Record<string, string>;
      expect([id, trace_id]).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
      const svc_ref = `svc:///${project_id}/call/c1`;
      const feedback = await service.post('/feedback/create', { project_id, svc_ref, feedback_type: 'x', payload: {} });
      expect((feedback.body as { id: string }).id).toMatch(UUID);
      const costs = { m: { prompt_token_cost: 1, completion_token_cost: 1 } };
      const cost = await service.post('/cost/create', { project_id, costs });
      expect((cost.body as { ids: string[][] }).ids[0]?.[0]).toMatch(UUID);
    });

    test('an id belongs to its project', async () => {
      await service.start({ inputs: { mine: 1 } });
      const other = `${service.project}-other`;
      await service.start({ project_id: other, inputs: { mine: 2 } });
      await service.post('/calls/delete', { project_id: other, call_ids: ['c1'] });
      expect(await service.read()).toMatchObject({ inputs: { mine: 1 } });
    });

    test('a thread and a turn may have any name of up to 1,024 characters, and an empty one is none', async () => {
      const names = ['a', 'a/b c: ü', 'a\0b', '\0', 'a\r\nb', '\u007f\u009f', ' ', '😀'.repeat(1024)];
      for (const [index, name] of names.entries()) {
        await service.start({ id: `c${index}`, thread_id: name, turn_id: name });
        expect(await service.read(`c${index}`)).toMatchObject({ thread_id: name, turn_id: name });
        expect(await service.ids({ filter: { thread_ids: [name], turn_ids: [name] } })).toEqual([`c${index}`]);
      }
      await service.start({ id: 'none', thread_id: '', turn_id: '' });
      expect(await service.read('none')).toMatchObject({ thread_id: null, turn_id: null });
      const tooLong = '😀'.repeat(1025);
      expect(refusal(await service.start({ thread_id: tooLong }))).toBe('400 invalid_id');
      expect(refusal(await service.start({ turn_id: tooLong }))).toBe('400 invalid_id');
    });

    test('an op may be named by a reference to an object that is an op', async () => {
      const { project: project_id } = service;
      const publish = async (object_id: string, val: object) => {
        const { body } = await service.post('/obj/create', { obj: { project_id, object_id, val } });
        return `${object_id}:${(body as { digest: string }).digest}`;
      };
      const op = await publish('predict', { _type: 'CustomType', svc_type: { type: 'Op' }, files: {} });
      const model = await publish('model', { a: 1 });
      const refOf = (kind: string, target: string) => `svc:///${project_id}/${kind}/${target}`;
      await service.start({ op_name: refOf('object', op) });
      expect(await service.read('c1')).toMatchObject({ op_name: refOf('op', op) });
      expect(await service.ids({ filter: { op_names: [refOf('op', op)] } })).toEqual(['c1']);
      const refused = [model, 'nothing:abc', `predict:*`, `${op}/key/a`, `${model}/attr/a`];
      for (const target of refused) {
        expect([target, refusal(await service.start({ op_name: refOf('object', target) }))]).toEqual([
          target,
          '400 invalid_ref',
        ]);
      }
    });
  });

  describe('3.4 object names', () => {
    const create = async (object_id: string) =>
      refusal(await service.post('/obj/create', { obj: { project_id: service.project, object_id, val: 1 } }));

    test.each(['a', 'A-z_0.9', 'ünï', '名前', '٣', '-', '..', '𝒳'.repeat(128)])('%s is a name', async (name) => {
      expect(await create(name)).toBe('200');
    });

    test.each(['', 'a b', 'a/b', 'a:b', '😀', 'a\0', 'a\n', 'a%', 'x'.repeat(129)])('%j is none', async (object_id) => {
      const { project: project_id } = service;
      expect(await create(object_id)).toBe('400 invalid_object_id');
      const read = await service.post('/obj/read', { project_id, object_id, digest: 'latest' });
      const deleted = await service.post('/obj/delete', { project_id, object_id });
      expect([refusal(read), refusal(deleted)]).toEqual(['400 invalid_object_id', '400 invalid_object_id']);
    });
  });

  describe('3.5 references', () => {
    const publish = async (val: unknown, object_id = 'o', project_id = service.project) => {
      const { body } = await service.post('/obj/create', { obj: { project_id, object_id, val } });
      return (body as { digest: string }).digest;
    };
    const valueOf = async (ref: string) => {
      const answer = await service.post('/refs/read_batch', { refs: [ref] });
      return answer.status === 200 ? (answer.body as { vals: unknown[] }).vals[0] : refusal(answer);
    };

    test('every shape of the grammar names its thing', async () => {
      const { project } = service;
      const value = await publish({ list: [{ 'a/b ü': 'deep' }], attribute: 1 });
      const op = await publish({ _type: 'CustomType', svc_type: { type: 'Op' }, files: {} }, 'f');
      const rows = [{ q: 'a' }];
      const table = await service.post('/table/create', { table: { project_id: project, rows } });
      const { digest, row_digests } = table.body as { digest: string; row_digests: string[] };
      await service.start();
      const object = `svc:///${project}/object/o:${value}`;
      expect(await valueOf(object)).toMatchObject({ attribute: 1 });
      expect(await valueOf(`${object}/`)).toMatchObject({ attribute: 1 });
      expect(await valueOf(`${object}/key/list/index/0/key/a%2Fb%20%C3%BC`)).toBe('deep');
      expect(await valueOf(`${object}/key/list/index/0/attr/a%2Fb ü`)).toBe('deep');
      expect(await valueOf(`${object}/attr/attribute`)).toBe(1);
      expect(await valueOf(`svc:///${project}/op/f:${op}/key/files`)).toEqual({});
      expect(await valueOf(`svc:///${project}/call/c1`)).toMatchObject({ id: 'c1' });
      expect(await valueOf(`svc:///${project}/table/${digest}/id/${row_digests[0]}`)).toEqual({ q: 'a' });
      expect(await valueOf(`svc:///${project}/table/${digest}/id/${row_digests[0]}/key/q`)).toBe('400 invalid_ref');
    });

    test('entity and project may be percent-encoded or as they are', async () => {
      const project = `é ${service.project}`;
      const digest = await publish('here', 'o', project);
      expect(await valueOf(`svc:///${project}/object/o:${digest}`)).toBe('here');
      expect(
        await valueOf(`svc:///${project.replaceAll('é', '%C3%A9').replaceAll(' ', '%20')}/object/o:${digest}`),
      ).toBe('here');
    });

    test.each([
      'svc:///',
      'svc:///a/b',
      'svc:///a/b/object',
      'svc:///a/b/object/o',
      'svc:///a/b/object/o:',
      'svc:///a/b/object/:x',
      'svc:///a/b/object/o o:x',
      'svc:///a/b/object/o:x:y',
      'svc:///a/b/thing/o:x',
      'svc:///a/b/call/',
      'svc:///a/b/call/a b',
      'svc:///a/b/object/o:x/key',
      'svc:///a/b/object/o:x/key/a/index',
      'svc:///a/b/object/o:x/edge/a',
      'svc:///a/b/object/o:x/index/one',
      'svc:///a/b/object/o:x/key/%zz',
      'svc:///a:b/c/object/o:x',
      'SVC:///a/b/object/o:x',
      'o:x',
      '',
    ])('%j does not parse', async (ref) => {
      expect(await valueOf(ref)).toBe('400 invalid_ref');
    });

    test('text that only begins like a reference stays text', async () => {
      const inputs = { text: 'svc:///x', list: ['svc:///a/b/thing/x'] };
      expect(refusal(await service.start({ inputs }))).toBe('200');
      expect(await service.read()).toMatchObject({ inputs });
      expect(await service.ids({ filter: { input_refs: ['svc:///x'] } })).toEqual([]);
    });

    test('a reference to another project may be stored and read, but not walked into', async () => {
      const other = `${service.project}-other`;
      const digest = await publish({ x: 1 }, 'o', other);
      const foreign = `svc:///${other}/object/o:${digest}`;
      const holder = `svc:///${service.project}/object/holder:${await publish({ foreign }, 'holder')}`;
      expect(await valueOf(foreign)).toEqual({ x: 1 });
      expect(await valueOf(`${holder}/key/foreign`)).toBe(foreign);
      expect(await valueOf(`${holder}/key/foreign/key/x`)).toBeNull();
    });

    test('references at any depth of inputs and output are collected', async () => {
      const ref = (name: string) => `svc:///${service.project}/object/${name}:${DIGEST}`;
      await service.start({
        inputs: { a: [{ b: ref('in') }], text: `see ${ref('no')}` },
        attributes: { a: ref('no') },
      });
      await service.end({ output: [[{ o: `${ref('out')}/key/x` }]], summary: { s: ref('no') } });
      expect(await service.ids({ filter: { input_refs: [ref('in')] } })).toEqual(['c1']);
      expect(await service.ids({ filter: { output_refs: [`${ref('out')}/key/x`] } })).toEqual(['c1']);
      expect(await service.ids({ filter: { output_refs: [`svc:///${service.project}/object/out:*`] } })).toEqual([
        'c1',
      ]);
      expect(await service.ids({ filter: { input_refs: [ref('out'), ref('no')] } })).toEqual([]);
      expect(await service.ids({ filter: { output_refs: [ref('in'), ref('no')] } })).toEqual([]);
    });
  });
});

test.each([
  ['my op!', 'my-op'],
  ['a  b', 'a-b'],
  ['a..b__c.-d', 'a-b-c-d'],
  ['--_a.b_--', 'a.b'],
  ['ünï 😀 x', 'ünï-x'],
  ['x'.repeat(200), 'x'.repeat(128)],
  ['!!!', ''],
])('a client makes the name %j to %j', (text, name) => {
  expect(toObjectId(text)).toBe(name);
});

/** Requests of each resource, none of which gets beyond the name of its project. */
async function everyKindOfRequest(service: Service, project_id: string) {
  const query = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'x' }] } };
  return await Promise.all([
    service.start({ project_id }),
    service.end({ project_id }),
    service.post('/call/read', { project_id, id: 'c1' }),
    service.post('/call/update', { project_id, call_id: 'c1', display_name: 'x' }),
    service.post('/calls/delete', { project_id, call_ids: [] }),
    service.post('/calls/stream_query', { project_id }),
    service.post('/calls/query_stats', { project_id }),
    service.post('/threads/stream_query', { project_id }),
    service.post('/cost/create', { project_id, costs: {} }),
    service.post('/cost/query', { project_id }),
    service.post('/cost/purge', { project_id, query }),
    service.post('/feedback/query', { project_id }),
    service.post('/feedback/purge', { project_id, query }),
    service.post('/file/create', { project_id, name: 'x', content: '' }),
    service.post('/file/content', { project_id, digest: 'x' }),
    service.post('/files/query_stats', { project_id }),
    service.post('/obj/create', { obj: { project_id, object_id: 'o', val: 1 } }),
    service.post('/obj/read', { project_id, object_id: 'o', digest: 'latest' }),
    service.post('/objs/query', { project_id }),
    service.post('/obj/delete', { project_id, object_id: 'o' }),
    service.post('/table/create', { table: { project_id, rows: [] } }),
    service.post('/table/update', { project_id, base_digest: 'x', updates: [] }),
    service.post('/table/query', { project_id, digest: 'x' }),
    service.post('/table/query_stats', { project_id, digest: 'x' }),
    service.post('/table/query_stats_batch', { project_id, digests: [] }),
  ]);
}
