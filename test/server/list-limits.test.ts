import { expect, test } from 'vitest';
import { SERVED, type ServedName } from '../../src/protocol/endpoints.ts';
import { DEFAULT_LIMITS } from '../../src/protocol/limits.ts';
import { type ListRule, listRules } from '../../src/server/http/body/list-limits.ts';
import { compileRequest } from '../../src/server/http/body/request-schema.ts';

const NAMES = Object.keys(SERVED) as ServedName[];

/** The lists of a rule: the keys that lead to each, and how long it may be. */
function listsOf(rule: ListRule | undefined): ListRule[] {
  if (rule === undefined) return [];
  return rule.max === undefined ? [...rule.members.values()].flatMap(listsOf) : [rule];
}

/** A body that has nothing but a list. */
function bodyWith({ path }: ListRule, list: unknown): unknown {
  return path.split('.').reduceRight((value, key) => ({ [key]: value }), list);
}

const CASES = NAMES.flatMap((name) =>
  listsOf(name === 'otelExportTraces' ? undefined : listRules(name, DEFAULT_LIMITS)).map(
    (rule) => [name, rule.path, rule] as const,
  ),
);

test('every list of every request has a limit', () => {
  const found = CASES.map(([name, path]) => `${name} ${path}`);
  expect(found).toContain('callUpsertBatch batch');
  expect(found).toContain('tableCreate table.rows');
  expect(found).toContain('callsStreamQuery filter.op_names');
  expect(found.length).toBeGreaterThan(40);
});

test.each(CASES)('%s: %s is measured before its items and before what else is wrong', (name, path, rule) => {
  const { request } = SERVED[name] as { readonly request: Parameters<typeof compileRequest>[0] };
  const limits = { ...DEFAULT_LIMITS, rows_per_table: 1000 };
  const rules = listRules(name, limits);
  const max = path === 'table.rows' ? 1000 : (rule.max ?? 0);
  const check = compileRequest(request, rules);
  const listOf = (length: number) =>
    path === 'costs' ? Object.fromEntries(Array.from({ length }, (_, index) => [index, 1])) : Array(length).fill(1);
  const message = `Cannot read "${path}": it has more than ${max} items`;
  expect(() => check(bodyWith(rule, listOf(max + 1)))).toThrow(
    expect.objectContaining({ code: 'too_many_items', message }),
  );
  expect(() => check(bodyWith(rule, listOf(max)))).toThrow(expect.objectContaining({ code: 'validation_error' }));
});
