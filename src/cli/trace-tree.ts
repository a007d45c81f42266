import type { Call } from '../protocol/call.ts';
import type { TreeItem } from './output/tree.ts';

interface CallItem extends TreeItem<Call> {
  readonly children: CallItem[];
}

/**
 * The trees that the calls of a trace make up, each level in the order given. A call whose parent is not among
 * them is a root. Calls that are their own ancestors are cut apart: every call is in one tree, once.
 */
export function treesOf(calls: readonly Call[]): TreeItem<Call>[] {
  const items = new Map<string, CallItem>(calls.map((call) => [call.id, { value: call, children: [] }]));
  const roots: CallItem[] = [];
  for (const item of items.values()) {
    const parent = parentOf(item, items);
    if (parent === undefined) roots.push(item);
    else parent.children.push(item);
  }
  const reached = new Set(roots.flatMap(itemsBelow));
  for (const item of items.values()) {
    if (reached.has(item)) continue;
    const siblings = parentOf(item, items)?.children ?? [];
    siblings.splice(siblings.indexOf(item), 1);
    roots.push(item);
    for (const below of itemsBelow(item)) reached.add(below);
  }
  return roots;
}

/** The item of a call with all below it. */
export function treeBelow(roots: readonly TreeItem<Call>[], callId: string): TreeItem<Call> | undefined {
  return roots.flatMap(itemsBelow).find(({ value }) => value.id === callId);
}

/** The calls of a tree, parents before children. */
export function callsOf(root: TreeItem<Call>): Call[] {
  return itemsBelow(root).map(({ value }) => value);
}

function parentOf(item: CallItem, items: ReadonlyMap<string, CallItem>): CallItem | undefined {
  return item.value.parent_id === null ? undefined : items.get(item.value.parent_id);
}

/** The item and all below it, parents before children; without recursion, since a trace may be very deep. */
function itemsBelow<Item extends TreeItem<Call>>(root: Item): Item[] {
  const found = new Set<Item>();
  const open = [root];
  for (let item = open.pop(); item; item = open.pop()) {
    if (found.has(item)) continue;
    found.add(item);
    // Children are of the same kind as their parent. One by one: a call takes only so many arguments.
    for (const child of item.children.toReversed()) open.push(child as Item);
  }
  return [...found];
}
