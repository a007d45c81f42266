import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { SortItem } from '../../../protocol/query.ts';
import type { Field, RecordField, SortKey } from '../../../storage/contract/plan.ts';
import { checkPath, parseField } from './field-path.ts';
import { malformed } from './query-error.ts';

const STARTED_AT: SortKey = { field: { kind: 'time', column: 'started_at' }, isDescending: false };
const ID: Field = { kind: 'text', column: 'id' };

/** Sort keys with one order only: where `id` is not among them it follows, in the direction of the last. */
export function planSort(items: readonly SortItem[], limits: Limits): SortKey[];
export function planSort<F extends RecordField>(
  items: readonly SortItem[],
  limits: Limits,
  parse: (path: string) => F,
): SortKey<F | Field>[];
export function planSort(
  items: readonly SortItem[],
  limits: Limits,
  parse: (path: string) => RecordField = parseField,
): SortKey<RecordField>[] {
  return planRecordSort(items, { parseField: parse, first: STARTED_AT, id: ID }, limits);
}

/** The order of a kind of record: its fields, the order of those who name none, and its ids. */
export interface SortableFields<F extends RecordField> {
  readonly parseField: (path: string) => F;
  readonly first: SortKey<F>;
  readonly id: F;
}

/** Sort keys of any kind of record. */
export function planRecordSort<F extends RecordField>(
  items: readonly SortItem[],
  { parseField: parse, first, id }: SortableFields<F>,
  limits: Limits,
): SortKey<F>[] {
  if (items.length > limits.sort_items) {
    throw new TracingError('too_many_items', `Cannot sort: there are more than ${limits.sort_items} fields`);
  }
  const keys =
    items.length === 0
      ? [first]
      : items.map((item, index) => planItem(item, index, (path) => parse(checkPath(path, limits))));
  if (keys.some(({ field }) => isId(field))) return keys;
  return [...keys, { field: id, isDescending: keys.at(-1)?.isDescending ?? false }];
}

function planItem<F extends RecordField>(
  { field, direction }: SortItem,
  index: number,
  parse: (path: string) => F,
): SortKey<F> {
  if (direction !== 'asc' && direction !== 'desc') {
    throw malformed(['body', 'sort_by', index, 'direction'], 'Input should be "asc" or "desc"', 'literal_error');
  }
  return { field: parse(field), isDescending: direction === 'desc' };
}

function isId(field: RecordField): boolean {
  return field.kind === 'text' && field.column === 'id';
}
