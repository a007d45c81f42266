import { TracingError } from '../../protocol/error.ts';
import type { Limits } from '../../protocol/limits.ts';
import type { SortItem } from '../../protocol/query.ts';
import type { Field, SortKey } from '../../storage/plan.ts';
import { parseField } from './field-path.ts';
import { malformed } from './query-error.ts';

const STARTED_AT: SortKey = { field: { kind: 'time', column: 'started_at' }, isDescending: false };

/** Sort keys with one order only: where `id` is not among them it follows, in the direction of the last. */
export function planSort(items: readonly SortItem[], limits: Limits): SortKey[] {
  if (items.length > limits.sort_items) {
    throw new TracingError('too_many_items', `Cannot sort: there are more than ${limits.sort_items} fields`);
  }
  const keys = items.length === 0 ? [STARTED_AT] : items.map(planItem);
  if (keys.some(({ field }) => isId(field))) return keys;
  return [...keys, { field: { kind: 'text', column: 'id' }, isDescending: keys.at(-1)?.isDescending ?? false }];
}

function planItem({ field, direction }: SortItem, index: number): SortKey {
  if (direction !== 'asc' && direction !== 'desc') {
    throw malformed(['body', 'sort_by', index, 'direction'], 'Input should be "asc" or "desc"', 'literal_error');
  }
  return { field: parseField(field), isDescending: direction === 'desc' };
}

function isId(field: Field): boolean {
  return field.kind === 'text' && field.column === 'id';
}
