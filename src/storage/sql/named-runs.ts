import type { Condition, Operand } from '../contract/plan.ts';

/**
 * The runs of which a call must be of one for a condition to be TRUE; undefined where that cannot be told. Calls of a run have
 * started within its times, so all others can be left out.
 */
export function namedRuns(condition: Condition): readonly string[] | undefined {
  if (condition.kind === 'compare' && condition.operator === 'eq' && isRun(condition.left)) {
    return textsOf([condition.right]);
  }
  return condition.kind === 'in' && isRun(condition.operand) ? textsOf(condition.items) : undefined;
}

function isRun(operand: Operand): boolean {
  return operand.kind === 'text' && operand.column === 'process_run';
}

function textsOf(operands: readonly Operand[]): readonly string[] | undefined {
  const texts = operands.flatMap((operand) =>
    operand.kind === 'literal' && typeof operand.value === 'string' ? [operand.value] : [],
  );
  return texts.length === operands.length ? texts : undefined;
}
