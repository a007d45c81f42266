import { compareCodePoints } from '../protocol/canonical-json.ts';
import { valueAtPath } from './json-path.ts';
import { compareNumeric } from './numeric.ts';
import type { RecordField, SortKey } from './plan.ts';
import { looseNumericOf, textOfValue } from './value.ts';
import type { RecordValues } from './record-values.ts';

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
      return compareJson(field, direction, left, right);
  }
}

/** Numbers and strings that are numbers come before other texts, whatever the direction. */
function compareJson(
  field: RecordField & { kind: 'json' },
  direction: number,
  left: RecordValues,
  right: RecordValues,
): number {
  const leftValue = valueAtPath(left.json(field.column), field.path);
  const rightValue = valueAtPath(right.json(field.column), field.path);
  return nullsLast(textOfValue(leftValue), textOfValue(rightValue), (leftText, rightText) => {
    const leftNumber = looseNumericOf(leftValue);
    const rightNumber = looseNumericOf(rightValue);
    if (leftNumber === null && rightNumber === null) return direction * compareCodePoints(leftText, rightText);
    return nullsLast(leftNumber, rightNumber, (a, b) => direction * compareNumeric(a, b));
  });
}

function nullsLast<Value>(left: Value | null, right: Value | null, compare: (a: Value, b: Value) => number): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return compare(left, right);
}
