import type { Condition, Operand, SortKey } from '../../contract/plan.ts';
import { mayBeToken } from '../../sql/prefilter.ts';
import { conjuncts, fieldsOf } from '../../values/condition-parts.ts';
import { isArrayIndex } from '../../values/json-path.ts';

/**
 * The parts of a condition that SQL says exactly: those on columns, and some on JSON, which it says exactly unless a body is
 * odd (`call-rows.ts`). The others are evaluated in the service.
 */
export interface SplitCondition {
  readonly onColumns: readonly Condition[];
  readonly onJson: readonly Condition[];
  readonly evaluated: readonly Condition[];
}

export function splitCondition(condition: Condition | undefined): SplitCondition {
  const parts = conjuncts(condition);
  const exact = parts.filter(isExact);
  const hasJson = (part: Condition) => fieldsOf(part).some(({ kind }) => kind === 'json');
  return {
    onColumns: exact.filter((part) => !hasJson(part)),
    onJson: exact.filter(hasJson),
    evaluated: parts.filter((part) => !isExact(part)),
  };
}

function isExact(condition: Condition): boolean {
  switch (condition.kind) {
    case 'constant':
      return true;
    case 'and':
    case 'or':
      return condition.conditions.every(isExact);
    case 'not':
      return isExact(condition.condition);
    case 'isNull':
      return isColumn(condition.operand) || isPlace(condition.operand);
    case 'truth':
      return isPlace(condition.operand) || isExistence(condition.operand);
    case 'compare':
      return isExactComparison(condition);
    case 'in':
      return isColumn(condition.operand)
        ? condition.items.every(isPlainLiteral)
        : isPlace(condition.operand) && condition.items.every((item) => isJsonLiteral(item));
    case 'contains':
      return condition.isCaseSensitive && condition.input.kind === 'text' && isText(condition.substr);
    default:
      return false;
  }
}

function isExactComparison({ operator, left, right }: Condition & { kind: 'compare' }): boolean {
  if (isColumn(left)) return isPlainLiteral(right) || areTimes(left, right);
  return isPlace(left) && isJsonLiteral(right) && (operator === 'eq' || !isText(right));
}

/** Members by names that need no escape; digits may be places in arrays. A span is put among attributes when they are read. */
function isPlace(operand: Operand): boolean {
  if (operand.kind !== 'json' || operand.path.length === 0) return false;
  if (operand.column === 'attributes' && operand.path[0] === 'otel_span') return false;
  return operand.path.every((part) => part !== '' && !isArrayIndex(part) && !/["\\\p{Cc}\p{Cs}]/u.test(part));
}

function isExistence(operand: Operand): boolean {
  return operand.kind === 'convert' && operand.to === 'exists' && isPlace(operand.input);
}

/** A text that is nothing but a text, or a number below those that doubles have gaps between. */
function isJsonLiteral(operand: Operand): boolean {
  if (operand.kind !== 'literal') return false;
  const { value } = operand;
  return typeof value === 'string' ? !mayBeToken(value) : typeof value === 'number' && Math.abs(value) <= 2 ** 52;
}

function isColumn({ kind }: Operand): boolean {
  return kind === 'text' || kind === 'time' || kind === 'integer';
}

/** Beside a column a literal has its type. */
function isPlainLiteral(operand: Operand): boolean {
  return operand.kind === 'literal' && (typeof operand.value === 'string' || typeof operand.value === 'number');
}

function isText(operand: Operand): boolean {
  return operand.kind === 'literal' && typeof operand.value === 'string';
}

function areTimes(left: Operand, right: Operand): boolean {
  return left.kind === 'time' && right.kind === 'time';
}

/** Can the database put calls in this order? */
export function isExactSort(sort: readonly SortKey[]): boolean {
  return sort.every(({ field }) => isColumn(field));
}
