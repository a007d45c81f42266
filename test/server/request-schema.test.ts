import { expect, test } from 'vitest';
import { UpsertBatchRequest } from '../../src/protocol/batch.ts';
import { CallReadRequest, CallsStreamQueryRequest, CallStartRequest } from '../../src/protocol/call.ts';
import { NumberToken } from '../../src/protocol/values/canonical-json.ts';
import { TracingError, type ValidationDetail } from '../../src/protocol/error.ts';
import { parseJson } from '../../src/protocol/values/json.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { listRules } from '../../src/server/http/body/list-limits.ts';
import { compileRequest } from '../../src/server/http/body/request-schema.ts';

const START = { project_id: 'a/b', op_name: 'f', started_at: '2026-01-01T00:00:00Z' };
const checkStart = compileRequest(CallStartRequest);
const checkRead = compileRequest(CallReadRequest);
const checkQuery = compileRequest(CallsStreamQueryRequest);
const checkBatch = compileRequest(UpsertBatchRequest);

function detailsOf(check: (body: unknown) => void, body: unknown): unknown {
  try {
    check(body);
    return [];
  } catch (error) {
    if (!(error instanceof TracingError) || error.code !== 'validation_error') throw error;
    const details = error.extra['detail'] as ValidationDetail[];
    return details.map(({ loc, type }) => `${loc.join('.')} ${type}`);
  }
}

test('a start with its required fields alone is right', () => {
  expect(detailsOf(checkStart, { start: START })).toEqual([]);
});

test('every optional field takes null', () => {
  const optional = ['id', 'display_name', 'trace_id', 'parent_id', 'thread_id', 'turn_id', 'attributes', 'inputs'];
  const nulls = Object.fromEntries([...optional, 'svc_run_step', 'otel_dump'].map((name) => [name, null]));
  expect(detailsOf(checkStart, { start: { ...START, ...nulls } })).toEqual([]);
});

test.each([
  ['a body that is no object', 5, ['body model_attributes_type']],
  ['a body that is null', null, ['body model_attributes_type']],
  ['a number where an object is wanted', { start: new NumberToken('1.0') }, ['body.start model_attributes_type']],
  ['a missing member', {}, ['body.start missing']],
  [
    'required members that are missing',
    { start: {} },
    ['project_id', 'op_name', 'started_at'].map((name) => `body.start.${name} missing`),
  ],
  ['null for what is required', { start: { ...START, op_name: null } }, ['body.start.op_name string_type']],
  ['a number for a text', { start: { ...START, op_name: 5 } }, ['body.start.op_name string_type']],
  ['a text for an integer', { start: { ...START, svc_run_step: '5' } }, ['body.start.svc_run_step int_type']],
  ['a fraction for an integer', { start: { ...START, svc_run_step: 5.5 } }, ['body.start.svc_run_step int_from_float']],
  ['a huge integer', { start: { ...START, svc_run_step: 2 ** 60 } }, ['body.start.svc_run_step int_parsing_size']],
  ['an array for an object', { start: { ...START, inputs: [] } }, ['body.start.inputs dict_type']],
  ['a number for an object', { start: { ...START, inputs: new NumberToken('1.0') } }, ['body.start.inputs dict_type']],
  ['a number for a date-time', { start: { ...START, started_at: 1 } }, ['body.start.started_at datetime_type']],
  [
    'a date for a date-time',
    { start: { ...START, started_at: '2026-01-01' } },
    ['body.start.started_at datetime_parsing'],
  ],
  ...['0001-01-01T00:00:00Z', '1684-01-01T00:00:00Z', '2256-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z'].map(
    (started_at): [string, object, string[]] => [
      `a date-time of the year ${started_at.slice(0, 4)}, which no integer can hold,`,
      { start: { ...START, started_at } },
      ['body.start.started_at datetime_range'],
    ],
  ),
  [
    'an impossible date-time',
    { start: { ...START, started_at: '2026-02-30T00:00:00Z' } },
    ['body.start.started_at datetime_parsing'],
  ],
])('%s is named', (_name, body, details) => {
  expect(detailsOf(checkStart, body)).toEqual(details);
});

test('who sends a date-time that no integer can hold is told the first and the last one that is taken', () => {
  const [first, last] = ['1684-07-28T00:12:25.259009Z', '2255-06-05T23:47:34.740991Z'];
  const send = (started_at: string) => checkStart({ start: { ...START, started_at } });
  const detail = [expect.objectContaining({ msg: `Input should be a datetime from ${first} to ${last}` })];
  expect(() => send('9999-12-31T23:59:59Z')).toThrow(expect.objectContaining({ extra: { detail } }));
  for (const bound of [first, last]) expect(() => send(bound)).not.toThrow();
});

test('an unknown key is refused at the top level, in the filter and in sort items', () => {
  const filter = { op_names: ['f'], op_name: 'f' };
  const sort_by = [{ field: 'id', direction: 'asc', nulls: 'last' }];
  expect(detailsOf(checkQuery, { project_id: 'a/b', filter, sort_by, query: { $expr: 1, $x: 1 }, extra: 1 })).toEqual([
    'body.filter.op_name extra_forbidden',
    'body.query.$x extra_forbidden',
    'body.sort_by.0.nulls extra_forbidden',
    'body.extra extra_forbidden',
  ]);
});

test('an unknown key that holds null or false says nothing', () => {
  expect(detailsOf(checkRead, { project_id: 'a/b', id: 'x', some: null, other: false })).toEqual([]);
  expect(detailsOf(checkRead, { project_id: 'a/b', id: 'x', some: 0 })).toEqual(['body.some extra_forbidden']);
});

test('unknown keys of a start and of a batch item are ignored', () => {
  expect(detailsOf(checkStart, { start: { ...START, some: 1 } })).toEqual([]);
  const item = { mode: 'start', req: { start: START, more: 1 }, and: 2 };
  expect(detailsOf(checkBatch, { batch: [item] })).toEqual([]);
});

test('an item of a batch is checked against its mode', () => {
  const batch = [
    { mode: 'start', req: { start: { ...START, op_name: 1 } } },
    { mode: 'end', req: { end: { project_id: 'a/b' } } },
    { mode: 'end', req: { start: START } },
    { mode: 'middle', req: {} },
    { req: { start: START } },
    'start',
  ];
  expect(detailsOf(checkBatch, { batch })).toEqual([
    'body.batch.0.req.start.op_name string_type',
    'body.batch.1.req.end.id missing',
    'body.batch.1.req.end.ended_at missing',
    'body.batch.2.req.end missing',
    'body.batch.3.mode literal_error',
    'body.batch.4.mode missing',
    'body.batch.5 model_attributes_type',
  ]);
});

test('lists, booleans and literals are checked', () => {
  const body = { project_id: 'a/b', columns: 'id', include_costs: 1, sort_by: [{ field: 'id', direction: 'up' }, 1] };
  expect(detailsOf(checkQuery, { ...body, filter: { op_names: ['f', 2] } })).toEqual([
    'body.filter.op_names.1 string_type',
    'body.sort_by.0.direction literal_error',
    'body.sort_by.1 model_attributes_type',
    'body.include_costs bool_type',
    'body.columns list_type',
  ]);
});

test('a whole number written with a fraction is an integer', () => {
  const body = parseJson('{"project_id":"a/b","limit":5.0,"offset":1e2}');
  checkQuery(body);
  expect(body).toEqual({ project_id: 'a/b', limit: 5, offset: 100 });
});

/** A body that counts how often a member of one of its items is looked at. */
function countingBatch(length: number): { readonly batch: unknown[]; readonly reads: () => number } {
  let reads = 0;
  const item = new Proxy({}, { get: () => void (reads += 1) });
  return { batch: Array.from({ length }, () => item), reads: () => reads };
}

test.each([100, 300, 10_000])('of %d problems a hundred are looked for and told', (length) => {
  const { batch, reads } = countingBatch(length);
  expect(() => checkBatch({ batch })).toThrow('100 validation errors');
  expect(reads()).toBe(100);
  expect(detailsOf(checkBatch, { batch })).toHaveLength(100);
});

test.each([1, 10, 1000])('a list that is too long by %d is refused before an item of it is looked at', (more) => {
  const check = compileRequest(UpsertBatchRequest, listRules('callUpsertBatch', DEFAULT_LIMITS));
  const { batch, reads } = countingBatch(DEFAULT_LIMITS.batch_items + more);
  expect(() => check({ batch })).toThrow(
    expect.objectContaining({ code: 'too_many_items', message: 'Cannot read "batch": it has more than 10000 items' }),
  );
  expect(reads()).toBe(0);
});

test.each([101, 20_000, 200_000])('%d unknown keys are refused as what the first of them are', (count) => {
  const filter = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
  expect(() => checkQuery({ project_id: 'a/b', filter })).toThrow('100 validation errors');
});

test('an unknown key of megabytes is told by its beginning', () => {
  const [detail] = detailsOf(checkRead, { project_id: 'a/b', id: 'x', ['k'.repeat(1_000_000)]: 1 }) as string[];
  expect(detail).toBe(`body.${'k'.repeat(200)}… extra_forbidden`);
});
