import { compareCodePoints } from '../../protocol/canonical-json.ts';
import { valueAtPath } from '../json-path.ts';
import { compareNumeric } from '../numeric.ts';
import type { Field, SortKey } from '../plan.ts';
import { looseNumericOf, textOfValue } from '../value.ts';
import { bodyOf, type VisibleCall } from './call-record.ts';
import { integerOfColumn, textOfColumn, timeOfColumn } from './field-value.ts';

export function sortCalls(calls: readonly VisibleCall[], keys: readonly SortKey[]): VisibleCall[] {
  return [...calls].sort((left, right) => {
    for (const { field, isDescending } of keys) {
      const order = compareByField(field, isDescending, left, right);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function compareByField(field: Field, isDescending: boolean, left: VisibleCall, right: VisibleCall): number {
  const direction = isDescending ? -1 : 1;
  switch (field.kind) {
    case 'text':
      return nullsLast(textOfColumn(left, field.column), textOfColumn(right, field.column), (a, b) => {
        return direction * compareCodePoints(a, b);
      });
    case 'time':
      return nullsLast(timeOfColumn(left, field.column), timeOfColumn(right, field.column), (a, b) => {
        return direction * (a - b);
      });
    case 'integer':
      return nullsLast(integerOfColumn(left, field.column), integerOfColumn(right, field.column), (a, b) => {
        return direction * (a - b);
      });
    case 'json':
      return compareJson(field, direction, left, right);
  }
}

/** Numbers and strings that are numbers come before other texts, whatever the direction. */
function compareJson(
  field: Field & { kind: 'json' },
  direction: number,
  left: VisibleCall,
  right: VisibleCall,
): number {
  const leftValue = valueAtPath(bodyOf(left, field.column), field.path);
  const rightValue = valueAtPath(bodyOf(right, field.column), field.path);
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
