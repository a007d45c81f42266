import { at } from '../../tree/numbers.ts';
import { cutCycles } from './cut-cycles.ts';

/**
 * The tree of the calls, as columns indexed by call. Two nodes more, `roots` and `detached`, are the parents of those
 * that have none and of those whose parent is not in the trace: each call has a parent, and each list of siblings one.
 */
export interface CallTree {
  readonly count: number;
  readonly roots: number;
  readonly detached: number;
  readonly parent: Int32Array;
  /** By node; -1: none. Children are in order of their start, as calls are. */
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
  readonly childCount: Int32Array;
  /** Calls from top to bottom: parents before their children, also when a clock says otherwise. */
  readonly order: Int32Array;
  /** Where in `order` a call is; the calls below it follow it. */
  readonly place: Int32Array;
  readonly depth: Int32Array;
  /** How many calls there are in the tree that starts with this one. */
  readonly size: Int32Array;
}

export const NONE = -1;

/** Builds the tree without recursion: a trace may be as deep as it is long. */
export function callTreeOf(parents: Int32Array): CallTree {
  const count = parents.length;
  const parent = nodesOf(cutCycles(parents));
  const links = linksOf(parent);
  const walked = walk(parent, links);
  return { count, roots: count, detached: count + 1, parent, ...links, ...walked, size: sizesOf(parent, walked.order) };
}

/** The calls of the tree that starts with this one, from top to bottom. */
export function subtreeOf(tree: CallTree, call: number): Int32Array {
  const place = at(tree.place, call);
  return tree.order.subarray(place, place + at(tree.size, call));
}

/** Parents as nodes: -1 and -2 become `roots` and `detached`. */
function nodesOf(parents: Int32Array): Int32Array {
  const count = parents.length;
  return parents.map((parent) => (parent >= 0 ? parent : count - 1 - parent));
}

function linksOf(parent: Int32Array): Pick<CallTree, 'firstChild' | 'nextSibling' | 'childCount'> {
  const count = parent.length;
  const firstChild = new Int32Array(count + 2).fill(NONE);
  const nextSibling = new Int32Array(count).fill(NONE);
  const childCount = new Int32Array(count + 2);
  // From the last to the first, so that lists are in order of start.
  for (let call = count - 1; call >= 0; call--) {
    const node = at(parent, call);
    nextSibling[call] = at(firstChild, node);
    firstChild[node] = call;
    childCount[node] = at(childCount, node) + 1;
  }
  return { firstChild, nextSibling, childCount };
}

function walk(
  parent: Int32Array,
  { firstChild, nextSibling }: Pick<CallTree, 'firstChild' | 'nextSibling'>,
): Pick<CallTree, 'order' | 'place' | 'depth'> {
  const count = parent.length;
  const order = new Int32Array(count);
  const place = new Int32Array(count);
  const depth = new Int32Array(count);
  let length = 0;
  for (const top of [count, count + 1]) {
    let level = top === count ? 0 : 1;
    let call = at(firstChild, top);
    while (call !== NONE) {
      place[call] = length;
      depth[call] = level;
      order[length++] = call;
      if (at(firstChild, call) !== NONE) {
        call = at(firstChild, call);
        level++;
        continue;
      }
      while (call < count && at(nextSibling, call) === NONE) {
        call = at(parent, call);
        level--;
      }
      call = call < count ? at(nextSibling, call) : NONE;
    }
  }
  return { order, place, depth };
}

function sizesOf(parent: Int32Array, order: Int32Array): Int32Array {
  const size = new Int32Array(parent.length).fill(1);
  for (let place = order.length - 1; place >= 0; place--) {
    const call = at(order, place);
    const node = at(parent, call);
    if (node < size.length) size[node] = at(size, node) + at(size, call);
  }
  return size;
}
