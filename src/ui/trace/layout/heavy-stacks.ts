import type { CallTree } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';
import { CallState } from './skeleton.ts';

/** Calls that were reached through the same ops, taken together. */
export interface HeavyStack {
  readonly op: number;
  readonly depth: number;
  /** Microseconds of these calls and of those below them in which nothing below was at work. */
  readonly weight: number;
  readonly self: number;
  readonly calls: number;
  readonly errors: number;
  /** One of the calls: the one with most time. */
  readonly heaviest: number;
  /** Where it starts, in the same unit as its weight. */
  readonly from: number;
}

interface Draft {
  readonly parent: number;
  readonly op: number;
  weight: number;
  self: number;
  calls: number;
  errors: number;
  heaviest: number;
  most: number;
}

export interface WeighedCalls {
  readonly tree: CallTree;
  readonly op: Uint32Array;
  readonly states: Uint8Array;
  readonly self: Float64Array;
  readonly start: Float64Array;
  readonly end: Float64Array;
}

/**
 * The trace by where its time went: same stacks merged, the heaviest first on each level. Time counts once for each call
 * that spends it, so what runs at the same time adds up.
 */
export function heavyStacks(calls: WeighedCalls): HeavyStack[] {
  const drafts = merge(calls);
  for (let index = drafts.length - 1; index >= 0; index--) {
    const draft = drafts[index];
    const parent = draft && drafts[draft.parent];
    if (draft && parent) parent.weight += draft.weight;
  }
  return arrange(drafts);
}

/** Are both calls in one stack: reached through the same ops, and of the same one? */
export function isSameStack({ tree, op }: Pick<WeighedCalls, 'tree' | 'op'>, one: number, other: number): boolean {
  let [left, right] = [one, other];
  while (left < tree.count && right < tree.count) {
    if (left === right) return true;
    if (at(op, left) !== at(op, right)) return false;
    [left, right] = [at(tree.parent, left), at(tree.parent, right)];
  }
  return left >= tree.count && right >= tree.count;
}

function merge({ tree, op, states, self, start, end }: WeighedCalls): Draft[] {
  const drafts: Draft[] = [];
  const known = new Map<number, number>();
  const stackOf = new Int32Array(tree.count);
  const opCount = op.reduce((most, index) => Math.max(most, index), 0) + 1;
  for (const call of tree.order) {
    const parentCall = at(tree.parent, call);
    const parent = parentCall < tree.count ? at(stackOf, parentCall) : -1;
    const key = (parent + 1) * opCount + at(op, call);
    const index = known.get(key) ?? drafts.length;
    known.set(key, index);
    stackOf[call] = index;
    const draft = (drafts[index] ??= newDraft(parent, at(op, call), call));
    const time = at(end, call) - at(start, call);
    draft.calls++;
    draft.self += at(self, call);
    draft.weight += at(self, call);
    draft.errors += Number(at(states, call) === CallState.error);
    if (time > draft.most) [draft.most, draft.heaviest] = [time, call];
  }
  return drafts;
}

function newDraft(parent: number, op: number, heaviest: number): Draft {
  return { parent, op, weight: 0, self: 0, calls: 0, errors: 0, heaviest, most: -1 };
}

function arrange(drafts: readonly Draft[]): HeavyStack[] {
  const children = new Map<number, number[]>();
  drafts.forEach((draft, index) => {
    const siblings = children.get(draft.parent);
    if (siblings) siblings.push(index);
    else children.set(draft.parent, [index]);
  });
  const stacks: HeavyStack[] = [];
  const open = [{ index: -1, depth: -1, from: 0 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const draft = drafts[next.index];
    if (draft) stacks.push(stackOfDraft(draft, next.depth, next.from));
    let from = next.from;
    const heaviestFirst = (children.get(next.index) ?? []).sort((a, b) => weightOf(drafts, b) - weightOf(drafts, a));
    for (const index of heaviestFirst) {
      open.push({ index, depth: next.depth + 1, from });
      from += weightOf(drafts, index);
    }
  }
  return stacks;
}

function weightOf(drafts: readonly Draft[], index: number): number {
  return drafts[index]?.weight ?? 0;
}

function stackOfDraft({ op, weight, self, calls, errors, heaviest }: Draft, depth: number, from: number): HeavyStack {
  return { op, depth, weight, self, calls, errors, heaviest, from };
}
