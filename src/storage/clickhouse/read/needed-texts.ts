import type { Condition, RecordField } from '../../contract/plan.ts';
import { conjuncts } from '../../values/condition-parts.ts';

/** The texts of which a column must be one where a condition is TRUE; undefined where it does not say so. */
export function neededTexts(
  condition: Condition<RecordField> | undefined,
  column: string,
): readonly string[] | undefined {
  for (const part of conjuncts<RecordField>(condition)) {
    const texts = textsOf(part, column);
    if (texts !== undefined) return texts;
  }
  return undefined;
}

function textsOf(part: Condition<RecordField>, column: string): readonly string[] | undefined {
  if (part.kind === 'in') return isColumn(part.operand, column) ? literals(part.items) : undefined;
  if (part.kind !== 'compare' || part.operator !== 'eq') return undefined;
  return isColumn(part.left, column) ? literals([part.right]) : undefined;
}

type AnyOperand = (Condition<RecordField> & { readonly kind: 'in' })['operand'];

function isColumn(operand: AnyOperand, column: string): boolean {
  return operand.kind === 'text' && operand.column === column;
}

function literals(operands: readonly AnyOperand[]): readonly string[] | undefined {
  const texts = operands.map((operand) => (operand.kind === 'literal' ? operand.value : undefined));
  return texts.every((text) => typeof text === 'string') ? texts : undefined;
}
