import { compareCodePoints, type JsonValue } from '../../protocol/values/canonical-json.ts';
import { compareNumeric, type Numeric } from './numeric.ts';
import { looseNumericOf, textOfValue } from './value.ts';

/** The form in which a value is sorted; `text` is null where there is no value, and counts where there is no number. */
export interface SortValue {
  readonly text: string | null;
  readonly number: Numeric | null;
}

export function sortValueOf(value: JsonValue): SortValue {
  return { text: textOfValue(value), number: looseNumericOf(value) };
}

/** The form in which a time or an integer is sorted. */
export function sortNumberOf(number: number | null): SortValue {
  return number === null ? ABSENT : { text: '', number };
}

export const ABSENT: SortValue = { text: null, number: null };

/** Order of protocol 7.6: what is absent last, numbers and strings that are numbers before other texts, in both directions. */
export function compareSortValues(left: SortValue, right: SortValue, isDescending: boolean): number {
  const direction = isDescending ? -1 : 1;
  return nullsLast(left.text, right.text, (leftText, rightText) => {
    if (left.number === null && right.number === null) return direction * compareCodePoints(leftText, rightText);
    return nullsLast(left.number, right.number, (a, b) => direction * compareNumeric(a, b));
  });
}

function nullsLast<Value>(left: Value | null, right: Value | null, compare: (a: Value, b: Value) => number): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return compare(left, right);
}
