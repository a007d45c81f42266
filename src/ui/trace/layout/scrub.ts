import { type CallTree, NONE } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';

/** A call's place among its peers. */
export interface Peers {
  /** From 1. */
  readonly position: number;
  readonly count: number;
}

export function peersOf(op: Uint32Array, call: number): Peers {
  let [position, count] = [0, 0];
  op.forEach((other, peer) => {
    if (other !== at(op, call)) return;
    count++;
    if (peer <= call) position++;
  });
  return { position, count };
}

/** The next call of the same op in order of start, or the one before; `undefined` at the end. */
export function samePeer(op: Uint32Array, call: number, step: 1 | -1): number | undefined {
  for (let peer = call + step; peer >= 0 && peer < op.length; peer += step) {
    if (at(op, peer) === at(op, call)) return peer;
  }
  return undefined;
}

export function sibling(tree: CallTree, call: number, step: 1 | -1): number | undefined {
  const next = at(tree.nextSibling, call);
  if (step === 1) return next === NONE ? undefined : next;
  let before: number | undefined;
  for (let other = at(tree.firstChild, at(tree.parent, call)); other !== call; other = at(tree.nextSibling, other)) {
    before = other;
  }
  return before;
}

/** Calls are numbered in order of their start. */
export function inStartOrder(count: number, call: number, step: 1 | -1): number | undefined {
  const next = call + step;
  return next >= 0 && next < count ? next : undefined;
}
