import { compareCodePoints, type JsonValue } from '../../protocol/canonical-json.ts';
import { formatDateTime } from '../../protocol/date-time.ts';
import { valueAtPath } from '../json-path.ts';
import { compareNumeric, numericOfNumber } from '../numeric.ts';
import type { ComparisonOperator, Condition, ConvertTarget, Operand } from '../plan.ts';
import { containsText, containsToken } from '../text-search.ts';
import {
  compareValues,
  convertValue,
  isContainer,
  isNumber,
  isStructurallyEqual,
  looseBooleanOf,
  looseNumericOf,
  textOfValue,
  truthOfValue,
} from '../value.ts';
import { bodyOf, type VisibleCall } from './call-record.ts';
import { integerOfColumn, textOfColumn, timeOfColumn } from './field-value.ts';

type Truth = boolean | null;

/** TRUE, FALSE or NULL of a condition for one call. */
export function evaluate(condition: Condition, call: VisibleCall): Truth {
  switch (condition.kind) {
    case 'constant':
      return condition.value;
    case 'and':
      return not(anyOf(condition.conditions, (part) => not(evaluate(part, call))));
    case 'or':
      return anyOf(condition.conditions, (part) => evaluate(part, call));
    case 'not':
      return not(evaluate(condition.condition, call));
    case 'isNull':
      return valueOf(condition.operand, call) === null;
    case 'truth':
      return truthOf(condition.operand, call);
    case 'compare':
      return compare(condition.operator, condition.left, condition.right, call);
    case 'in':
      return isOneOf(condition, call);
    case 'contains':
    case 'containsToken':
      return search(condition, call);
  }
}

/** The value of an operand; times are texts, as conditions see them outside of time comparisons. */
function valueOf(operand: Operand, call: VisibleCall): JsonValue {
  switch (operand.kind) {
    case 'literal':
      return operand.value;
    case 'text':
      return textOfColumn(call, operand.column);
    case 'integer':
      return integerOfColumn(call, operand.column);
    case 'time':
      return timeText(timeOfColumn(call, operand.column));
    case 'json':
      return valueAtPath(bodyOf(call, operand.column), operand.path);
    case 'condition':
      return evaluate(operand.condition, call);
    case 'convert':
      return convert(operand.input, operand.to, call);
  }
}

function compare(operator: ComparisonOperator, left: Operand, right: Operand, call: VisibleCall): Truth {
  const order = left.kind === 'time' ? orderOfTime(left, right, call) : orderOf(left, right, call);
  return typeof order === 'number' ? holds(operator, order) : order;
}

/** Literals beside a time are microseconds already. */
function orderOfTime(left: Operand & { kind: 'time' }, right: Operand, call: VisibleCall): Truth | number {
  const time = timeOfColumn(call, left.column);
  const other =
    right.kind === 'time' ? timeOfColumn(call, right.column) : right.kind === 'literal' ? right.value : null;
  if (right.kind !== 'time' && right.kind !== 'literal') {
    return compareValues(valueOf(left, call), valueOf(right, call));
  }
  if (time === null || other === null || !isNumber(other)) return null;
  return compareNumeric(numericOfNumber(time), numericOfNumber(other));
}

/** The operand is computed once, however many items there are. */
function isOneOf({ operand, items }: Condition & { kind: 'in' }, call: VisibleCall): Truth {
  if (operand.kind === 'time') return anyOf(items, (item) => compare('eq', operand, item, call));
  const value = valueOf(operand, call);
  return anyOf(items, (item) => {
    const order = orderToLiteral(value, item.kind === 'literal' ? item.value : null);
    return typeof order === 'number' ? order === 0 : order;
  });
}

function orderOf(left: Operand, right: Operand, call: VisibleCall): Truth | number {
  const value = valueOf(left, call);
  if (right.kind !== 'literal') return compareValues(value, valueOf(right, call));
  return orderToLiteral(value, right.value);
}

/** The literal decides how a value is read; FALSE is "not equal" where there is no order. */
function orderToLiteral(value: JsonValue, literal: JsonValue): Truth | number {
  if (value === null || literal === null) return null;
  if (isContainer(literal)) return isStructurallyEqual(value, literal) ? 0 : false;
  if (typeof literal === 'string') return compareCodePoints(textOfValue(value) ?? '', literal);
  if (typeof literal === 'boolean') {
    const truth = looseBooleanOf(value);
    return truth === null ? null : Number(truth) - Number(literal);
  }
  const number = looseNumericOf(value);
  return number === null ? null : compareNumeric(number, numericOfNumber(literal));
}

function holds(operator: ComparisonOperator, order: number): boolean {
  switch (operator) {
    case 'eq':
      return order === 0;
    case 'gt':
      return order > 0;
    case 'gte':
      return order >= 0;
    case 'lt':
      return order < 0;
    case 'lte':
      return order <= 0;
  }
}

function truthOf(operand: Operand, call: VisibleCall): Truth {
  return operand.kind === 'time' ? null : truthOfValue(valueOf(operand, call));
}

function convert(input: Operand, to: ConvertTarget, call: VisibleCall): JsonValue {
  if (input.kind !== 'time' || to === 'string' || to === 'exists') return convertValue(valueOf(input, call), to);
  const time = timeOfColumn(call, input.column);
  return time === null || to === 'bool' ? null : convertValue(time / 1_000_000, to);
}

function search(condition: Extract<Condition, { kind: 'contains' | 'containsToken' }>, call: VisibleCall): Truth {
  const text = textOfValue(valueOf(condition.input, call));
  const substr = textOfValue(valueOf(condition.substr, call));
  if (text === null || substr === null) return null;
  const find = condition.kind === 'contains' ? containsText : containsToken;
  return find(text, substr, condition.isCaseSensitive);
}

function timeText(micros: number | null): string | null {
  return micros === null ? null : formatDateTime(micros);
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

/** Kleene or: TRUE if one is, else NULL if one is, else FALSE. */
function anyOf<Item>(items: readonly Item[], truthOfItem: (item: Item) => Truth): Truth {
  let result: Truth = false;
  for (const item of items) {
    const truth = truthOfItem(item);
    if (truth === true) return true;
    if (truth === null) result = null;
  }
  return result;
}
