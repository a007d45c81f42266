import { compareCodePoints, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseDateOrDateTime } from '../../../protocol/values/date-time.ts';
import { compareNumeric, numberOfNumeric, numericOfNumber } from '../../../storage/values/numeric.ts';
import type { ComparisonOperator } from '../../../storage/contract/plan.ts';
import type { AnyCondition, AnyOperand } from '../../../storage/values/any-record.ts';
import {
  isContainer,
  isNumber,
  isStructurallyEqual,
  looseNumericOf,
  textOfValue,
} from '../../../storage/values/value.ts';
import type { BindingNames } from './bind-values.ts';
import { absenceOf, planBesideFeedback } from './plan-feedback.ts';
import { type Location, refused } from './query-error.ts';

const NULL: AnyCondition = { kind: 'constant', value: null };

/**
 * A comparison as engines want it: never of two literals, a literal only on the right and in the type of
 * the column it meets, a time only on the left of anything that is no time.
 */
export function planComparison(
  operator: ComparisonOperator,
  left: AnyOperand,
  right: AnyOperand,
  { loc, names }: { readonly loc: Location; readonly names: BindingNames },
): AnyCondition {
  return planBesideFeedback([left, right], names, ([first = left, second = right]) =>
    planOneComparison(operator, first, second, loc),
  );
}

/** The same for one feedback of each type that the operands are of. */
export function planOneComparison(
  operator: ComparisonOperator,
  left: AnyOperand,
  right: AnyOperand,
  loc: Location,
): AnyCondition {
  refuseOrderOfContainers(operator, left, right, loc);
  if (right.kind === 'literal') return withLiteral(operator, left, right.value, loc);
  if (left.kind === 'literal') return withLiteral(mirrored(operator), right, left.value, loc);
  if (right.kind === 'time' && left.kind !== 'time')
    return { kind: 'compare', operator: mirrored(operator), left: right, right: left };
  return { kind: 'compare', operator, left, right };
}

/**
 * A literal in the type of the operand it is compared with: text for text, microseconds for times, a number
 * for integers. Null where the comparison is NULL for every value.
 */
export function literalFor(operand: AnyOperand, literal: JsonValue, loc: Location): JsonValue {
  switch (operand.kind) {
    case 'text':
      return isContainer(literal) ? null : textOfValue(literal);
    case 'time':
      return microsecondsOf(literal, loc);
    case 'integer':
      return integerLiteral(literal);
    case 'feedback':
      return operand.column === 'payload' || isContainer(literal) ? literal : textOfValue(literal);
    default:
      return literal;
  }
}

function withLiteral(
  operator: ComparisonOperator,
  operand: AnyOperand,
  literal: JsonValue,
  loc: Location,
): AnyCondition {
  if (literal === null) return withNull(operator, operand);
  if (operand.kind === 'literal') return { kind: 'constant', value: compareLiterals(operator, operand.value, literal) };
  const value = literalFor(operand, literal, loc);
  if (value === null) return NULL;
  return { kind: 'compare', operator, left: operand, right: { kind: 'literal', value } };
}

/** `$eq` with a literal null asks whether there is a value; an order with null is NULL. */
function withNull(operator: ComparisonOperator, operand: AnyOperand): AnyCondition {
  if (operator !== 'eq') return NULL;
  if (operand.kind === 'literal') return { kind: 'constant', value: operand.value === null };
  return absenceOf(operand);
}

/** Literals of one type have their natural order; of two types they are unequal and have none. */
function compareLiterals(operator: ComparisonOperator, left: JsonValue, right: JsonValue): boolean | null {
  if (left === null) return operator === 'eq' ? right === null : null;
  const order = orderOfLiterals(left, right);
  if (order === undefined) return operator === 'eq' ? isStructurallyEqual(left, right) : null;
  if (operator === 'eq') return order === 0;
  if (operator === 'gt' || operator === 'gte') return order > 0 || (operator === 'gte' && order === 0);
  return order < 0 || (operator === 'lte' && order === 0);
}

function orderOfLiterals(left: JsonValue, right: JsonValue): number | undefined {
  if (isNumber(left) && isNumber(right)) return compareNumeric(numericOfNumber(left), numericOfNumber(right));
  if (typeof left === 'string' && typeof right === 'string') return compareCodePoints(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  return undefined;
}

function microsecondsOf(literal: JsonValue, loc: Location): number | null {
  if (isNumber(literal)) return Math.round(Number(literal) * 1_000_000);
  if (typeof literal !== 'string') return null;
  const micros = parseDateOrDateTime(literal);
  if (micros === undefined) throw refused(loc, `"${literal.slice(0, 100)}" is neither a date-time nor a date`);
  return micros;
}

function integerLiteral(literal: JsonValue): JsonValue {
  if (isNumber(literal)) return literal;
  if (typeof literal !== 'string' || looseNumericOf(literal) === null) return null;
  return numberOfNumeric(looseNumericOf(literal) ?? 0);
}

function refuseOrderOfContainers(
  operator: ComparisonOperator,
  left: AnyOperand,
  right: AnyOperand,
  loc: Location,
): void {
  const hasContainer = [left, right].some((operand) => operand.kind === 'literal' && isContainer(operand.value));
  if (hasContainer && operator !== 'eq') throw refused(loc, 'objects and lists have no order');
}

function mirrored(operator: ComparisonOperator): ComparisonOperator {
  const MIRROR = { eq: 'eq', gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte' } as const;
  return MIRROR[operator];
}
