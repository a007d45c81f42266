import { at } from '../../tree/numbers.ts';
import type { TraceSkeleton } from './skeleton.ts';

/** Only these ask a model; usage rolls up, so the others know the models of what is below them. */
const ASKING = new Set(['llm', 'embedding']);

/** Does the call ask a model itself? */
export function isModelCall({ ops, op }: Pick<TraceSkeleton, 'ops' | 'op'>, call: number): boolean {
  return ASKING.has(ops[at(op, call)]?.kind ?? '');
}

/** Are both calls of one op, and of one model where they ask one? What sums take together is marked together. */
export function isSameWork(
  skeleton: Pick<TraceSkeleton, 'ops' | 'op' | 'models'>,
  one: number,
  other: number,
): boolean {
  return skeleton.op[one] === skeleton.op[other] && modelOf(skeleton, one) === modelOf(skeleton, other);
}

/** The model that a call asked itself. */
export function modelOf(skeleton: Pick<TraceSkeleton, 'ops' | 'op' | 'models'>, call: number): string | undefined {
  return isModelCall(skeleton, call) ? skeleton.models.get(call) : undefined;
}
