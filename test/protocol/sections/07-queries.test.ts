import { beforeAll, describe, expect, test } from 'vitest';
import { contains, containsToken, convert, eq, field, gt, gte, literal, lt, lte, not } from './expressions.ts';
import { ENDED, onEveryEngine, refusal, STARTED } from './service.ts';

/** One call for every kind of value of `inputs.v`, named after the value and with the class of its number kept. */
const VALUES: Readonly<Record<string, string>> = {
  zero: '0',
  one: '1',
  float: '1.0',
  half: '2.5',
  minus: '-2.5',
  huge: '12345678901234567890',
  true: 'true',
  false: 'false',
  textOne: '"1"',
  textHalf: '"2.5"',
  textPlus: '"+7"',
  textExp: '"1e1"',
  textTrue: '"true"',
  textUpper: '"TRUE"',
  textFalse: '"false"',
  textX: '"x"',
  empty: '""',
  list: '[1, "x"]',
  object: '{"b":1,"a":[2]}',
  null: 'null',
};

const V = field('inputs.v');

onEveryEngine((service) => {
  const project_id = 'acme/values';
  const shared = 'acme/shared';

  /** Ids of a project that an expression keeps, in the order of the ids. */
  const kept = async (expression: unknown, project = project_id) =>
    await service.ids({ project_id: project, query: { $expr: expression } });
  const all = [...Object.keys(VALUES), 'missing'].toSorted();
  const sorted = (...ids: string[]) => ids.toSorted();

  beforeAll(async () => {
    const item = (id: string, inputs: string) =>
      `{"mode":"start","req":{"start":{"project_id":"${project_id}","id":"${id}","op_name":"f","trace_id":"t","started_at":"${STARTED}","inputs":${inputs}}}}`;
    const items = [...Object.entries(VALUES).map(([id, v]) => item(id, `{"v":${v}}`)), item('missing', '{}')];
    await service.write(`{"batch":[${items.join()}]}`);
    await writeShared();
  });

  describe('7.1 the filter', () => {
    const ref = (name: string, version = 'abc') => `svc:///${shared}/object/${name}:${version}`;
    const op = (version: string) => `svc:///${shared}/op/predict:${version}`;

    test.each<readonly [name: string, filter: object, ids: string]>([
      ['null is no constraint', { op_names: null, call_ids: null, trace_roots_only: null }, 'abcd'],
      ['an empty list is no constraint', { op_names: [], call_ids: [], input_refs: [], thread_ids: [] }, 'abcd'],
      ['an op name', { op_names: ['f'] }, 'c'],
      ['op names are alternatives', { op_names: ['f', op('v1')] }, 'ac'],
      ['every version of an op', { op_names: [`svc:///${shared}/op/predict:*`] }, 'ab'],
      ['a star elsewhere is a star', { op_names: ['*', 'f*', 'svc:*/'] }, ''],
      ['input references', { input_refs: [ref('m')] }, 'a'],
      ['input references of every version', { input_refs: [ref('m', '*')] }, 'ab'],
      ['output references', { output_refs: [ref('o')] }, 'a'],
      ['output references of every version', { output_refs: [ref('o', '*')] }, 'ab'],
      ['an output is no input', { input_refs: [ref('o', '*')] }, ''],
      ['parents', { parent_ids: ['a', 'none'] }, 'bd'],
      ['traces', { trace_ids: ['t2'] }, 'c'],
      ['ids', { call_ids: ['a', 'd', 'none'] }, 'ad'],
      ['threads', { thread_ids: ['th'] }, 'a'],
      ['turns', { turn_ids: ['a'] }, 'a'],
      ['users', { svc_user_ids: ['user-1'] }, 'abcd'],
      ['users of others', { svc_user_ids: ['other'] }, ''],
      ['runs by their whole name', { svc_run_ids: [`${shared}/r1`] }, 'a'],
      ['runs by their short name', { svc_run_ids: ['r1'] }, 'a'],
      ['a short name as it is stored', { svc_run_ids: ['short'] }, 'b'],
      ['runs of other projects', { svc_run_ids: ['acme/other/r1'] }, ''],
      ['roots', { trace_roots_only: true }, 'ac'],
      ['not only roots', { trace_roots_only: false }, 'abcd'],
      ['keys together', { trace_roots_only: true, trace_ids: ['t1'], op_names: [op('v1'), 'f'] }, 'a'],
      ['keys that contradict', { trace_ids: ['t2'], call_ids: ['a'] }, ''],
    ])('%s', async (_name, filter, ids) => {
      expect((await service.ids({ project_id: shared, filter })).join('')).toBe(ids);
      const { body } = await service.post('/calls/query_stats', { project_id: shared, filter });
      expect(body).toMatchObject({ count: ids.length });
    });

    test.each([
      'op_names',
      'input_refs',
      'output_refs',
      'parent_ids',
      'trace_ids',
      'call_ids',
      'thread_ids',
      'turn_ids',
      'svc_user_ids',
      'svc_run_ids',
    ])('%s takes 1000 entries and no more', async (key) => {
      const ask = async (count: number) => {
        const filter = { [key]: Array.from({ length: count }, (_, index) => `x${index}`) };
        return refusal(await service.post('/calls/stream_query', { project_id: shared, filter }));
      };
      expect([await ask(1000), await ask(1001)]).toEqual(['200', '400 too_many_items']);
    });

    test('an unknown key is refused, unless it says nothing', async () => {
      const ask = async (filter: object) =>
        refusal(await service.post('/calls/stream_query', { project_id: shared, filter }));
      expect(await ask({ nope: ['x'] })).toBe('422 validation_error');
      expect(await ask({ nope: null, neither: false })).toBe('200');
    });
  });

  describe('7.2 the query', () => {
    const TRUE = literal(true);
    const FALSE = literal(false);
    const NULL = gt(literal(null), literal(1));
    const outcome = async (condition: object) => {
      const keeps = async (expression: object) => (await kept(expression)).length > 0;
      if (await keeps(condition)) return 'TRUE';
      return (await keeps(not(condition))) ? 'FALSE' : 'NULL';
    };

    test.each<readonly [name: string, condition: object, result: string]>([
      ['true and true', { $and: [TRUE, TRUE] }, 'TRUE'],
      ['true and false', { $and: [TRUE, FALSE] }, 'FALSE'],
      ['true and null', { $and: [TRUE, NULL] }, 'NULL'],
      ['false and null', { $and: [FALSE, NULL] }, 'FALSE'],
      ['null and null', { $and: [NULL, NULL] }, 'NULL'],
      ['and of one', { $and: [TRUE] }, 'TRUE'],
      ['false or false', { $or: [FALSE, FALSE] }, 'FALSE'],
      ['true or null', { $or: [TRUE, NULL] }, 'TRUE'],
      ['false or null', { $or: [FALSE, NULL] }, 'NULL'],
      ['null or null', { $or: [NULL, NULL] }, 'NULL'],
      ['or of one', { $or: [FALSE] }, 'FALSE'],
      ['not null', not(NULL), 'NULL'],
      ['not true', not(TRUE), 'FALSE'],
      ['a literal number', literal(2), 'TRUE'],
      ['a literal zero', literal(0), 'FALSE'],
      ['a literal text', literal('true'), 'NULL'],
      ['a literal list', literal([1]), 'NULL'],
      ['a literal null', literal(null), 'NULL'],
      ['null = null', eq(literal(null), literal(null)), 'TRUE'],
      ['null = 1', eq(literal(null), literal(1)), 'FALSE'],
      ['in an empty list', { $in: [literal(1), []] }, 'FALSE'],
      ['in a list of null', { $in: [literal(1), [literal(null)]] }, 'FALSE'],
      ['in a list with null', { $in: [literal(1), [literal(null), literal(1)]] }, 'TRUE'],
      ['null in a list', { $in: [NULL, [literal(1)]] }, 'NULL'],
      ['a list with computed items', { $in: [literal(2), [literal(1), convert(literal('2'), 'int')]] }, 'TRUE'],
      ['"" in a text', contains(literal('abc'), ''), 'TRUE'],
      ['"" in NULL', contains(literal(null), ''), 'NULL'],
      ['part of a text', contains(literal('abc'), 'b'), 'TRUE'],
      ['another case', contains(literal('abc'), 'B'), 'FALSE'],
      ['without case', contains(literal('Straße ÉΣ'), 'éς', true), 'TRUE'],
      ['text of a number', contains(literal(1.5), '.5'), 'TRUE'],
      ['a number in a text', contains(literal('a15'), 15), 'TRUE'],
      ['a token', containsToken(literal('one, two-three'), 'two'), 'TRUE'],
      ['part of a token', containsToken(literal('one, two-three'), 'thre'), 'FALSE'],
      ['a token of another case', containsToken(literal('Über uns'), 'über'), 'FALSE'],
      ['a token without case', containsToken(literal('Über uns'), 'ÜBER', true), 'TRUE'],
      ['a token with digits', containsToken(literal('x42_y'), 'x42'), 'TRUE'],
      ['comparisons as operands', eq(gt(literal(2), literal(1)), literal(true)), 'TRUE'],
    ])('%s', async (_name, condition, result) => {
      expect(await outcome(condition)).toBe(result);
    });

    test('an operand is a condition by its truth', async () => {
      expect(await kept(V)).toEqual(sorted('one', 'float', 'half', 'minus', 'huge', 'true'));
      expect(await kept(not(V))).toEqual(sorted('zero', 'false'));
    });

    test.each<readonly [name: string, query: unknown, error: string]>([
      ['no $expr', {}, '422 validation_error'],
      ['a second key', { $expr: TRUE, more: 1 }, '422 validation_error'],
      ['an empty $and', { $expr: { $and: [] } }, '400 invalid_request'],
      ['an empty $or', { $expr: { $or: [] } }, '400 invalid_request'],
      ['$not of two', { $expr: { $not: [TRUE, TRUE] } }, '422 validation_error'],
      ['$not of none', { $expr: { $not: [] } }, '422 validation_error'],
      ['$eq of one', { $expr: { $eq: [TRUE] } }, '422 validation_error'],
      ['$eq of three', { $expr: { $eq: [TRUE, TRUE, TRUE] } }, '422 validation_error'],
      ['$in without a list', { $expr: { $in: [TRUE, TRUE] } }, '422 validation_error'],
      ['$contains without a substr', { $expr: { $contains: { input: TRUE } } }, '422 validation_error'],
      ['$ne', { $expr: { $ne: [TRUE, TRUE] } }, '422 validation_error'],
      ['$nin', { $expr: { $nin: [TRUE, [TRUE]] } }, '422 validation_error'],
      ['a regular expression', { $expr: { $regex: [V, literal('x')] } }, '422 validation_error'],
      ['arithmetic', { $expr: { $add: [literal(1), literal(1)] } }, '422 validation_error'],
      ['an operand of two keys', { $expr: { $literal: 1, $getField: 'id' } }, '422 validation_error'],
      ['an operand without a key', { $expr: {} }, '422 validation_error'],
      ['a bare value', { $expr: 1 }, '422 validation_error'],
      ['a conversion to something else', { $expr: convert(V, 'date') }, '422 validation_error'],
      ['a substr of two tokens', { $expr: containsToken(V, 'one two') }, '400 invalid_request'],
      ['a substr of no token', { $expr: containsToken(V, '') }, '400 invalid_request'],
      ['51 levels', { $expr: nested(51) }, '400 invalid_request'],
      ['50 levels', { $expr: nested(50) }, '200'],
      ['5001 nodes', { $expr: { $or: Array.from({ length: 5000 }, () => TRUE) } }, '400 invalid_request'],
      ['5000 nodes', { $expr: { $or: Array.from({ length: 4999 }, () => TRUE) } }, '200'],
      ['a list of 10,000', { $expr: { $in: [V, Array.from({ length: 10_000 }, (_, i) => literal(i))] } }, '200'],
      [
        'a list of 10,001',
        { $expr: { $in: [V, Array.from({ length: 10_001 }, (_, i) => literal(i))] } },
        '400 too_many_items',
      ],
    ])('%s', async (_name, query, error) => {
      expect(refusal(await service.post('/calls/stream_query', { project_id, query }))).toBe(error);
      expect(refusal(await service.post('/calls/query_stats', { project_id, query }))).toBe(error);
    });
  });

  describe('7.3 field paths', () => {
    test.each<readonly [path: string, value: unknown, ids: string]>([
      ['id', 'a', 'a'],
      ['project_id', 'acme/shared', 'abcd'],
      ['op_name', 'f', 'c'],
      ['display_name', 'shown', 'a'],
      ['trace_id', 't2', 'c'],
      ['parent_id', 'a', 'bd'],
      ['thread_id', 'th', 'a'],
      ['turn_id', 'a', 'a'],
      ['exception', 'E: no', 'b'],
      ['svc_user_id', 'user-1', 'abcd'],
      ['svc_run_id', 'acme/shared/r1', 'a'],
      ['started_at', STARTED, 'abcd'],
      ['ended_at', ENDED, 'ab'],
      ['svc_run_step', 3, 'a'],
      ['svc_run_step_end', 4, 'a'],
      ['inputs', { refs: ['svc:///acme/shared/object/m:other'] }, 'b'],
      ['inputs.refs.0', 'svc:///acme/shared/object/m:abc', 'a'],
      ['inputs.deep.0.1.key', 'found', 'a'],
      [String.raw`inputs.dotted\.key`, 'dot', 'a'],
      ['inputs.object.0', 'zero', 'a'],
      ['inputs.object.00', 'padded', 'a'],
      ['attributes.env', 'prod', 'a'],
      ['attributes', { env: 'prod' }, 'a'],
      ['output', 'svc:///acme/shared/object/o:other', 'b'],
      ['output.0', 'svc:///acme/shared/object/o:abc', 'a'],
      ['summary.usage.m.requests', 2, 'a'],
      ['summary.svc.status', 'error', 'b'],
      ['summary.svc.status', 'success', 'a'],
      ['summary.svc.status', 'running', 'cd'],
      ['summary.svc.latency_ms', 1000, 'ab'],
      ['summary.svc.trace_name', 'shown', 'a'],
      ['summary.svc.trace_name', 'predict', 'b'],
      ['summary.svc.trace_name', 'f', 'c'],
      ['deleted_at', null, 'abcd'],
      ['inputs.none', null, 'abcd'],
      ['inputs.null', null, 'abcd'],
      ['inputs.refs.9', null, 'abcd'],
      ['inputs.refs.-1', null, 'abcd'],
      ['exception', null, 'acd'],
      ['ended_at', null, 'cd'],
    ])('%s = %j', async (path, value, ids) => {
      expect((await kept(eq(field(path), literal(value)), shared)).join('')).toBe(ids);
    });

    test.each([
      '',
      'nope',
      'id.x',
      'started_at.x',
      'svc_run_step.x',
      'Inputs',
      'summary.svc',
      'summary.svc.costs',
      'summary.svc.nope',
      'summary.svc.status.x',
      'storage_size_bytes',
      'total_storage_size_bytes',
    ])('there is no field %j', async (path) => {
      const query = { $expr: eq(field(path), literal(1)) };
      const sort_by = [{ field: path, direction: 'asc' }];
      for (const request of [{ query }, { sort_by }]) {
        expect(refusal(await service.post('/calls/stream_query', { project_id, ...request }))).toBe(
          '422 invalid_field',
        );
      }
      expect(refusal(await service.post('/calls/query_stats', { project_id, query }))).toBe('422 invalid_field');
    });
  });

  describe('7.4 comparison', () => {
    test.each<readonly [name: string, expression: object, ids: string[]]>([
      ['1: NULL on either side is NULL', gt(field('inputs.none'), literal(1)), []],
      ['1: and so is its negation', not(gt(field('inputs.none'), literal(1))), []],
      ['1: two paths of which one is missing', eq(field('inputs.none'), V), []],
      ['1: a written null asks for absence', eq(V, literal(null)), ['missing', 'null']],
      ['1: on either side', eq(literal(null), V), ['missing', 'null']],
      ['1: and is never NULL', not(eq(V, literal(null))), all.filter((id) => id !== 'missing' && id !== 'null')],
      ['1: order with it is NULL', gte(V, literal(null)), []],
      ['2: a time and seconds', gt(field('started_at'), literal(Date.parse(STARTED) / 1000 - 0.5)), all],
      ['2: a time and later seconds', gt(field('started_at'), literal(Date.parse(STARTED) / 1000 + 0.5)), []],
      ['2: a time and a text', lte(field('started_at'), literal('2026-01-01T01:00:00+01:00')), all],
      ['2: a time and a date', eq(field('started_at'), literal('2026-01-01')), all],
      ['2: a time and a date of another day', gt(field('started_at'), literal('2026-01-02')), []],
      ['3: text and a text', eq(field('op_name'), literal('f')), all],
      ['3: text and a number', gt(field('id'), literal(1)), all],
      ['3: text and a boolean', eq(field('id'), literal(true)), ['true']],
      ['3: text in code point order', gt(field('id'), literal('textTrue')), ['textUpper', 'textX', 'true', 'zero']],
      ['5: a number literal meets numbers and texts of numbers', eq(V, literal(1)), ['float', 'one', 'textOne']],
      ['5: their order', gt(V, literal(1)), ['half', 'huge', 'textExp', 'textHalf', 'textPlus']],
      ['5: and nothing else', not(gt(V, literal(1))), ['float', 'minus', 'one', 'textOne', 'zero']],
      ['5: a boolean literal meets true, "true" and 1', eq(V, literal(true)), ['float', 'one', 'textTrue', 'true']],
      ['5: and false, "false" and 0', lt(V, literal(true)), ['false', 'textFalse', 'zero']],
      ['5: false is not below false', lt(V, literal(false)), []],
      ['5: a text literal meets the text form: of an integer', eq(V, literal('1')), ['one', 'textOne']],
      ['5: of a float', eq(V, literal('1.0')), ['float']],
      ['5: of a number of many digits', eq(V, literal('12345678901234567890')), ['huge']],
      ['5: of a boolean', eq(V, literal('true')), ['textTrue', 'true']],
      ['5: of an empty text', eq(V, literal('')), ['empty']],
      ['5: of a list', eq(V, literal('[1,"x"]')), ['list']],
      ['5: of an object, as it is stored', eq(V, literal('{"b":1,"a":[2]}')), ['object']],
      ['5: in code point order', gte(V, literal('true')), ['object', 'textTrue', 'textX', 'true']],
      ['5: a list literal', eq(V, literal([1, 'x'])), ['list']],
      ['5: an object literal in any order', eq(V, literal({ a: [2], b: 1 })), ['object']],
      [
        '5: containers in a list',
        { $in: [V, [literal([1, 'x']), literal({ a: [2], b: 1 }), literal('x')]] },
        ['list', 'object', 'textX'],
      ],
      ['7: numbers', lt(literal(9), literal(10)), all],
      ['7: texts', lt(literal('10'), literal('9')), all],
      ['7: booleans', lt(literal(false), literal(true)), all],
      ['7: two types are not equal', not(eq(literal(1), literal('1'))), all],
      ['7: two types have no order', gt(literal(2), literal('1')), []],
      ['7: nor its negation', not(gt(literal(2), literal('1'))), []],
      [
        '$in takes what $eq takes',
        { $in: [V, [literal(2.5), literal('x'), literal(null)]] },
        ['half', 'textHalf', 'textX'],
      ],
    ])('%s', async (_name, expression, ids) => {
      expect(await kept(expression)).toEqual(ids.toSorted());
    });

    test('5: structure is equal by value, whatever the class of a number', async () => {
      const query = `{"$expr":{"$eq":[{"$getField":"inputs.v"},{"$literal":[1.0,"x"]}]}}`;
      const answer = await service.post('/calls/stream_query', `{"project_id":"${project_id}","query":${query}}`);
      expect(answer.text).toContain('"id":"list"');
    });

    test.each<readonly [name: string, expression: object, ids: string]>([
      ['4: an integer and a number', gte(field('svc_run_step'), literal(2.5)), 'a'],
      ['4: an integer and the text of a number', eq(field('svc_run_step'), literal('3')), 'a'],
      ['4: an integer and another text', not(eq(field('svc_run_step'), literal('three'))), ''],
      ['4: latency', lt(field('summary.svc.latency_ms'), literal('1000.5')), 'ab'],
      ['6: two numbers', gt(field('inputs.pair.big'), field('inputs.pair.small')), 'a'],
      ['6: a number and a text, by their texts', lt(field('inputs.pair.big'), field('inputs.pair.text')), 'a'],
      ['6: two booleans', lt(field('inputs.pair.no'), field('inputs.pair.yes')), 'a'],
      ['6: a column and a value', eq(field('thread_id'), field('inputs.thread')), 'a'],
      ['6: two columns', eq(field('turn_id'), field('id')), 'a'],
      ['6: two times', gt(field('ended_at'), field('started_at')), 'ab'],
    ])('%s', async (_name, expression, ids) => {
      expect((await kept(expression, shared)).join('')).toBe(ids);
    });

    test.each([
      gt(field('started_at'), literal('yesterday')),
      eq(field('ended_at'), literal('2026-13-01')),
      { $in: [field('started_at'), [literal('')]] },
      lt(V, literal([1])),
      gte(V, literal({})),
    ])('%j makes no sense', async (expression) => {
      expect(refusal(await service.post('/calls/stream_query', { project_id, query: { $expr: expression } }))).toBe(
        '400 invalid_request',
      );
    });
  });

  describe('7.5 $convert', () => {
    /** For every target the values that come out, by the calls they come from. Calls not named come out as NULL. */
    const TABLE: Readonly<Record<string, readonly (readonly [value: unknown, ids: readonly string[]])[]>> = {
      int: [
        [0, ['zero', 'false']],
        [1, ['one', 'float', 'true', 'textOne']],
        [2, ['half']],
        [-2, ['minus']],
        [7, ['textPlus']],
      ],
      double: [
        [0, ['zero', 'false']],
        [1, ['one', 'float', 'true', 'textOne']],
        [2.5, ['half', 'textHalf']],
        [-2.5, ['minus']],
        [7, ['textPlus']],
        [10, ['textExp']],
        [12_345_678_901_234_567_168, ['huge']],
      ],
      string: [
        ['0', ['zero']],
        ['1', ['one', 'textOne']],
        ['1.0', ['float']],
        ['2.5', ['half', 'textHalf']],
        ['-2.5', ['minus']],
        ['12345678901234567890', ['huge']],
        ['+7', ['textPlus']],
        ['1e1', ['textExp']],
        ['true', ['true', 'textTrue']],
        ['TRUE', ['textUpper']],
        ['false', ['false', 'textFalse']],
        ['x', ['textX']],
        ['', ['empty']],
        ['[1,"x"]', ['list']],
        ['{"b":1,"a":[2]}', ['object']],
      ],
      bool: [
        [true, ['one', 'float', 'half', 'minus', 'huge', 'true', 'textOne', 'textTrue', 'textUpper']],
        [false, ['zero', 'false', 'textFalse']],
      ],
      exists: [
        [true, Object.keys(VALUES).filter((id) => id !== 'null')],
        [false, ['null', 'missing']],
      ],
    };

    test.each(Object.entries(TABLE))('to %s', async (to, rows) => {
      for (const [value, ids] of rows) {
        expect([value, await kept(eq(convert(V, to), literal(value)))]).toEqual([value, ids.toSorted()]);
      }
      const named = rows.flatMap(([, ids]) => ids);
      // The integer of 20 digits is beyond those that can be told apart; it is none of the values above.
      const unnamed = all.filter((id) => !named.includes(id) && !(to === 'int' && id === 'huge'));
      expect(await kept(eq(convert(V, to), literal(null)))).toEqual(unnamed);
    });

    test('a time is its text, or its seconds', async () => {
      const seconds = Date.parse(STARTED) / 1000;
      const project = service.project;
      await service.start({ started_at: '2026-01-01T00:00:00.250Z' });
      const is = async (to: string, value: unknown) =>
        await kept(eq(convert(field('started_at'), to), literal(value)), project);
      expect(await is('string', '2026-01-01T00:00:00.250000Z')).toEqual(['c1']);
      expect(await is('double', seconds + 0.25)).toEqual(['c1']);
      expect(await is('int', seconds)).toEqual(['c1']);
      expect(await kept(eq(convert(field('ended_at'), 'string'), literal(null)), project)).toEqual(['c1']);
    });

    test('a conversion of a conversion, and of a column', async () => {
      expect(await kept(eq(convert(convert(V, 'string'), 'int'), literal(1)))).toEqual(sorted('one', 'textOne'));
      expect(await kept(eq(convert(field('id'), 'bool'), literal(true)))).toEqual(['true']);
    });
  });

  /** Four calls that differ in every field. */
  async function writeShared(): Promise<void> {
    const ref = (name: string, version: string) => `svc:///${shared}/object/${name}:${version}`;
    const start = (id: string, fields: object) => ({
      mode: 'start',
      req: { start: { project_id: shared, id, op_name: 'f', trace_id: 't1', started_at: STARTED, ...fields } },
    });
    const end = (id: string, fields: object) => ({
      mode: 'end',
      req: { end: { project_id: shared, id, ended_at: ENDED, ...fields } },
    });
    const inputs = {
      refs: [ref('m', 'abc')],
      deep: [[0, { key: 'found' }]],
      'dotted.key': 'dot',
      object: { 0: 'zero', '00': 'padded' },
      null: null,
      pair: { big: 10, small: 9, text: '9', no: false, yes: true },
      thread: 'th',
    };
    const batch = [
      start('a', {
        op_name: `svc:///${shared}/op/predict:v1`,
        display_name: 'shown',
        thread_id: 'th',
        turn_id: 'a',
        svc_run_id: `${shared}/r1`,
        svc_run_step: 3,
        attributes: { env: 'prod' },
        inputs,
      }),
      end('a', { output: [ref('o', 'abc')], summary: { usage: { m: { requests: 2 } } }, svc_run_step_end: 4 }),
      start('b', {
        op_name: `svc:///${shared}/op/predict:v2`,
        parent_id: 'a',
        svc_run_id: 'short',
        inputs: { refs: [ref('m', 'other')] },
      }),
      end('b', { output: ref('o', 'other'), exception: 'E: no' }),
      start('c', { trace_id: 't2' }),
      start('d', { op_name: 'g', parent_id: 'a' }),
    ];
    await service.write(batch);
  }
});

function nested(levels: number): object {
  return levels === 1 ? literal(true) : not(nested(levels - 1));
}
