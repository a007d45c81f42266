import type { Condition, Operand, SortKey } from '../../contract/plan.ts';
import { conjuncts } from '../../values/condition-parts.ts';

/** The parts of a condition that SQL says exactly, and the others, which are evaluated in the service. */
export interface SplitCondition {
  readonly printed: readonly Condition[];
  readonly evaluated: readonly Condition[];
}

export function splitCondition(condition: Condition | undefined): SplitCondition {
  const parts = conjuncts(condition);
  return { printed: parts.filter(isExact), evaluated: parts.filter((part) => !isExact(part)) };
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
      return isColumn(condition.operand);
    case 'compare':
      return isColumn(condition.left) && (isPlainLiteral(condition.right) || areTimes(condition.left, condition.right));
    case 'in':
      return isColumn(condition.operand) && condition.items.every(isPlainLiteral);
    case 'contains':
      return condition.isCaseSensitive && condition.input.kind === 'text' && isText(condition.substr);
    default:
      return false;
  }
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
