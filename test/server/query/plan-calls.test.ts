import { afterEach, expect, test, vi } from 'vitest';
import { parseJson } from '../../../src/protocol/values/json.ts';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { type CallsRequest, planCalls, planSelection } from '../../../src/server/query/plan/plan-calls.ts';

afterEach(() => vi.restoreAllMocks());

const field = (path: string) => ({ $getField: path });
const literal = (value: unknown) => ({ $literal: value });

function plan(request: Partial<CallsRequest>) {
  return planCalls({ project_id: 'acme/demo', ...request }, DEFAULT_LIMITS);
}

/** The condition of an expression; what is no expression has to be refused, so any value can be given. */
function condition(expression: unknown) {
  return planSelection({ project_id: 'acme/demo', query: { $expr: expression as never } }, DEFAULT_LIMITS).condition;
}

function refusal(act: () => unknown) {
  try {
    act();
  } catch (error) {
    const { code, extra } = error as { code: string; extra: { detail?: { loc: unknown; type: string }[] } };
    return [code, ...(extra.detail ?? []).map(({ loc, type }) => ({ loc, type }))];
  }
  return 'accepted';
}

const constant = (value: boolean | null) => ({ kind: 'constant', value });
const literalOperand = (value: unknown) => ({ kind: 'literal', value });

test('literals are compared when the query is planned', () => {
  expect(condition({ $eq: [literal(1), literal(1)] })).toEqual(constant(true));
  expect(condition({ $eq: [literal(1), literal(parseJson('1.0'))] })).toEqual(constant(true));
  expect(condition({ $eq: [literal(1), literal('1')] })).toEqual(constant(false));
  expect(condition({ $lt: [literal(1), literal('2')] })).toEqual(constant(null));
  expect(condition({ $lt: [literal('\uff5e'), literal('😀')] })).toEqual(constant(true));
  expect(condition({ $gte: [literal(true), literal(false)] })).toEqual(constant(true));
  expect(condition({ $eq: [literal(null), literal(null)] })).toEqual(constant(true));
  expect(condition({ $eq: [literal(null), literal(0)] })).toEqual(constant(false));
  expect(condition({ $eq: [literal({ a: 1, b: [1] }), literal({ b: [1], a: 1 })] })).toEqual(constant(true));
  expect(condition({ $contains: { input: literal('abc'), substr: literal('B'), case_insensitive: true } })).toEqual(
    constant(true),
  );
  expect(condition({ $eq: [{ $convert: { input: literal('5'), to: 'int' } }, literal(5)] })).toEqual(constant(true));
});

test('a literal takes the type of the column it meets', () => {
  const right = (path: string, value: unknown) => {
    const planned = condition({ $gt: [field(path), literal(value)] });
    return planned?.kind === 'compare' ? planned.right : planned;
  };
  expect(right('op_name', 5)).toEqual({ kind: 'literal', value: '5' });
  expect(right('op_name', parseJson('5.0'))).toEqual({ kind: 'literal', value: '5.0' });
  expect(right('op_name', true)).toEqual({ kind: 'literal', value: 'true' });
  expect(right('started_at', 1.5)).toEqual({ kind: 'literal', value: 1_500_000 });
  expect(right('started_at', '1970-01-02')).toEqual({ kind: 'literal', value: 86_400_000_000 });
  expect(right('started_at', true)).toEqual(constant(null));
  expect(right('svc_run_step', '7')).toEqual({ kind: 'literal', value: 7 });
  expect(right('svc_run_step', 'seven')).toEqual(constant(null));
  expect(right('summary.svc.latency_ms', false)).toEqual(constant(null));
});

test('a literal on the left changes sides', () => {
  expect(condition({ $lt: [literal(5), field('inputs.a')] })).toEqual(
    condition({ $gt: [field('inputs.a'), literal(5)] }),
  );
});

test('equality with a written null asks for absence, order with it is NULL', () => {
  const operand = { kind: 'json', column: 'inputs', path: ['a'] };
  expect(condition({ $eq: [literal(null), field('inputs.a')] })).toEqual({ kind: 'isNull', operand });
  expect(condition({ $gt: [field('inputs.a'), literal(null)] })).toEqual(constant(null));
});

test('a null that was computed asks for nothing', () => {
  const nothing = { kind: 'condition', condition: constant(null) };
  const computed = [
    { $convert: { input: literal('x'), to: 'int' } },
    { $convert: { input: literal(null), to: 'string' } },
    { $gt: [literal(1), literal('a')] },
  ];
  for (const operand of computed) {
    const planned = condition({ $eq: [field('inputs.a'), operand] });
    expect(planned).toMatchObject({ kind: 'compare', right: nothing });
  }
  expect(condition({ $eq: [computed[0], literal(null)] })).toEqual({ kind: 'isNull', operand: nothing });
  expect(condition({ $convert: { input: literal(null), to: 'exists' } })).toEqual(constant(false));
});

test('literals far from the times of calls are times too', () => {
  for (const [text, isLater] of [
    ['9999-12-31T23:59:59Z', true],
    ['0001-01-01', false],
  ] as const) {
    const planned = condition({ $lt: [field('started_at'), literal(text)] });
    expect(planned).toMatchObject({ kind: 'compare', right: { kind: 'literal' } });
    const micros = planned?.kind === 'compare' && planned.right.kind === 'literal' ? Number(planned.right.value) : 0;
    expect(micros > 9e15).toBe(isLater);
    expect(micros < -9e15).toBe(!isLater);
  }
});

test('lists lose nulls and repetitions and keep what they cannot hold beside them', () => {
  expect(condition({ $in: [field('id'), [literal('a'), literal(null), literal('a')]] })).toEqual({
    kind: 'in',
    operand: { kind: 'text', column: 'id' },
    items: [{ kind: 'literal', value: 'a' }],
  });
  expect(condition({ $in: [field('id'), []] })).toEqual(constant(false));
  expect(condition({ $in: [field('id'), [field('trace_id'), literal('a')]] })).toMatchObject({ kind: 'or' });
});

test('paths split at dots that are not escaped', () => {
  expect(condition(field('inputs.a\\.b.0.'))).toEqual({
    kind: 'truth',
    operand: { kind: 'json', column: 'inputs', path: ['a.b', '0', ''] },
  });
});

test('fields that calls do not have are refused', () => {
  const paths = [
    'nope',
    'id.x',
    'summary.svc.nope',
    'summary.svc.status.x',
    'storage_size_bytes',
    '',
    'feedback',
    'feedback.[*]',
    'feedback.[].payload.x',
    'feedback.thumbs.payload.x',
    'feedback.[thumbs].creator',
    'feedback.[thumbs].runnable_ref.x',
    'feedback.[thumbs].payloads',
  ];
  for (const path of paths) {
    expect(refusal(() => condition({ $eq: [field(path), literal(1)] }))).toEqual(['invalid_field']);
    expect(refusal(() => plan({ sort_by: [{ field: path, direction: 'asc' }] }))).toEqual(['invalid_field']);
  }
});

test('paths of feedback name a type as it is, any of them, and a value', () => {
  const value = (path: string) => plan({ sort_by: [{ field: path, direction: 'asc' }] }).sort[0]?.field;
  const feedback = { kind: 'feedback', type: 'svc.note.1', column: 'payload', path: ['a.b', '0'] };
  expect(value('feedback.[svc.note.1].payload.a\\.b.0')).toEqual(feedback);
  expect(value('feedback.[*].payload')).toEqual({ ...feedback, type: null, path: [] });
  expect(value('feedback.[a]].[b\\].trigger_ref')).toEqual({
    kind: 'feedback',
    type: 'a]].[b\\',
    column: 'trigger_ref',
    path: [],
  });
});

test('a comparison with feedback asks about some feedback, its absence about all', () => {
  const operand = { kind: 'feedback', type: 'x', column: 'payload', path: ['v'] };
  const isThere = { kind: 'not', condition: { kind: 'isNull', operand } };
  expect(condition({ $gt: [literal(1), field('feedback.[x].payload.v')] })).toEqual({
    kind: 'some',
    type: 'x',
    condition: { kind: 'compare', operator: 'lt', left: operand, right: literalOperand(1) },
    whenNone: null,
  });
  expect(condition({ $eq: [field('feedback.[x].payload.v'), literal(null)] })).toEqual({
    kind: 'not',
    condition: { kind: 'some', type: 'x', condition: isThere, whenNone: false },
  });
});

test('shapes that the protocol does not know are refused with their place', () => {
  const at = (...loc: (string | number)[]) => ['body', 'query', '$expr', ...loc];
  expect(refusal(() => condition({ $ne: [literal(1), literal(1)] }))).toEqual([
    'validation_error',
    { loc: at('$ne'), type: 'unknown_operator' },
  ]);
  expect(refusal(() => condition({ $not: [literal(1), { $eq: [literal(1)] }] }))).toEqual([
    'validation_error',
    { loc: at('$not'), type: 'operand_count' },
  ]);
  expect(refusal(() => condition({ $and: [{ $eq: [literal(1)] }] }))).toEqual([
    'validation_error',
    { loc: at('$and', 0, '$eq'), type: 'operand_count' },
  ]);
  expect(refusal(() => condition({ $convert: { input: literal(1), to: 'date' } }))).toEqual([
    'validation_error',
    { loc: at('$convert', 'to'), type: 'literal_error' },
  ]);
  expect(refusal(() => condition({ $contains: { input: literal('a') } }))).toEqual([
    'validation_error',
    { loc: at('$contains', 'substr'), type: 'missing' },
  ]);
  for (const expression of [null, 5, [], 'x', {}, { a: 1, b: 2 }, { $toString: [] }, { $constructor: [] }]) {
    expect(refusal(() => condition(expression))).toContain('validation_error');
  }
});

test('rules that a well-formed query breaks are refused', () => {
  const tokens = (substr: unknown) =>
    condition({ $containsToken: { input: field('output'), substr: literal(substr) } });
  const broken = [
    () => condition({ $and: [] }),
    () => condition({ $gt: [field('started_at'), literal('yesterday')] }),
    () => condition({ $in: [field('ended_at'), [literal('2026-13-01')]] }),
    () => condition({ $lt: [field('inputs.a'), literal({ a: 1 })] }),
    () => condition({ $lt: [literal([]), literal([])] }),
    () => tokens('two words'),
    () => tokens(''),
    () => plan({ limit: -1 }),
    () => plan({ offset: -1 }),
  ];
  for (const act of broken) expect(refusal(act)).toEqual(['invalid_request']);
  expect(tokens('one')).toMatchObject({ kind: 'containsToken' });
});

test('what goes beyond a limit is refused, what reaches it is not', () => {
  const nested = (levels: number): unknown => (levels === 1 ? literal(true) : { $not: [nested(levels - 1)] });
  expect(refusal(() => condition(nested(50)))).toBe('accepted');
  expect(refusal(() => condition(nested(51)))).toEqual(['invalid_request']);
  const wide = (parts: number) => ({ $or: Array.from({ length: parts }, () => literal(true)) });
  expect(refusal(() => condition(wide(4999)))).toBe('accepted');
  expect(refusal(() => condition(wide(5000)))).toEqual(['invalid_request']);
  const list = (items: number) => ({ $in: [field('id'), Array.from({ length: items }, (_, i) => literal(`${i}`))] });
  expect(refusal(() => condition(list(10_000)))).toBe('accepted');
  expect(refusal(() => condition(list(10_001)))).toEqual(['too_many_items']);
  const ids = (count: number) => ({ call_ids: Array.from({ length: count }, (_, i) => `${i}`) });
  expect(refusal(() => plan({ filter: ids(1000) }))).toBe('accepted');
  expect(refusal(() => plan({ filter: ids(1001) }))).toEqual(['too_many_items']);
  let lists: unknown = field('inputs.a');
  for (let level = 0; level < 48; level++) lists = { $in: [lists, [field('inputs.b'), field('inputs.c')]] };
  expect(refusal(() => condition(lists))).toBe('accepted');
  const sort = (count: number) => Array.from({ length: count }, () => ({ field: 'id', direction: 'asc' }) as const);
  expect(refusal(() => plan({ sort_by: sort(11) }))).toEqual(['too_many_items']);
  expect(refusal(() => plan({ columns: Array.from({ length: 201 }, () => 'id') }))).toEqual(['too_many_items']);
});

test.each([
  ['with lists', { $in: [field('id'), [literal('a')]] }, 2],
  ['without', { $eq: [field('id'), literal('a')] }, 60],
])('a query that takes longer to plan than a read may take is given up: %s', (_what, part, count) => {
  const { read_ms: most } = DEFAULT_LIMITS;
  const afterMs = (milliseconds: number) => {
    vi.spyOn(performance, 'now').mockReturnValue(milliseconds).mockReturnValueOnce(0);
    return refusal(() => condition({ $or: Array.from({ length: count }, () => part) }));
  };
  expect(afterMs(most)).toBe('accepted');
  expect(afterMs(most + 1)).toEqual(['query_timeout']);
});

test('a sort ends in the id, in the direction of the last field', () => {
  const columns = (sort: CallsRequest['sort_by']) =>
    plan({ sort_by: sort }).sort.map(({ field: key, isDescending }) => [key.column, isDescending]);
  const byTime = [
    ['started_at', false],
    ['id', false],
  ];
  expect(columns(null)).toEqual(byTime);
  expect(columns([])).toEqual(byTime);
  expect(columns([{ field: 'op_name', direction: 'desc' }])).toEqual([
    ['op_name', true],
    ['id', true],
  ]);
  expect(columns([{ field: 'id', direction: 'desc' }])).toEqual([['id', true]]);
  const sideways = { field: 'id', direction: 'up' } as unknown as { field: string; direction: 'asc' };
  expect(refusal(() => columns([sideways]))).toContain('validation_error');
});

test('columns decide which bodies are read', () => {
  const bodies = (...columns: string[]) => [...plan({ columns }).bodies];
  expect(bodies()).toEqual(['attributes', 'inputs', 'output', 'summary']);
  expect(bodies('inputs.a.b', 'ended_at', 'summary.svc.status')).toEqual(['inputs', 'summary']);
  expect(bodies('svc_run_step')).toEqual([]);
  expect(refusal(() => bodies('nope'))).toEqual(['invalid_field']);
  expect(refusal(() => bodies('id.x'))).toEqual(['invalid_field']);
});

test('a filter keeps what constrains, prefixes apart from names', () => {
  const filter = {
    op_names: ['a', 'svc:///acme/demo/op/f:*'],
    trace_ids: [],
    parent_ids: null,
    svc_run_ids: ['r1', 'acme/other/r2'],
    trace_roots_only: false,
  };
  expect(plan({ filter }).filter).toEqual({
    opNames: { values: ['a'], prefixes: ['svc:///acme/demo/op/f:'] },
    runIds: ['r1', 'acme/demo/r1', 'acme/other/r2'],
  });
});
