import { valueAtPath } from './json-path.ts';
import type { RecordField, SortKey } from '../contract/plan.ts';
import type { RecordValues } from './record-values.ts';
import { ABSENT, compareSortValues, sortNumberOf, type SortValue, sortValueOf } from './sort-values.ts';

/** Records in the order of protocol 7.6. */
export function sortRecords<Item>(
  items: readonly Item[],
  keys: readonly SortKey<RecordField>[],
  valuesOf: (item: Item) => RecordValues,
): Item[] {
  const records = items.map((item) => ({ item, values: sortValuesOf(valuesOf(item), keys) }));
  records.sort((left, right) => compareRecords(left.values, right.values, keys));
  return records.map(({ item }) => item);
}

/** The values that a record sorts by, one for each key. */
export function sortValuesOf(record: RecordValues, keys: readonly SortKey<RecordField>[]): SortValue[] {
  return keys.map(({ field }) => valueOf(record, field));
}

/** Order of two records by what they sort by. */
export function compareRecords(
  left: readonly SortValue[],
  right: readonly SortValue[],
  keys: readonly { readonly isDescending: boolean }[],
): number {
  for (const [index, { isDescending }] of keys.entries()) {
    const order = compareSortValues(left[index] ?? ABSENT, right[index] ?? ABSENT, isDescending);
    if (order !== 0) return order;
  }
  return 0;
}

/** A text column is a text even where it looks like a number. */
function valueOf(record: RecordValues, field: RecordField): SortValue {
  switch (field.kind) {
    case 'text':
      return { text: record.text(field.column), number: null };
    case 'time':
      return sortNumberOf(record.time(field.column));
    case 'integer':
      return sortNumberOf(record.integer(field.column));
    case 'json':
      return sortValueOf(valueAtPath(record.json(field.column), field.path));
    case 'feedback':
      // Of several feedbacks the most recent one counts.
      return sortValueOf(valueAtPath(record.feedback?.(field.type).at(-1)?.[field.column] ?? null, field.path));
  }
}
