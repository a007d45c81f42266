import { beforeAll, describe, expect, test } from 'vitest';
import { ENDED, onEveryEngine, refusal, STARTED } from './service.ts';

onEveryEngine((service) => {
  const project_id = 'acme/sorted';
  const later = (seconds: number) => `2026-01-01T00:00:0${seconds}Z`;

  /** Ids in the order of the fields given as `path` or `-path`, the latter descending. */
  const order = async (...fields: string[]) => {
    const sort_by = fields.map((path) => ({
      field: path.replace(/^-/, ''),
      direction: path.startsWith('-') ? 'desc' : 'asc',
    }));
    return (await service.ids({ project_id, sort_by })).join('');
  };

  beforeAll(async () => {
    const start = (id: string, fields: object) => ({
      mode: 'start',
      req: { start: { project_id, id, op_name: 'f', trace_id: 't', started_at: STARTED, ...fields } },
    });
    const end = (id: string, fields: object) => ({
      mode: 'end',
      req: { end: { project_id, id, ended_at: ENDED, ...fields } },
    });
    await service.write([
      start('a', { started_at: later(2), inputs: { v: 10, w: 1 }, svc_run_step: 2, op_name: 'z' }),
      start('b', { started_at: later(1), inputs: { v: '9', w: 1 }, svc_run_step: 10, display_name: '\u{1f600}' }),
      start('c', { started_at: later(1), inputs: { v: 'text', w: 2 }, display_name: '\uff5e' }),
      start('d', { started_at: later(0), inputs: { v: null, w: 2 }, thread_id: 'x' }),
      start('e', { started_at: later(3), inputs: { v: [1], w: '3' } }),
      start('f', { started_at: later(3), inputs: { v: true } }),
      end('a', { ended_at: later(3), output: 'b' }),
      end('b', { ended_at: later(5), output: 'a', exception: 'E' }),
    ]);
  });

  describe('7.6 sorting', () => {
    test.each<readonly [name: string, fields: string[], ids: string]>([
      ['without fields the oldest comes first, then the smallest id', [], 'dbcaef'],
      ['a time', ['-started_at'], 'feacbd'],
      ['equal values go by id, in the direction of the last field', ['started_at'], 'dbcaef'],
      ['a text column', ['op_name'], 'bcdefa'],
      ['descending, and with it the id', ['-op_name'], 'afedcb'],
      ['the id in its own direction', ['-started_at', 'id'], 'efabcd'],
      ['NULL of a column comes last', ['thread_id'], 'dabcef'],
      ['in both directions', ['-thread_id'], 'dfecba'],
      ['texts go by code point', ['display_name'], 'cbadef'],
      ['an integer column', ['svc_run_step'], 'abcdef'],
      ['an integer column, descending', ['-svc_run_step'], 'bafedc'],
      ['a computed number', ['summary.svc.latency_ms'], 'abcdef'],
      ['a computed number, descending', ['-summary.svc.latency_ms'], 'bafedc'],
      ['a computed text', ['summary.svc.status', 'id'], 'bcdefa'],
      ['the time of the end', ['-ended_at'], 'bafedc'],
      ['values that are numbers or like numbers, then texts, then nothing', ['inputs.v'], 'baecfd'],
      ['each part in its direction, nothing still last', ['-inputs.v'], 'abfced'],
      ['several fields', ['inputs.w', '-inputs.v'], 'abcdef'],
      ['several directions', ['-inputs.w', 'inputs.v'], 'ecdbaf'],
      ['the whole of an output', ['output'], 'bacdef'],
      ['a path nobody has', ['inputs.none'], 'abcdef'],
    ])('%s', async (_name, fields, ids) => {
      expect(await order(...fields)).toBe(ids);
    });

    test('null and an empty list are the order of those who name none', async () => {
      for (const sort_by of [null, [], undefined]) {
        expect((await service.ids({ project_id, sort_by })).join('')).toBe('dbcaef');
      }
    });

    test.each<readonly [name: string, sort_by: unknown, error: string]>([
      ['another direction', [{ field: 'id', direction: 'ASC' }], '422 validation_error'],
      ['no direction', [{ field: 'id' }], '422 validation_error'],
      ['no field', [{ direction: 'asc' }], '422 validation_error'],
      ['an unknown key', [{ field: 'id', direction: 'asc', nulls: 'first' }], '422 validation_error'],
      ['an unknown field', [{ field: 'nope', direction: 'asc' }], '422 invalid_field'],
      ['sizes', [{ field: 'storage_size_bytes', direction: 'asc' }], '422 invalid_field'],
      ['10 fields', Array.from({ length: 10 }, () => ({ field: 'id', direction: 'asc' })), '200'],
      ['11 fields', Array.from({ length: 11 }, () => ({ field: 'id', direction: 'asc' })), '400 too_many_items'],
    ])('%s', async (_name, sort_by, error) => {
      expect(refusal(await service.post('/calls/stream_query', { project_id, sort_by }))).toBe(error);
    });
  });

  describe('7.7 columns', () => {
    const only = async (columns: unknown, more: object = {}) =>
      (await service.query({ project_id, filter: { call_ids: ['a'] }, columns, ...more }))[0];
    const EMPTY = {
      id: 'a',
      project_id,
      op_name: 'z',
      display_name: null,
      trace_id: 't',
      parent_id: null,
      thread_id: null,
      turn_id: null,
      started_at: later(2),
      attributes: {},
      inputs: {},
      ended_at: null,
      exception: null,
      output: null,
      summary: null,
      svc_user_id: null,
      svc_run_id: null,
      svc_run_step: null,
      deleted_at: null,
      storage_size_bytes: null,
      total_storage_size_bytes: null,
    };
    const summary = { svc: { status: 'success', trace_name: 'z', latency_ms: 1000 } };

    test.each<readonly [columns: string[], shown: object]>([
      [['id'], {}],
      [['inputs'], { inputs: { v: 10, w: 1 } }],
      [['inputs.v'], { inputs: { v: 10, w: 1 } }],
      [['inputs.none.at.all'], { inputs: { v: 10, w: 1 } }],
      [['output', 'svc_run_step'], { output: 'b', svc_run_step: 2 }],
      [['summary'], { summary }],
      [['summary.svc.status'], { summary }],
      [['ended_at'], { ended_at: later(3) }],
      [['svc_user_id'], { svc_user_id: 'user-1' }],
      [['started_at', 'started_at'], {}],
    ])('%j', async (columns, shown) => {
      expect(await only(columns)).toEqual({ ...EMPTY, ...shown });
    });

    test('null and an empty list are all', async () => {
      const all = {
        ...EMPTY,
        inputs: { v: 10, w: 1 },
        ended_at: later(3),
        output: 'b',
        summary,
        svc_user_id: 'user-1',
        svc_run_step: 2,
      };
      for (const columns of [null, [], undefined]) expect(await only(columns)).toEqual(all);
    });

    test('costs and feedback bring the summary', async () => {
      expect(await only(['id'], { include_costs: true })).toEqual({ ...EMPTY, summary });
      expect(await only(['id'], { include_feedback: true })).toEqual({
        ...EMPTY,
        summary: { svc: { ...summary.svc, feedback: [] } },
      });
    });

    test.each<readonly [columns: unknown, error: string]>([
      [['nope'], '422 invalid_field'],
      [['id.x'], '422 invalid_field'],
      [[''], '422 invalid_field'],
      [[1], '422 validation_error'],
      ['id', '422 validation_error'],
      [Array.from({ length: 201 }, () => 'id'), '400 too_many_items'],
    ])('columns %j are refused', async (columns, error) => {
      expect(refusal(await service.post('/calls/stream_query', { project_id, columns }))).toBe(error);
    });
  });

  describe('7.3 and 7.6: feedback on calls', () => {
    const path = (type: string, rest = 'payload.n') => `feedback.[${type}].${rest}`;
    const compare = (operator: string, name: string, value: unknown) => ({
      $expr: { [operator]: [{ $getField: name }, { $literal: value }] },
    });
    const give = async (id: string, feedback_type: string, n: unknown, more: object = {}) => {
      const request = { project_id: service.project, svc_ref: `svc:///${service.project}/call/${id}` };
      const answer = await service.post('/feedback/create', { ...request, feedback_type, payload: { n }, ...more });
      expect(answer.status).toBe(200);
    };
    const prepare = async () => {
      for (const id of ['a', 'b', 'c']) await service.start({ id });
      await give('a', 'mine', 5);
      await give('a', 'mine', 1);
      await give('b', 'mine', 3);
      await give('b', 'other', 9);
    };

    test('a comparison is TRUE when it is for any feedback of the type, NULL where there is none', async () => {
      await prepare();
      expect(await service.ids({ query: compare('$gt', path('mine'), 4) })).toEqual(['a']);
      expect(await service.ids({ query: compare('$lt', path('mine'), 4) })).toEqual(['a', 'b']);
      expect(await service.ids({ query: compare('$eq', path('*'), 9) })).toEqual(['b']);
      expect(await service.ids({ query: { $expr: { $not: [compare('$eq', path('mine'), 7).$expr] } } })).toEqual([
        'a',
        'b',
      ]);
      expect(await service.ids({ query: compare('$eq', path('other'), 3) })).toEqual([]);
    });

    test('references of feedback are compared too', async () => {
      await prepare();
      const runnable_ref = `svc:///${service.project}/object/r:v1`;
      const trigger_ref = `svc:///${service.project}/object/t:v1`;
      await give('c', 'third', 1, { runnable_ref, trigger_ref });
      expect(await service.ids({ query: compare('$eq', path('third', 'runnable_ref'), runnable_ref) })).toEqual(['c']);
      expect(await service.ids({ query: compare('$eq', path('*', 'trigger_ref'), trigger_ref) })).toEqual(['c']);
    });

    test('the most recent feedback decides the order', async () => {
      await prepare();
      const inOrder = async (direction: string) => await service.ids({ sort_by: [{ field: path('mine'), direction }] });
      expect([await inOrder('asc'), await inOrder('desc')]).toEqual([
        ['a', 'b', 'c'],
        ['b', 'a', 'c'],
      ]);
    });
  });

  describe('7.7 expand_columns', () => {
    const publish = async (object_id: string, val: unknown, project = service.project) => {
      const { body } = await service.post('/obj/create', { obj: { project_id: project, object_id, val } });
      return `svc:///${project}/object/${object_id}:${(body as { digest: string }).digest}`;
    };
    const inputsOf = async (request: object) => (await service.query(request)).map(({ inputs }) => inputs);

    test('a reference to an object gives way to its value, with the reference beside it', async () => {
      const text = await publish('text', 'plain');
      const model = await publish('model', { temperature: 1, text, own: { _ref: 'mine' } });
      await service.start({ inputs: { model, other: 'x' } });
      const expand_columns = ['inputs.model'];
      expect(await inputsOf({ expand_columns })).toEqual([
        { model: { temperature: 1, text, own: { _ref: 'mine' }, _ref: model }, other: 'x' },
      ]);
      expect(await inputsOf({ expand_columns: ['inputs.model.text', 'inputs.model'] })).toEqual([
        { model: { temperature: 1, text: 'plain', own: { _ref: 'mine' }, _ref: model }, other: 'x' },
      ]);
    });

    test('what cannot be resolved, was deleted or lies elsewhere stays a text', async () => {
      const gone = await publish('gone', { x: 1 });
      await service.post('/obj/delete', { project_id: service.project, object_id: 'gone' });
      const foreign = await publish('foreign', { x: 1 }, `${service.project}-other`);
      const unknown = `svc:///${service.project}/object/unknown:abc`;
      await service.start({ inputs: { gone, foreign, unknown } });
      const expand_columns = ['inputs.gone', 'inputs.foreign', 'inputs.unknown', 'inputs.none'];
      expect(await inputsOf({ expand_columns })).toEqual([{ gone, foreign, unknown }]);
    });

    test('queries and sorts look through an expanded path, whether its value is shown or not', async () => {
      const cold = await publish('cold', { temperature: 0 });
      const hot = await publish('hot', { temperature: 1 });
      await service.start({ id: 'hot', inputs: { model: hot } });
      await service.start({ id: 'cold', inputs: { model: cold } });
      const expand_columns = ['inputs.model'];
      const query = { $expr: { $gt: [{ $getField: 'inputs.model.temperature' }, { $literal: 0.5 }] } };
      const sort_by = [{ field: 'inputs.model.temperature', direction: 'asc' }];
      expect(await service.ids({ query })).toEqual([]);
      expect(await service.ids({ query, expand_columns })).toEqual(['hot']);
      expect(await service.ids({ sort_by, expand_columns })).toEqual(['cold', 'hot']);
      expect(await inputsOf({ query, expand_columns, return_expanded_column_values: false })).toEqual([{ model: hot }]);
      const { body } = await service.post('/calls/query_stats', { project_id: service.project, query, expand_columns });
      expect(body).toMatchObject({ count: 1 });
    });

    test('100 paths are taken, more are not', async () => {
      const ask = async (count: number) => {
        const expand_columns = Array.from({ length: count }, (_, index) => `inputs.p${index}`);
        return refusal(await service.post('/calls/stream_query', { project_id: service.project, expand_columns }));
      };
      expect([await ask(100), await ask(101)]).toEqual(['200', '400 too_many_items']);
    });
  });
});
