// docs/decisions/0030-values-of-a-query-are-computed-once.md says why.
import type { AnyComputed, AnyCondition, AnyOperand } from '../../../storage/values/any-record.ts';

/** Names of the values of one plan that are computed once. */
export class BindingNames {
  #count = 0;

  next(): string {
    return `v${this.#count++}`;
  }
}

/** Can the operand contain others? */
export function isComputed(operand: AnyOperand): operand is AnyComputed {
  return operand.kind === 'convert' || operand.kind === 'condition';
}

/**
 * A condition on operands, of which those that can contain others are computed once, before it: it may name them as
 * often as it likes.
 */
export function bindOnce(
  operands: readonly AnyOperand[],
  names: BindingNames,
  plan: (operands: readonly AnyOperand[]) => AnyCondition,
): AnyCondition {
  const values: { readonly name: string; readonly operand: AnyComputed }[] = [];
  const bound = operands.map((operand): AnyOperand => {
    if (!isComputed(operand)) return operand;
    const name = names.next();
    values.push({ name, operand });
    return { kind: 'bound', name };
  });
  const condition = plan(bound);
  return values.length === 0 ? condition : { kind: 'let', values, condition };
}
