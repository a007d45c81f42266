import { beforeAll, expect, test } from 'vitest';
import { contains, convert, eq, field, gt, gte, literal, not } from './expressions.ts';
import { ENDED, onEveryEngine, STARTED } from './service.ts';

const VALUES: readonly unknown[] = [
  ...Array.from({ length: 10 }, (_, i) => ({ prim: i, list: [i], dict: { inner: i }, str: `str_${i}` })),
  { prim: 'Different Type', list: 'Different Type', dict: 'Different Type', str: false },
  'simple_primitive',
  42,
];

const P = convert(field('inputs.v.prim'), 'int');

const TRUTH_TABLE: readonly (readonly [name: string, expression: object, count: number])[] = [
  ['1 = 1', eq(literal(1), literal(1)), 13],
  ['1 = 2', eq(literal(1), literal(2)), 0],
  ['P = 5', eq(P, literal(5)), 1],
  ['P > 5', gt(P, literal(5)), 4],
  ['P >= 5', gte(P, literal(5)), 5],
  ['not (P > 5)', not(gt(P, literal(5))), 6],
  ['not (P >= 5)', not(gte(P, literal(5))), 5],
  ['inputs.v = "simple_primitive"', eq(field('inputs.v'), literal('simple_primitive')), 1],
  ['output = "simple_primitive"', eq(field('output'), literal('simple_primitive')), 1],
  ['inputs.v.prim = 5 without convert', eq(field('inputs.v.prim'), literal(5)), 1],
  ['convert(inputs.v.prim, string) = "5"', eq(convert(field('inputs.v.prim'), 'string'), literal('5')), 1],
  ['convert(inputs.v.str, int) = 5', eq(convert(field('inputs.v.str'), 'int'), literal(5)), 0],
  ['contains(inputs.v.str, "")', contains(field('inputs.v.str'), ''), 11],
  ['contains(inputs.v.str, "str")', contains(field('inputs.v.str'), 'str'), 10],
  ['contains(inputs.v.str, "STR")', contains(field('inputs.v.str'), 'STR'), 0],
  ['contains(inputs.v.str, "STR") without case', contains(field('inputs.v.str'), 'STR', true), 10],
  ['not (P > 7) and P >= 5', { $and: [not(gt(P, literal(7))), gte(P, literal(5))] }, 3],
  ['not (P > 3) or P >= 9', { $or: [not(gt(P, literal(3))), gte(P, literal(9))] }, 5],
  ['convert(inputs.v.list.0, int) > 5', gt(convert(field('inputs.v.list.0'), 'int'), literal(5)), 4],
  ['convert(inputs.v.dict.inner, int) > 5', gt(convert(field('inputs.v.dict.inner'), 'int'), literal(5)), 4],
  ['convert(output.list.0, int) > 5', gt(convert(field('output.list.0'), 'int'), literal(5)), 4],
  ['convert(inputs.v.prim, exists)', convert(field('inputs.v.prim'), 'exists'), 11],
  ['inputs.v.nope = null', eq(field('inputs.v.nope'), literal(null)), 13],
];

const SORTED: readonly unknown[] = [
  { prim: null },
  { not_prim: 1 },
  { prim: 100 },
  { prim: 2 },
  { prim: 'b' },
  { prim: 'a' },
];

onEveryEngine((service) => {
  const project_id = 'acme/truth';
  const sorted = 'acme/sorted';

  beforeAll(async () => {
    const itemsOf = (project: string, values: readonly unknown[]) =>
      values.flatMap((v, index) => [
        {
          mode: 'start',
          req: {
            start: {
              project_id: project,
              id: `c${index}`,
              op_name: 'f',
              trace_id: 't',
              started_at: STARTED,
              inputs: { v },
            },
          },
        },
        { mode: 'end', req: { end: { project_id: project, id: `c${index}`, ended_at: ENDED, output: v } } },
      ]);
    const batch = [...itemsOf(project_id, VALUES), ...itemsOf(sorted, SORTED)];
    await service.write(batch);
  });

  test.each(TRUTH_TABLE)('%s', async (_name, expression, count) => {
    const query = { $expr: expression };
    expect((await service.post('/calls/query_stats', { project_id, query })).body).toMatchObject({ count });
    expect(await service.query({ project_id, query })).toHaveLength(count);
  });

  test.each([
    ['desc', [100, 2, 'b', 'a']],
    ['asc', [2, 100, 'a', 'b']],
  ])('the sort by inputs.v.prim %s', async (direction, present) => {
    const calls = await service.query({ project_id: sorted, sort_by: [{ field: 'inputs.v.prim', direction }] });
    const values = calls.map(({ inputs }) => (inputs as { v: { prim?: unknown } }).v.prim ?? '–');
    expect(values).toEqual([...present, '–', '–']);
  });
});
