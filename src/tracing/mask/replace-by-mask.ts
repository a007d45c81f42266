import { isLost, NOT_AWAITED } from '../record/ask-option.ts';
import { type Mask, MASKED } from './mask.ts';
import { reportProblem } from '../record/tracer.ts';

/** The value that the mask function puts in place of `value`. One that fails is reported and hides the value. */
export function replaceByMask({ value: replace }: Mask, value: unknown, path: readonly string[]): unknown {
  if (replace === undefined) return value;
  try {
    const replaced = replace(value, [...path]);
    if (!isLost(replace, replaced)) return replaced;
    reportProblem('mask_option', 'Cannot use the mask function', NOT_AWAITED);
  } catch (error) {
    reportProblem('mask_option', `The mask function threw at "${path.join('.')}", which is hidden`, error);
  }
  return MASKED;
}
