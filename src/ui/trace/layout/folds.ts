import { type CallTree, NONE, subtreeOf } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';
import type { TraceLayout } from './trace-layout.ts';

/** A longer trace opens with only its first levels unfolded. */
const MAX_OPENED_CALLS = 20_000;
const LEVELS_OF_LONG = 2;

/** The unfolded parts, by call and by run of repeats: 1 or 0. A state is never changed, only followed by another. */
export interface Folds {
  readonly calls: Uint8Array;
  readonly runs: Uint8Array;
  /** Whether calls whose parents are not in the trace are shown. */
  readonly isDetachedOpen: boolean;
}

export function initialFolds({ tree, repeats }: TraceLayout): Folds {
  const isLong = tree.count > MAX_OPENED_CALLS;
  const calls = isLong ? tree.depth.map((depth) => Number(depth < LEVELS_OF_LONG - 1)) : tree.depth.map(() => 1);
  return { calls: Uint8Array.from(calls), runs: new Uint8Array(repeats.count), isDetachedOpen: true };
}

export function foldCall(folds: Folds, call: number, isOpen: boolean): Folds {
  const calls = folds.calls.slice();
  calls[call] = Number(isOpen);
  return { ...folds, calls };
}

export function foldRun(folds: Folds, run: number, isOpen: boolean): Folds {
  const runs = folds.runs.slice();
  runs[run] = Number(isOpen);
  return { ...folds, runs };
}

/** Folds a call and all below it, or unfolds them; repeats below stay one line each. */
export function foldSubtree(folds: Folds, tree: CallTree, call: number, isOpen: boolean): Folds {
  const calls = folds.calls.slice();
  for (const below of subtreeOf(tree, call)) calls[below] = Number(isOpen);
  return { ...folds, calls };
}

/** Unfolds what hides a call. The same state when nothing does. */
export function reveal(folds: Folds, { tree, repeats }: TraceLayout, call: number): Folds {
  let { calls, runs, isDetachedOpen } = folds;
  for (let node = call; node < tree.count; node = at(tree.parent, node)) {
    const run = at(repeats.runOf, node);
    if (run !== NONE && at(runs, run) === 0) {
      runs = runs === folds.runs ? runs.slice() : runs;
      runs[run] = 1;
    }
    const parent = at(tree.parent, node);
    if (parent === tree.detached) isDetachedOpen = true;
    else if (parent < tree.count && at(calls, parent) === 0) {
      calls = calls === folds.calls ? calls.slice() : calls;
      calls[parent] = 1;
    }
  }
  const isSame = calls === folds.calls && runs === folds.runs && isDetachedOpen === folds.isDetachedOpen;
  return isSame ? folds : { calls, runs, isDetachedOpen };
}
