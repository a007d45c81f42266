import { describe, expect, test } from 'vitest';
import { NumberToken } from '../../../src/protocol/values/canonical-json.ts';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { type CallsRequest, planCalls, planSelection } from '../../../src/server/query/plan/plan-calls.ts';
import { planFeedback } from '../../../src/server/query/read/read-feedback.ts';
import { sqliteDialect } from '../../../src/storage/sqlite/read/dialect.ts';
import {
  type SentStatement,
  sentCount,
  sentFeedbackCount,
  sentFeedbackKeys,
  sentKeys,
  statementOf,
} from '../../../src/storage/sqlite/read/planned-statement.ts';
import { printCount, printKeys } from '../../../src/storage/sqlite/read/select-calls.ts';
import { printFeedbackCount, printFeedbackKeys } from '../../../src/storage/sqlite/read/select-feedback.ts';
import { grownQuery, type Node, PLACES, VALUE, WIDE } from '../../server/query/grown-queries.ts';

const project = { project_id: 'acme/demo' };
/** Feedback may stand in any place here: how much of it a query may ask for is not what is looked at. */
const LIMITS = { ...DEFAULT_LIMITS, query_feedback: 100_000 };
const LITERALS = [1, -0, 0.1, 'x', 'a\0b', 'é😀', true, null, { a: [1, 'x', null] }, [], 9_007_199_254_740_991]
  .concat(['1.0', '12345678901234567890', '1.5e300'].map((text) => new NumberToken(text) as never))
  .map((value) => ({ $literal: value }));

/** Each place of each operator, with a literal of each kind beside it. */
const QUERIES: Readonly<Record<string, Node>> = {
  ...Object.fromEntries(
    Object.entries(PLACES).map(([name, wrap]) => [
      name,
      { $or: LITERALS.map((literal) => grownQuery([wrap], { $in: [VALUE, [literal]] }, 3)) },
    ]),
  ),
  literals: { $or: LITERALS.flatMap((literal) => [{ $eq: [VALUE, literal] }, { $in: [VALUE, LITERALS] }]) },
};

const queryOf = ($expr: Node) => ({ $expr }) as never;

describe('a thread prints what would be printed here', () => {
  test.each(Object.entries(QUERIES))('with %s', (_name, expression) => {
    const request: CallsRequest = {
      ...project,
      query: queryOf(expression),
      filter: { op_names: ['f', 'svc:///acme/demo/op/g:*'], thread_ids: ['a\0b', 't'], trace_roots_only: true },
      sort_by: [
        { field: 'feedback.[n].payload.v', direction: 'desc' },
        { field: 'inputs.a', direction: 'asc' },
      ],
      limit: 5,
      offset: 2,
    };
    const plan = planCalls(request, LIMITS);
    expect(statementOf(sentKeys(plan, sqliteDialect))).toEqual(printKeys(plan, sqliteDialect));
    for (const limit of [undefined, 3]) {
      expect(statementOf(sentCount(plan, limit, sqliteDialect))).toEqual(printCount(plan, limit, sqliteDialect));
    }
  });

  test('with a query for feedback', () => {
    const $expr = { $gt: [{ $getField: 'payload.v' }, { $literal: 1 }] };
    const plan = planFeedback({ ...project, query: queryOf($expr), fields: ['id'], limit: 5 }, LIMITS);
    expect(statementOf(sentFeedbackKeys(plan))).toEqual(printFeedbackKeys(plan));
    expect(statementOf(sentFeedbackCount(plan))).toEqual(printFeedbackCount(plan));
  });
});

/** Characters that are sent for each character of a query: its SQL has forty. */
const MOST_CHARACTERS = 12;

function charactersOf(sent: SentStatement): number {
  return 'plan' in sent ? sent.plan.length : sent.text.length;
}

test('what is sent to a thread is no longer than some times the query, however large that is', () => {
  const large = Object.entries(PLACES).flatMap(([place, wrap]) => [
    [`${place} at 47`, grownQuery([wrap], VALUE, 47)] as const,
    ...Object.entries(WIDE).map(
      ([name, widen]) => [`${name} < ${place}`, widen(Array.from({ length: 300 }, () => wrap(VALUE)))] as const,
    ),
  ]);
  const tooLong = large.flatMap(([name, expression]) => {
    const selection = planSelection({ ...project, query: queryOf(expression) }, LIMITS);
    const characters = charactersOf(sentCount(selection, undefined, sqliteDialect));
    const each = characters / JSON.stringify(expression).length;
    return each > MOST_CHARACTERS ? [`${name}: ${each.toFixed(1)}`] : [];
  });
  expect(tooLong).toEqual([]);
});

test('of thousands of values each takes few characters of the statement, however its path can be read', () => {
  const lengthOf = (count: number) => {
    const values = Array.from({ length: count }, (_, index) => ({ $getField: `inputs.a.0.1.${index}` }));
    const selection = planSelection({ ...project, query: queryOf({ $or: values }) }, LIMITS);
    return printCount(selection, undefined, sqliteDialect).text.length;
  };
  expect((lengthOf(4900) - lengthOf(2000)) / 2900).toBeLessThan(100);
  expect(lengthOf(2000)).toBeLessThan(500_000);
});
