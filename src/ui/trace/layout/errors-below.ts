import type { CallTree } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';
import { CallState } from './skeleton.ts';

/** How many calls below each one failed themselves. */
export function errorsBelow(tree: CallTree, states: Uint8Array): Int32Array {
  const below = new Int32Array(tree.count);
  for (let place = tree.count - 1; place >= 0; place--) {
    const call = at(tree.order, place);
    const parent = at(tree.parent, call);
    if (parent >= tree.count) continue;
    below[parent] = at(below, parent) + at(below, call) + Number(at(states, call) === CallState.error);
  }
  return below;
}
