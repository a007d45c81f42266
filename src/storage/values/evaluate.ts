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

/** Where the reading of a record is: made anew for each value and each feedback, so that it is small. */
interface Scope {
  readonly record: RecordValues;
  /** The feedback that the conditions around are at. */
  readonly at: ReadonlyMap<FeedbackType, FeedbackValues> | undefined;
  readonly bound: Bound | undefined;
  readonly check: (() => void) | undefined;
}

/** Values that conditions around have computed, the innermost first: it is the one that is asked for, of 50 in each other. */
interface Bound {
  readonly name: string;
  readonly value: JsonValue;
  readonly outer: Bound | undefined;
}

/**
 * TRUE, FALSE or NULL of a condition for one record. `check` is called for every part of it, once for each feedback that
 * it looks at: it may throw when that takes too long.
 */
export function evaluate(condition: AnyCondition, record: RecordValues, check?: () => void): Truth {
  return truthIn(condition, { record, at: undefined, bound: undefined, check });
}

function truthIn(condition: AnyCondition, scope: Scope): Truth {
  scope.check?.();
  switch (condition.kind) {
    case 'constant':
      return condition.value;
    case 'and':
      return not(anyOf(condition.conditions, (part) => not(truthIn(part, scope))));
    case 'or':
      return anyOf(condition.conditions, (part) => truthIn(part, scope));
    case 'not':
      return not(truthIn(condition.condition, scope));
    case 'some':
      return isSome(condition, scope);
    case 'isNull':
      return valueOf(condition.operand, scope) === null;
    case 'truth':
      return truthOf(condition.operand, scope);
    case 'compare':
      return compare(condition.operator, condition.left, condition.right, scope);
    case 'in':
      return isOneOf(condition, scope);
    case 'let':
      return truthIn(condition.condition, withValues(condition, scope));
    case 'contains':
    case 'containsToken':
      return search(condition, scope);
  }
}

/** Of a type there is one feedback at a time; a condition inside of an operand looks for its own. */
function isSome({ type, condition, whenNone }: AnyCondition & { kind: 'some' }, scope: Scope): Truth {
  const found = scope.record.feedback?.(type) ?? [];
  if (found.length === 0) return whenNone;
  return anyOf(found, (feedback) => {
    return truthIn(condition, { ...scope, at: new Map([...(scope.at ?? []), [type, feedback]]) });
  });
}

function withValues({ values }: AnyCondition & { kind: 'let' }, scope: Scope): Scope {
  let bound = scope.bound;
  for (const { name, operand } of values) bound = { name, value: valueOf(operand, scope), outer: bound };
  return bound === undefined ? scope : { ...scope, bound };
}

function valueOfName(name: string, { bound }: Scope): JsonValue {
  for (let next = bound; next !== undefined; next = next.outer) if (next.name === name) return next.value;
  throw new TypeError('A condition of a plan asks for a value that nothing has computed');
}

/** The value of an operand; times are texts, as conditions see them outside of time comparisons. */
function valueOf(operand: AnyOperand, scope: Scope): JsonValue {
  switch (operand.kind) {
    case 'literal':
      return operand.value;
    case 'text':
      return scope.record.text(operand.column);
    case 'integer':
      return scope.record.integer(operand.column);
    case 'time':
      return timeText(scope.record.time(operand.column));
    case 'json':
      return valueAtPath(scope.record.json(operand.column), operand.path);
    case 'feedback':
      return valueOfFeedback(operand, scope);
    case 'condition':
      return truthIn(operand.condition, scope);
    case 'convert':
      return convert(operand.input, operand.to, scope);
    case 'bound':
      return valueOfName(operand.name, scope);
  }
}

/** Conditions on feedback stand inside of a `some` for its type. */
function valueOfFeedback({ type, column, path }: FeedbackField, { at }: Scope): JsonValue {
  const feedback = at?.get(type);
  if (!feedback) throw new TypeError('A condition of a plan asks for feedback and does not say for which');
  return valueAtPath(feedback[column], path);
}

function compare(operator: ComparisonOperator, left: AnyOperand, right: AnyOperand, scope: Scope): Truth {
  const order = left.kind === 'time' ? orderOfTime(left, right, scope) : orderOf(left, right, scope);
  return typeof order === 'number' ? holds(operator, order) : order;
}

/** Literals beside a time are microseconds already. */
function orderOfTime(left: AnyOperand & { kind: 'time' }, right: AnyOperand, scope: Scope): Truth | number {
  const time = scope.record.time(left.column);
  const other = right.kind === 'time' ? scope.record.time(right.column) : right.kind === 'literal' ? right.value : null;
  if (right.kind !== 'time' && right.kind !== 'literal') {
    return compareValues(valueOf(left, scope), valueOf(right, scope));
  }
  if (time === null || other === null || !isNumber(other)) return null;
  return compareNumeric(numericOfNumber(time), numericOfNumber(other));
}

/** The operand is computed once, however many items there are. */
function isOneOf({ operand, items }: AnyCondition & { kind: 'in' }, scope: Scope): Truth {
  if (operand.kind === 'time') return anyOf(items, (item) => compare('eq', operand, item, scope));
  const reading = new Reading(valueOf(operand, scope));
  return anyOf(items, (item) => {
    scope.check?.();
    const order = orderToLiteral(reading, item.kind === 'literal' ? item.value : null);
    return typeof order === 'number' ? order === 0 : order;
  });
}

function orderOf(left: AnyOperand, right: AnyOperand, scope: Scope): Truth | number {
  const value = valueOf(left, scope);
  if (right.kind !== 'literal') return compareValues(value, valueOf(right, scope));
  return orderToLiteral(new Reading(value), right.value);
}

/** A value as literals ask for it: of a large one each reading takes long, and there may be thousands of literals. */
class Reading {
  readonly value: JsonValue;
  #text: string | undefined;
  #number: Numeric | null | undefined;

  constructor(value: JsonValue) {
    this.value = value;
  }

  text(): string {
    return (this.#text ??= textOfValue(this.value) ?? '');
  }

  number(): Numeric | null {
    return this.#number === undefined ? (this.#number = looseNumericOf(this.value)) : this.#number;
  }
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

function truthOf(operand: AnyOperand, scope: Scope): Truth {
  return operand.kind === 'time' ? null : truthOfValue(valueOf(operand, scope));
}

function convert(input: AnyOperand, to: ConvertTarget, scope: Scope): JsonValue {
  if (input.kind !== 'time' || to === 'string' || to === 'exists') return convertValue(valueOf(input, scope), to);
  const time = scope.record.time(input.column);
  return time === null || to === 'bool' ? null : convertValue(time / 1_000_000, to);
}

function search(condition: Extract<AnyCondition, { kind: 'contains' | 'containsToken' }>, scope: Scope): Truth {
  const text = textOfValue(valueOf(condition.input, scope));
  const substr = textOfValue(valueOf(condition.substr, scope));
  if (text === null || substr === null) return null;
  const find = condition.kind === 'contains' ? containsText : containsToken;
  return find(text, substr, { isCaseSensitive: condition.isCaseSensitive, check: scope.check });
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
