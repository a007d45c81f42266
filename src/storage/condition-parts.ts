import type { Condition, Field, Operand, RecordField } from './plan.ts';

/** The parts that must all be TRUE for a condition to be TRUE. */
export function conjuncts<F extends RecordField = Field>(condition: Condition<F> | undefined): readonly Condition<F>[] {
  if (condition === undefined) return [];
  return condition.kind === 'and' ? condition.conditions.flatMap((part) => conjuncts(part)) : [condition];
}

/** Every field that a condition looks at, as often as it does. */
export function fieldsOf<F extends RecordField = Field>(condition: Condition<F>): F[] {
  switch (condition.kind) {
    case 'constant':
      return [];
    case 'and':
    case 'or':
      return condition.conditions.flatMap((part) => fieldsOf(part));
    case 'not':
    case 'some':
      return fieldsOf(condition.condition);
    case 'isNull':
    case 'truth':
      return fieldsOfOperands<F>(condition.operand);
    case 'compare':
      return fieldsOfOperands<F>(condition.left, condition.right);
    case 'in':
      return fieldsOfOperands<F>(condition.operand, ...condition.items);
    case 'let':
      return [
        ...condition.values.flatMap(({ operand }) => fieldsOfOperands<F>(operand)),
        ...fieldsOf(condition.condition),
      ];
    case 'contains':
    case 'containsToken':
      return fieldsOfOperands<F>(condition.input, condition.substr);
  }
}

function fieldsOfOperands<F extends RecordField>(...operands: readonly Operand<F>[]): F[] {
  return operands.flatMap((operand) => {
    switch (operand.kind) {
      case 'literal':
      case 'bound':
        return [];
      case 'convert':
        return fieldsOfOperands<F>(operand.input);
      case 'condition':
        return fieldsOf(operand.condition);
      default:
        return [operand];
    }
  });
}
