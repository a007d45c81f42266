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
});
