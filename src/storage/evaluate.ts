import { compareCodePoints, type JsonValue } from '../protocol/canonical-json.ts';
import { formatDateTime } from '../protocol/date-time.ts';
import { valueAtPath } from './json-path.ts';
import { compareNumeric, numericOfNumber } from './numeric.ts';
import type { AnyCondition, AnyOperand, ComparisonOperator, ConvertTarget } from './plan.ts';
import { containsText, containsToken } from './text-search.ts';
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
} from './value.ts';
import type { RecordValues } from './record-values.ts';

type Truth = boolean | null;

/** TRUE, FALSE or NULL of a condition for one record. */
export function evaluate(condition: AnyCondition, record: RecordValues): Truth {
  switch (condition.kind) {
    case 'constant':
      return condition.value;
    case 'and':
      return not(anyOf(condition.conditions, (part) => not(evaluate(part, record))));
    case 'or':
      return anyOf(condition.conditions, (part) => evaluate(part, record));
    case 'not':
      return not(evaluate(condition.condition, record));
    case 'isNull':
      return valueOf(condition.operand, record) === null;
    case 'truth':
      return truthOf(condition.operand, record);
    case 'compare':
      return compare(condition.operator, condition.left, condition.right, record);
    case 'in':
      return isOneOf(condition, record);
    case 'contains':
    case 'containsToken':
      return search(condition, record);
  }
}

/** The value of an operand; times are texts, as conditions see them outside of time comparisons. */
function valueOf(operand: AnyOperand, record: RecordValues): JsonValue {
  switch (operand.kind) {
    case 'literal':
      return operand.value;
    case 'text':
      return record.text(operand.column);
    case 'integer':
      return record.integer(operand.column);
    case 'time':
      return timeText(record.time(operand.column));
    case 'json':
      return valueAtPath(record.json(operand.column), operand.path);
    case 'condition':
      return evaluate(operand.condition, record);
    case 'convert':
      return convert(operand.input, operand.to, record);
  }
}

function compare(operator: ComparisonOperator, left: AnyOperand, right: AnyOperand, record: RecordValues): Truth {
  const order = left.kind === 'time' ? orderOfTime(left, right, record) : orderOf(left, right, record);
  return typeof order === 'number' ? holds(operator, order) : order;
}

/** Literals beside a time are microseconds already. */
function orderOfTime(left: AnyOperand & { kind: 'time' }, right: AnyOperand, record: RecordValues): Truth | number {
  const time = record.time(left.column);
  const other = right.kind === 'time' ? record.time(right.column) : right.kind === 'literal' ? right.value : null;
  if (right.kind !== 'time' && right.kind !== 'literal') {
    return compareValues(valueOf(left, record), valueOf(right, record));
  }
  if (time === null || other === null || !isNumber(other)) return null;
  return compareNumeric(numericOfNumber(time), numericOfNumber(other));
}

/** The operand is computed once, however many items there are. */
function isOneOf({ operand, items }: AnyCondition & { kind: 'in' }, record: RecordValues): Truth {
  if (operand.kind === 'time') return anyOf(items, (item) => compare('eq', operand, item, record));
  const value = valueOf(operand, record);
  return anyOf(items, (item) => {
    const order = orderToLiteral(value, item.kind === 'literal' ? item.value : null);
    return typeof order === 'number' ? order === 0 : order;
  });
}

function orderOf(left: AnyOperand, right: AnyOperand, record: RecordValues): Truth | number {
  const value = valueOf(left, record);
  if (right.kind !== 'literal') return compareValues(value, valueOf(right, record));
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

function truthOf(operand: AnyOperand, record: RecordValues): Truth {
  return operand.kind === 'time' ? null : truthOfValue(valueOf(operand, record));
}

function convert(input: AnyOperand, to: ConvertTarget, record: RecordValues): JsonValue {
  if (input.kind !== 'time' || to === 'string' || to === 'exists') return convertValue(valueOf(input, record), to);
  const time = record.time(input.column);
  return time === null || to === 'bool' ? null : convertValue(time / 1_000_000, to);
}

function search(condition: Extract<AnyCondition, { kind: 'contains' | 'containsToken' }>, record: RecordValues): Truth {
  const text = textOfValue(valueOf(condition.input, record));
  const substr = textOfValue(valueOf(condition.substr, record));
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
