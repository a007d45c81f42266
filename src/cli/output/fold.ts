import type { Call } from '../../protocol/call.ts';
import { nameOf, statusOf } from '../call-row.ts';
import type { TreeItem } from './tree.ts';

/** One call, or several that are shown as one. */
export type CallGroup = readonly [Call, ...Call[]];

/** More calls alike in one place tell a person no more than one line about all of them. */
const MAX_ALIKE = 8;

/** The same trees with one call per item. */
export function unfolded(items: readonly TreeItem<Call>[]): TreeItem<CallGroup>[] {
  return items.map((item) => group([item.value], () => unfolded(item.children)));
}

/**
 * The same trees, in which more than eight successful calls of one name, below one parent and without children of
 * their own, are one item at the place of the first.
 */
export function folded(items: readonly TreeItem<Call>[]): TreeItem<CallGroup>[] {
  const alike = new Map<string, [Call, ...Call[]]>();
  for (const { value } of items.filter(isFoldable)) {
    const calls = alike.get(nameOf(value));
    if (calls) calls.push(value);
    else alike.set(nameOf(value), [value]);
  }
  return items.flatMap((item) => {
    const calls = isFoldable(item) ? alike.get(nameOf(item.value)) : undefined;
    if (!calls || calls.length <= MAX_ALIKE) return [group([item.value], () => folded(item.children))];
    return item.value === calls[0] ? [group(calls, () => [])] : [];
  });
}

function isFoldable({ value, children }: TreeItem<Call>): boolean {
  return children.length === 0 && statusOf(value) === 'success';
}

/** Children when they are asked for: a trace may be deeper than the call stack. */
function group(value: CallGroup, childrenOf: () => TreeItem<CallGroup>[]): TreeItem<CallGroup> {
  let children: TreeItem<CallGroup>[] | undefined;
  return {
    value,
    get children() {
      return (children ??= childrenOf());
    },
  };
}
