import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { JsonColumn } from '../../../storage/contract/plan.ts';
import { INTEGER_COLUMNS, isOneOf, JSON_COLUMNS, SIZE_COLUMNS, TEXT_COLUMNS, TIME_COLUMNS } from './call-columns.ts';
import { checkPath, firstPart } from './field-path.ts';

const PLAIN_COLUMNS = [...TEXT_COLUMNS, ...TIME_COLUMNS, ...INTEGER_COLUMNS, ...SIZE_COLUMNS];

/** The bodies that the named columns need; none named means all. A dotted path needs its whole field. */
export function planBodies(columns: readonly string[], limits: Limits): ReadonlySet<JsonColumn> {
  if (columns.length > limits.columns) {
    throw new TracingError('too_many_items', `Cannot select columns: there are more than ${limits.columns}`);
  }
  if (columns.length === 0) return new Set(JSON_COLUMNS);
  const fields = new Set<string>(columns.map((column) => topLevelField(checkPath(column, limits))));
  return new Set(JSON_COLUMNS.filter((body) => fields.has(body)));
}

function topLevelField(column: string): string {
  const { part: field, isAll } = firstPart(column);
  if (isOneOf(JSON_COLUMNS, field) || (isOneOf(PLAIN_COLUMNS, field) && isAll)) return field;
  throw new TracingError('invalid_field', `Cannot select column "${column.slice(0, 200)}": calls have no such field`);
}
