import type { ToolCallPart } from '../../chat/chat.ts';
import { at } from '../../tree/numbers.ts';
import { isModelCall } from '../layout/model-of.ts';
import type { TraceSkeleton } from '../layout/skeleton.ts';
import { callName } from './row-text.ts';

/**
 * The call of a trace that did what a model asked for: the one of that name between this answer and the next of the same
 * caller, or, for what has its result in this conversation, the one before it. `undefined` where none or several fit.
 *
 * @param from the call of the model
 */
export function toolCallOf(skeleton: TraceSkeleton, from: number, { name, result }: ToolCallPart): number | undefined {
  const [first, last] = result === undefined ? [from + 1, nextAnswer(skeleton, from)] : [0, from];
  let found: number | undefined;
  for (let call = first; call < last; call++) {
    if (skeleton.ops[at(skeleton.op, call)]?.name !== name && callName(skeleton, call) !== name) continue;
    if (found !== undefined) return undefined;
    found = call;
  }
  return found;
}

/** Calls stand in the order in which they began. */
function nextAnswer(skeleton: TraceSkeleton, from: number): number {
  const caller = at(skeleton.parents, from);
  for (let call = from + 1; call < skeleton.count; call++) {
    if (at(skeleton.parents, call) === caller && isModelCall(skeleton, call)) return call;
  }
  return skeleton.count;
}
