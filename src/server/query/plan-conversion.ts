import type { ConvertTarget, AnyOperand } from '../../storage/plan.ts';
import { convertValue } from '../../storage/value.ts';

/** A conversion; of a literal it is a literal, but for NULL: only a null that was written asks for absence. */
export function planConversion(input: AnyOperand, to: ConvertTarget): AnyOperand {
  if (input.kind !== 'literal') return { kind: 'convert', to, input };
  const value = convertValue(input.value, to);
  return value === null ? { kind: 'condition', condition: { kind: 'constant', value } } : { kind: 'literal', value };
}
