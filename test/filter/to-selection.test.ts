import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import type { BeyondCondition } from '../../src/filter/condition.ts';
import { lengthError, limitError } from '../../src/filter/limit-error.ts';
import { queriesOf } from '../../src/filter/meets-beyond.ts';
import type { Expression } from '../../src/protocol/query.ts';
import { printFilter } from '../../src/filter/print-filter.ts';
import { toSelection, toStreamQuery } from '../../src/filter/to-selection.ts';
import { tokensOf } from '../../src/filter/tokens-of.ts';
import { FILTER_LIMITS } from '../../src/filter/tree.ts';
import { planSelection } from '../../src/server/query/plan/plan-calls.ts';
import { anyTree } from './any-filter.ts';
import { treeOf } from './reading.ts';

const context = { projectId: 'acme/demo', now: Date.parse('2026-11-24T12:00:00Z'), timeZone: 'Europe/Berlin' };
const select = (text: string) => toSelection(treeOf(text), context);

const field = (path: string) => ({ $getField: path });
const literal = (value: unknown) => ({ $literal: value });
const query = (expression: unknown) => ({ query: { $expr: expression } });

test('the id of a run of a process asks for that, any other run is one of the program', () => {
  const [run, later] = ['p0f3c9a1b2c3d4e5f', 'p1111111111111111'];
  const isOf = (id: string) => ({ $eq: [field('process_run'), literal(id)] });
  expect(select(`run:${run}`)).toEqual(query(isOf(run)));
  expect(select(`run:${run} status:ok`).filter).toBeUndefined();
  expect(JSON.stringify(select(`run:${run},${later}`))).not.toContain('svc_run_id');
  const both = JSON.stringify(select(`run:${run},nightly`));
  for (const name of ['process_run', 'svc_run_id', 'acme/demo/nightly']) expect(both).toContain(name);
  const begins = JSON.stringify(select('run:p0f3c*'));
  for (const name of ['process_run', 'svc_run_id']) expect(begins).toContain(name);
  expect(JSON.stringify(select('run:prod*'))).not.toContain('process_run');
  expect(JSON.stringify(select('has:run'))).not.toContain('process_run');
});

describe('what an index answers', () => {
  test.each([
    ['', {}],
    ['op:answer', { filter: { op_names: ['answer', 'svc:///acme/demo/op/answer:*'] } }],
    ['op:"GET /users"', { filter: { op_names: ['GET /users'] } }],
    ['thread:a,b trace:t run:r', { filter: { thread_ids: ['a', 'b'], trace_ids: ['t'], svc_run_ids: ['r'] } }],
    ['roots:yes', { roots_only: true }],
    ['started:24h', { started_after: '2026-11-23T12:00:00Z' }],
    ['started:7d..24h', { started_after: '2026-11-17T12:00:00Z', started_before: '2026-11-23T12:00:00Z' }],
    ['started:2026-11-20', { started_after: '2026-11-19T23:00:00Z', started_before: '2026-11-20T23:00:00Z' }],
    [
      'started:2026-11-20..2026-11-21',
      { started_after: '2026-11-19T23:00:00Z', started_before: '2026-11-21T23:00:00Z' },
    ],
    [
      'started:2026-11-20T10:00..2026-11-20T11:00',
      { started_after: '2026-11-20T09:00:00Z', started_before: '2026-11-20T10:00:00Z' },
    ],
    ['started>2026-11-20', { started_after: '2026-11-20T23:00:00Z' }],
    ['started>=2026-11-20', { started_after: '2026-11-19T23:00:00Z' }],
    ['started<2026-11-20', { started_before: '2026-11-19T23:00:00Z' }],
    ['started<=2026-11-20', { started_before: '2026-11-20T23:00:00Z' }],
    ['started>2026-11-20T10:00Z', { started_after: '2026-11-20T10:00:00.000001Z' }],
    ['started<=2026-11-20T10:00Z', { started_before: '2026-11-20T10:00:00.000001Z' }],
    ['started<24h', { started_before: '2026-11-23T12:00:00Z' }],
    ['started:7d started>=24h', { started_after: '2026-11-23T12:00:00Z' }],
  ])('%s is no query', (text, expected) => {
    expect(select(text)).toEqual(expected);
  });

  test('a second list, a wildcard, an alternative and an opposite go into the query', () => {
    expect(select('thread:a thread:b')).toEqual({
      filter: { thread_ids: ['a'] },
      ...query({ $eq: [field('thread_id'), literal('b')] }),
    });
    for (const text of [
      'op:a*',
      '-op:a',
      'op:a or x',
      '-roots:yes',
      'roots:no',
      '-started:24h',
      'started:24h or x',
      'op:"a:*"',
    ]) {
      expect(Object.keys(select(text))).toEqual(['query']);
    }
  });
});

describe('queries', () => {
  const has = (path: string) => (text: string) => ({
    $contains: { input: field(path), substr: literal(text), case_insensitive: true },
  });

  test.each([
    ['refund', { $or: [has('inputs')('refund'), has('output')('refund')] }],
    ['"a\\"b"', { $or: ['inputs', 'output'].flatMap((path) => ['a"b', 'a\\"b'].map(has(path))) }],
    ['error:timeout', has('exception')('timeout')],
    ['status:descendant', { $eq: [field('summary.svc.status'), literal('descendant_error')] }],
    ['model:gpt-4.1', { $convert: { input: field('summary.usage.gpt-4\\.1'), to: 'exists' } }],
    ['user:ada', { $eq: [field('attributes.user'), literal('ada')] }],
    ['attr.n>5', { $gt: [field('attributes.n'), literal(5)] }],
    ['attr.v>b', { $gt: [field('attributes.v'), literal('b')] }],
    ['input.a\\.b.c:"5"', { $eq: [field('inputs.a\\.b.c'), literal('5')] }],
    ['input.my\\ key:1', { $eq: [field('inputs.my key'), literal(1)] }],
    ['output.ok:true', { $eq: [field('output.ok'), literal('true')] }],
    [
      'latency:1s..5s',
      {
        $and: [
          { $gte: [field('summary.svc.latency_ms'), literal(1000)] },
          { $lte: [field('summary.svc.latency_ms'), literal(5000)] },
        ],
      },
    ],
    [
      '-thread:a',
      { $or: [{ $not: [{ $eq: [field('thread_id'), literal('a')] }] }, { $eq: [field('thread_id'), literal(null)] }] },
    ],
    ['-name:a', { $not: [{ $eq: [field('summary.svc.trace_name'), literal('a')] }] }],
    ['has:error', { $convert: { input: field('exception'), to: 'exists' } }],
    ['feedback.note:*bad*', has('feedback.[svc.note.1].payload.note')('bad')],
    ['feedback.[x.1].a:1', { $eq: [field('feedback.[x.1].payload.a'), literal(1)] }],
  ])('%s asks for its field', (text, expected) => {
    expect(select(text)).toEqual(query(expected));
  });
});

describe('beyond', () => {
  const hasUsage: Expression = { $convert: { input: field('summary.usage'), to: 'exists' } };

  test.each<[string, BeyondCondition]>([
    ['tokens>1k', { kind: 'tokens', bucket: 'total', operator: '>', value: 1000 }],
    ['tokens.in:5', { kind: 'tokens', bucket: 'input', operator: '=', value: 5 }],
    ['tokens.out<=5', { kind: 'tokens', bucket: 'output', operator: '<=', value: 5 }],
    ['cost>=0.01', { kind: 'cost', operator: '>=', value: 0.01 }],
    ['has:cost', { kind: 'priced' }],
    ['model:gpt*', { kind: 'model', match: 'beginning', text: 'gpt' }],
  ])('%s has no field in queries, which ask for those calls alone that may meet it', (text, expected) => {
    expect(select(text)).toEqual({ ...query(hasUsage), beyond: [expected] });
  });

  test('of its opposite a query can ask nothing', () => {
    const condition: BeyondCondition = { kind: 'model', match: 'part', text: 'mini' };
    expect(select('-model:*mini*')).toEqual({ beyond: [{ kind: 'not', condition }] });
    expect(select('-(cost>1 status:error)')).not.toHaveProperty('query');
  });

  test('what is running is narrowed by a query', () => {
    const running = { $eq: [field('summary.svc.status'), literal('running')] };
    expect(select('status:running')).toEqual({ ...query(running), beyond: [{ kind: 'state', state: 'running' }] });
    expect(select('status:never')).toEqual({ ...query(running), beyond: [{ kind: 'state', state: 'never_ended' }] });
  });

  test('a query is inside of it where it is an alternative', () => {
    const error = { $eq: [field('summary.svc.status'), literal('error')] };
    expect(select('cost>1 or status:error')).toEqual({
      ...query({ $or: [hasUsage, error] }),
      beyond: [
        {
          kind: 'any',
          conditions: [
            { kind: 'cost', operator: '>', value: 1 },
            { kind: 'query', query: { $expr: error } },
          ],
        },
      ],
    });
  });
});

test('the service plans every filter', () => {
  fc.assert(
    fc.property(anyTree, (tree) => {
      const text = printFilter(tree);
      fc.pre((lengthError(text) ?? limitError(tokensOf(text))) === undefined);
      const selection = toSelection(tree, context);
      const queries = [
        toStreamQuery(selection),
        ...(selection.beyond ?? []).flatMap(queriesOf).map((each) => ({ query: each as never })),
      ];
      const plan = () =>
        queries.map((each) => planSelection({ project_id: context.projectId, ...each }, DEFAULT_LIMITS));
      expect(plan).not.toThrow();
    }),
    { numRuns: 2000 },
  );
});

test('the service plans filters as large as they may be', () => {
  const { terms, depth, feedback } = FILTER_LIMITS;
  const texts = [
    `-(${'"\\"a" '.repeat(terms)})`,
    `-(${'"\\"a" or '.repeat(terms - 1)}b)`,
    `-op:${'a*,'.repeat(terms - 1)}a*`,
    `-run:${'a*,'.repeat(terms - 1)}a*`,
    `${'(a or (b '.repeat(Math.floor(depth / 2))}c${'))'.repeat(Math.floor(depth / 2))}`,
    `-(${'-kind:other or '.repeat(terms - 1)}b)`,
    `-(${'(input.a:1..2) or '.repeat(terms / 2 - 1)}b)`,
    `-feedback.score:${'1,'.repeat(feedback - 1)}1`,
    `-(${'feedback.score:1..2 or '.repeat(feedback / 2)}b)`,
    `-started:${'2026-11-20,'.repeat(terms - 1)}24h`,
  ];
  for (const text of texts) {
    const request = toStreamQuery(select(text));
    expect(() => planSelection({ project_id: 'acme/demo', ...request }, DEFAULT_LIMITS)).not.toThrow();
  }
});
