import { compareCodePoints } from '../protocol/canonical-json.ts';
import { valueAtPath } from './json-path.ts';
import type { FeedbackField, RecordField, SortKey } from './plan.ts';
import type { RecordValues } from './record-values.ts';
import { compareSortValues, nullsLast, type SortValue, sortValueOf } from './sort-values.ts';

/** Records in the order of protocol 7.6. */
export function sortRecords<Item>(
  items: readonly Item[],
  keys: readonly SortKey<RecordField>[],
  valuesOf: (item: Item) => RecordValues,
): Item[] {
  const records = items.map((item) => ({ item, values: valuesOf(item) }));
  records.sort((left, right) => {
    for (const { field, isDescending } of keys) {
      const order = compareByField(field, isDescending, left.values, right.values);
      if (order !== 0) return order;
    }
    return 0;
  });
  return records.map(({ item }) => item);
}

function compareByField(field: RecordField, isDescending: boolean, left: RecordValues, right: RecordValues): number {
  const direction = isDescending ? -1 : 1;
  switch (field.kind) {
    case 'text':
      return nullsLast(left.text(field.column), right.text(field.column), (a, b) => {
        return direction * compareCodePoints(a, b);
      });
    case 'time':
      return nullsLast(left.time(field.column), right.time(field.column), (a, b) => {
        return direction * (a - b);
      });
    case 'integer':
      return nullsLast(left.integer(field.column), right.integer(field.column), (a, b) => {
        return direction * (a - b);
      });
    case 'json':
      return compareSortValues(jsonOf(left, field), jsonOf(right, field), isDescending);
    case 'feedback':
      return compareSortValues(latestOf(left, field), latestOf(right, field), isDescending);
  }
}

/** Of several feedbacks the most recent one counts. */
function latestOf(record: RecordValues, { type, column, path }: FeedbackField): SortValue {
  return sortValueOf(valueAtPath(record.feedback?.(type).at(-1)?.[column] ?? null, path));
}

function jsonOf(record: RecordValues, { column, path }: RecordField & { kind: 'json' }): SortValue {
  return sortValueOf(valueAtPath(record.json(column), path));
}
