import type { CallTree } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';
import { CallState, type TraceSkeleton } from './skeleton.ts';

type Named = Pick<TraceSkeleton, 'count' | 'ids' | 'ops' | 'op' | 'names' | 'models' | 'errors'>;

/** Calls whose name, op, model, error or id holds the text, from top to bottom. */
export function findCalls(calls: Named, tree: CallTree, text: string): Int32Array {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return new Int32Array(0);
  const holds = (value: string | undefined): boolean => value?.toLowerCase().includes(wanted) ?? false;
  const opHolds = calls.ops.map(({ name }) => holds(name));
  return tree.order.filter(
    (call) =>
      opHolds[at(calls.op, call)] === true ||
      holds(calls.names.get(call)) ||
      holds(calls.models.get(call)) ||
      holds(calls.errors.get(call)) ||
      holds(calls.ids[call]),
  );
}

/** Calls that failed themselves, from top to bottom. */
export function failedCalls({ states }: Pick<TraceSkeleton, 'states'>, tree: CallTree): Int32Array {
  return tree.order.filter((call) => at(states, call) === CallState.error);
}

/** The next of some calls after this one, or the one before it; round from the last to the first. */
export function stepAmong(
  found: Int32Array,
  tree: CallTree,
  from: number | undefined,
  step: 1 | -1,
): number | undefined {
  if (found.length === 0) return undefined;
  const place = from === undefined ? (step === 1 ? -1 : tree.count) : at(tree.place, from);
  const next =
    step === 1
      ? found.find((call) => at(tree.place, call) > place)
      : found.findLast((call) => at(tree.place, call) < place);
  return next ?? found.at(step === 1 ? 0 : -1);
}
