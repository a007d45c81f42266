import type { ConvertTarget, Operand } from '../../storage/plan.ts';
import { convertValue } from '../../storage/value.ts';

/** A conversion; of a literal it is a literal. */
export function planConversion(input: Operand, to: ConvertTarget): Operand {
  if (input.kind === 'literal') return { kind: 'literal', value: convertValue(input.value, to) };
  return { kind: 'convert', to, input };
}
