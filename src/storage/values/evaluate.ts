import { compareCodePoints, type JsonValue } from '../../protocol/values/canonical-json.ts';
import { formatDateTime } from '../../protocol/values/date-time.ts';
import { valueAtPath } from './json-path.ts';
import { compareNumeric, type Numeric, numericOfNumber } from './numeric.ts';
import type { ComparisonOperator, ConvertTarget, FeedbackField, FeedbackType } from '../contract/plan.ts';
import type { AnyCondition, AnyOperand } from './any-record.ts';
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
import type { FeedbackValues, RecordValues } from './record-values.ts';

type Truth = boolean | null;

/** A record, which of its feedback the conditions around are at, and the values that they have computed. */
interface Scope extends RecordValues {
  readonly at?: ReadonlyMap<FeedbackType, FeedbackValues>;
  readonly bound?: ReadonlyMap<string, JsonValue>;
  readonly check?: () => void;
}

/**
 * TRUE, FALSE or NULL of a condition for one record. `check` is called for every part of it, once for each feedback that
 * it looks at: it may throw when that takes too long.
 */
export function evaluate(condition: AnyCondition, record: RecordValues, check?: () => void): Truth {
  return truthIn(condition, check ? { ...record, check } : record);
}

function truthIn(condition: AnyCondition, record: Scope): Truth {
  record.check?.();
  switch (condition.kind) {
    case 'constant':
      return condition.value;
    case 'and':
      return not(anyOf(condition.conditions, (part) => not(truthIn(part, record))));
    case 'or':
      return anyOf(condition.conditions, (part) => truthIn(part, record));
    case 'not':
      return not(truthIn(condition.condition, record));
    case 'some':
      return isSome(condition, record);
    case 'isNull':
      return valueOf(condition.operand, record) === null;
    case 'truth':
      return truthOf(condition.operand, record);
    case 'compare':
      return compare(condition.operator, condition.left, condition.right, record);
    case 'in':
      return isOneOf(condition, record);
    case 'let':
      return truthIn(condition.condition, withValues(condition, record));
    case 'contains':
    case 'containsToken':
      return search(condition, record);
  }
}

/** Of a type there is one feedback at a time; a condition inside of an operand looks for its own. */
function isSome({ type, condition, whenNone }: AnyCondition & { kind: 'some' }, record: Scope): Truth {
  const found = record.feedback?.(type) ?? [];
  if (found.length === 0) return whenNone;
  return anyOf(found, (feedback) => {
    return truthIn(condition, { ...record, at: new Map([...(record.at ?? []), [type, feedback]]) });
  });
}

function withValues({ values }: AnyCondition & { kind: 'let' }, record: Scope): Scope {
  const computed = values.map(({ name, operand }) => [name, valueOf(operand, record)] as const);
  return { ...record, bound: new Map([...(record.bound ?? []), ...computed]) };
}

function valueOfName(name: string, { bound }: Scope): JsonValue {
  const value = bound?.get(name);
  if (value === undefined) throw new TypeError('A condition of a plan asks for a value that nothing has computed');
  return value;
}

/** The value of an operand; times are texts, as conditions see them outside of time comparisons. */
function valueOf(operand: AnyOperand, record: Scope): JsonValue {
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
    case 'feedback':
      return valueOfFeedback(operand, record);
    case 'condition':
      return truthIn(operand.condition, record);
    case 'convert':
      return convert(operand.input, operand.to, record);
    case 'bound':
      return valueOfName(operand.name, record);
  }
}

/** Conditions on feedback stand inside of a `some` for its type. */
function valueOfFeedback({ type, column, path }: FeedbackField, { at }: Scope): JsonValue {
  const feedback = at?.get(type);
  if (!feedback) throw new TypeError('A condition of a plan asks for feedback and does not say for which');
  return valueAtPath(feedback[column], path);
}

function compare(operator: ComparisonOperator, left: AnyOperand, right: AnyOperand, record: Scope): Truth {
  const order = left.kind === 'time' ? orderOfTime(left, right, record) : orderOf(left, right, record);
  return typeof order === 'number' ? holds(operator, order) : order;
}

/** Literals beside a time are microseconds already. */
function orderOfTime(left: AnyOperand & { kind: 'time' }, right: AnyOperand, record: Scope): Truth | number {
  const time = record.time(left.column);
  const other = right.kind === 'time' ? record.time(right.column) : right.kind === 'literal' ? right.value : null;
  if (right.kind !== 'time' && right.kind !== 'literal') {
    return compareValues(valueOf(left, record), valueOf(right, record));
  }
  if (time === null || other === null || !isNumber(other)) return null;
  return compareNumeric(numericOfNumber(time), numericOfNumber(other));
}

/** The operand is computed once, however many items there are. */
function isOneOf({ operand, items }: AnyCondition & { kind: 'in' }, record: Scope): Truth {
  if (operand.kind === 'time') return anyOf(items, (item) => compare('eq', operand, item, record));
  const reading = readingOf(valueOf(operand, record));
  return anyOf(items, (item) => {
    record.check?.();
    const order = orderToLiteral(reading, item.kind === 'literal' ? item.value : null);
    return typeof order === 'number' ? order === 0 : order;
  });
}

function orderOf(left: AnyOperand, right: AnyOperand, record: Scope): Truth | number {
  const value = valueOf(left, record);
  if (right.kind !== 'literal') return compareValues(value, valueOf(right, record));
  return orderToLiteral(readingOf(value), right.value);
}

/** A value as literals ask for it: of a large one each reading takes long, and there may be thousands of literals. */
interface Reading {
  readonly value: JsonValue;
  readonly text: () => string;
  readonly number: () => Numeric | null;
}

function readingOf(value: JsonValue): Reading {
  let text: string | undefined;
  let number: Numeric | null | undefined;
  return {
    value,
    text: () => (text ??= textOfValue(value) ?? ''),
    number: () => (number === undefined ? (number = looseNumericOf(value)) : number),
  };
}

/** The literal decides how a value is read; FALSE is "not equal" where there is no order. */
function orderToLiteral(reading: Reading, literal: JsonValue): Truth | number {
  const { value } = reading;
  if (value === null || literal === null) return null;
  if (isContainer(literal)) return isStructurallyEqual(value, literal) ? 0 : false;
  if (typeof literal === 'string') return compareCodePoints(reading.text(), literal);
  if (typeof literal === 'boolean') {
    const truth = looseBooleanOf(value);
    return truth === null ? null : Number(truth) - Number(literal);
  }
  const number = reading.number();
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

function truthOf(operand: AnyOperand, record: Scope): Truth {
  return operand.kind === 'time' ? null : truthOfValue(valueOf(operand, record));
}

function convert(input: AnyOperand, to: ConvertTarget, record: Scope): JsonValue {
  if (input.kind !== 'time' || to === 'string' || to === 'exists') return convertValue(valueOf(input, record), to);
  const time = record.time(input.column);
  return time === null || to === 'bool' ? null : convertValue(time / 1_000_000, to);
}

function search(condition: Extract<AnyCondition, { kind: 'contains' | 'containsToken' }>, record: Scope): Truth {
  const text = textOfValue(valueOf(condition.input, record));
  const substr = textOfValue(valueOf(condition.substr, record));
  if (text === null || substr === null) return null;
  const find = condition.kind === 'contains' ? containsText : containsToken;
  return find(text, substr, { isCaseSensitive: condition.isCaseSensitive, check: record.check });
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
