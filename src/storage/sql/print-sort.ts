import type { SortKey } from '../plan.ts';
import type { Dialect } from './dialect.ts';
import { raw, type Sql, sql } from './sql.ts';

/** Columns of visible calls that are never NULL, so that an index in their order can be used. */
const ALWAYS_THERE: readonly string[] = [
  'id',
  'project_id',
  'op_name',
  'trace_id',
  'started_at',
  'status',
  'trace_name',
];

/** The terms of an ORDER BY: what is absent comes last in both directions, of JSON values numbers before texts. */
export function printSort(keys: readonly SortKey[], dialect: Dialect): Sql[] {
  return keys.flatMap((key) => (key.field.kind === 'json' ? jsonTerms(key, dialect) : columnTerms(key, dialect)));
}

function columnTerms({ field, isDescending }: SortKey, dialect: Dialect): Sql[] {
  const value = columnOf(field, dialect);
  const term = directed(value, isDescending);
  if (field.kind === 'json' || ALWAYS_THERE.includes(field.column)) return [term];
  return [sql`${value} IS NULL`, term];
}

function jsonTerms({ field, isDescending }: SortKey, dialect: Dialect): Sql[] {
  if (field.kind !== 'json') return [];
  const number = dialect.jsonLooseNumber(field);
  return [
    dialect.jsonIsNull(field),
    sql`${number} IS NULL`,
    directed(number, isDescending),
    // Equal numbers of different texts, such as 1 and "1.0", stay equal: the next key decides.
    directed(sql`CASE WHEN ${number} IS NULL THEN ${dialect.jsonText(field)} END`, isDescending),
  ];
}

function directed(value: Sql, isDescending: boolean): Sql {
  return sql`${value} ${raw(isDescending ? 'DESC' : 'ASC')}`;
}

function columnOf(field: SortKey['field'], dialect: Dialect): Sql {
  switch (field.kind) {
    case 'text':
      return dialect.text(field.column);
    case 'time':
      return dialect.time(field.column);
    case 'integer':
      return dialect.integer(field.column);
    case 'json':
      return dialect.jsonText(field);
  }
}
