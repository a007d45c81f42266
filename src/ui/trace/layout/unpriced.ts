import type { CallTree } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';
import type { TraceSkeleton } from './skeleton.ts';

type Used = Pick<TraceSkeleton, 'tokensIn' | 'tokensOut' | 'costs'>;

const known = new WeakMap<Used, Uint8Array>();

/** 1 for each call that used tokens without a price, or has such a one below it: its money is not all. */
export function unpricedCalls(used: Used, tree: CallTree): Uint8Array {
  const before = known.get(used);
  if (before !== undefined) return before;
  const found = new Uint8Array(tree.count);
  for (let place = tree.count - 1; place >= 0; place--) {
    const call = at(tree.order, place);
    const hasTokens = at(used.tokensIn, call) + at(used.tokensOut, call) > 0;
    if (hasTokens && Number.isNaN(at(used.costs, call))) found[call] = 1;
    const parent = at(tree.parent, call);
    if (parent < tree.count && at(found, call) === 1) found[parent] = 1;
  }
  known.set(used, found);
  return found;
}
