import type { Condition, Field, Operand, RecordField } from '../contract/plan.ts';

/** The parts that must all be TRUE for a condition to be TRUE. */
export function conjuncts<F extends RecordField = Field>(condition: Condition<F> | undefined): readonly Condition<F>[] {
  if (condition === undefined) return [];
  return condition.kind === 'and' ? condition.conditions.flatMap((part) => conjuncts(part)) : [condition];
}

type Part<F extends RecordField> = Condition<F> | Operand<F>;

/** Every field that a condition looks at, as often as it does. */
export function fieldsOf<F extends RecordField = Field>(condition: Condition<F>): F[] {
  return partsOf(condition).filter((part): part is F => FIELD_KINDS.includes(part.kind));
}

const FIELD_KINDS: readonly string[] = ['text', 'time', 'integer', 'json', 'feedback'] satisfies RecordField['kind'][];

/** How many conditions on feedback there are in a condition, itself among them. */
export function countSome<F extends RecordField = Field>(condition: Condition<F>): number {
  return partsOf(condition).filter(({ kind }) => kind === 'some').length;
}

/** The condition and all that it is made of, however deep, but for the literals of lists, of which there may be very many. */
function partsOf<F extends RecordField>(condition: Condition<F>): Part<F>[] {
  const parts: Part<F>[] = [condition];
  // The list grows while it is gone through.
  for (const part of parts) for (const child of childrenOf(part)) parts.push(child);
  return parts;
}

function childrenOf<F extends RecordField>(part: Part<F>): readonly Part<F>[] {
  switch (part.kind) {
    case 'and':
    case 'or':
      return part.conditions;
    case 'not':
    case 'some':
    case 'condition':
      return [part.condition];
    case 'isNull':
    case 'truth':
      return [part.operand];
    case 'compare':
      return [part.left, part.right];
    case 'in':
      return [part.operand];
    case 'let':
      return [...part.values.map(({ operand }) => operand), part.condition];
    case 'contains':
    case 'containsToken':
      return [part.input, part.substr];
    case 'convert':
      return [part.input];
    default:
      return [];
  }
}
