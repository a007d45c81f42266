import type { ConvertTarget } from '../../../storage/contract/plan.ts';
import type { AnyOperand } from '../../../storage/values/any-record.ts';
import { convertValue } from '../../../storage/values/value.ts';
import { feedbackTypes, presenceOfFeedback } from './plan-feedback.ts';

/** A conversion; of a literal it is a literal, but for NULL: only a null that was written asks for absence. */
export function planConversion(input: AnyOperand, to: ConvertTarget): AnyOperand {
  const types = feedbackTypes(input);
  if (to === 'exists' && types.size > 0) return { kind: 'condition', condition: presenceOfFeedback(input, types) };
  if (input.kind !== 'literal') return { kind: 'convert', to, input };
  const value = convertValue(input.value, to);
  return value === null ? { kind: 'condition', condition: { kind: 'constant', value } } : { kind: 'literal', value };
}
