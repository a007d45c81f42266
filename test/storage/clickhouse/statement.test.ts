import { expect, test } from 'vitest';
import { bindTexts, statementOf } from '../../../src/storage/clickhouse/statement.ts';
import { bind, sql } from '../../../src/storage/sql/sql.ts';

const MAX_CHARACTERS = 2500;

/** As the values stand in an address. */
function besideOf(text: string, count: number): number {
  const texts = Array.from({ length: count }, () => text);
  const { query, query_params: beside } = statementOf(sql`SELECT ${bindTexts(texts)}, ${bind(text)}`);
  const values = Object.entries(beside).map(([key, value]): [string, string] => [key, JSON.stringify(value)]);
  // Nothing is lost: what is not beside it stands in it.
  expect(values.length > 0 || query.includes(text.slice(0, 1))).toBe(true);
  return new URLSearchParams(values).toString().length;
}

test.each(['a', '文', '🎉', '%', ' ', '"', '\ud800'])(
  'values of %j beside a statement are as short as an address is to be',
  (text) => {
    for (const count of [0, 1, 10, 50, 100, 300, 700, 1000, 1900]) {
      expect(besideOf(text, count)).toBeLessThan(MAX_CHARACTERS);
      expect(besideOf(text.repeat(count), 1)).toBeLessThan(MAX_CHARACTERS);
    }
  },
);

test('few values stand beside a statement', () => {
  expect(statementOf(sql`SELECT ${bind('文')}, ${bindTexts(['a', 'b'])}`)).toEqual({
    query: 'SELECT {p0:String}, {p1:Array(String)}',
    query_params: { p0: '文', p1: ['a', 'b'] },
  });
});

test('nothing is the same beside a statement of few values and of many', () => {
  const few = sql`SELECT ${bind(null)}`;
  expect(statementOf(few)).toEqual({ query: 'SELECT NULL', query_params: {} });
  expect(statementOf(sql`${few}, ${bind('a'.repeat(3000))}`).query).toMatch(/^SELECT NULL, 'a/);
});
