import type { Field, SortKey } from '../contract/plan.ts';
import type { Dialect, JsonPlace } from './dialect.ts';
import { feedbackColumn, payloadOf, type Scope } from './scope.ts';
import { raw, type Sql, sql } from './sql.ts';

/** Columns of visible calls and of feedback that are never NULL, so that an index in their order can be used. */
const ALWAYS_THERE: readonly string[] = [
  'id',
  'project_id',
  'op_name',
  'trace_id',
  'started_at',
  'created_at',
  'status',
  'trace_name',
];

/** The terms of an ORDER BY: what is absent comes last in both directions, of JSON values numbers before texts. */
export function printSort(keys: readonly SortKey[], scope: Scope): Sql[] {
  return keys.flatMap(({ field, isDescending }) => termsOf(field, isDescending, scope));
}

function termsOf(field: Field, isDescending: boolean, scope: Scope): Sql[] {
  const { dialect } = scope;
  switch (field.kind) {
    case 'json':
      return jsonTerms(dialect.json(field), isDescending, dialect);
    case 'feedback':
      if (field.column === 'payload') return jsonTerms(payloadOf(field, scope), isDescending, dialect);
      return columnTerms(feedbackColumn(field, scope), isDescending);
    default: {
      const value = columnOf(field, dialect);
      return ALWAYS_THERE.includes(field.column) ? [directed(value, isDescending)] : columnTerms(value, isDescending);
    }
  }
}

function columnTerms(value: Sql, isDescending: boolean): Sql[] {
  return [sql`${value} IS NULL`, directed(value, isDescending)];
}

function jsonTerms(place: JsonPlace, isDescending: boolean, dialect: Dialect): Sql[] {
  const number = dialect.jsonLooseNumber(place);
  return [
    dialect.jsonIsNull(place),
    sql`${number} IS NULL`,
    directed(number, isDescending),
    // Equal numbers of different texts, such as 1 and "1.0", stay equal: the next key decides.
    directed(sql`CASE WHEN ${number} IS NULL THEN ${dialect.jsonText(place)} END`, isDescending),
  ];
}

function directed(value: Sql, isDescending: boolean): Sql {
  return sql`${value} ${raw(isDescending ? 'DESC' : 'ASC')}`;
}

function columnOf(field: Exclude<Field, { kind: 'json' | 'feedback' }>, dialect: Dialect): Sql {
  switch (field.kind) {
    case 'text':
      return dialect.text(field.column);
    case 'time':
      return dialect.time(field.column);
    case 'integer':
      return dialect.integer(field.column);
  }
}
