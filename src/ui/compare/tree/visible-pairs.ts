import { at } from '../../tree/numbers.ts';
import { RowList, type VisibleRows } from '../../tree/visible-rows.ts';
import type { PairTable } from '../answer/answer.ts';
import { isOneSided, kindAt, type PairTree, pairOfCode } from './pair-tree.ts';
import { codeOfRun, runOfCode } from '../../tree/row-code.ts';

const NONE = -1;

/** Whole trees that only one side has are shown up to so many lines. */
const MAX_OPEN_OF_ONE = 50;
/** Larger comparisons are opened to so many levels. */
const HUGE = 20_000;
const LEVELS_OF_HUGE = 2;

/** Is a line open before anybody has opened or folded it? Those are in which something differs. */
export function isOpenAtFirst(pairs: PairTable, tree: PairTree, code: number): boolean {
  if (code < 0) return false;
  const kind = kindAt(pairs, code);
  if (pairs.count > HUGE && at(tree.depth, code) >= LEVELS_OF_HUGE) return false;
  if (isOneSided(kind)) return at(tree.lines, code) <= MAX_OPEN_OF_ONE;
  return at(tree.differing, code) > Number(kind !== 'same');
}

export interface PairView {
  /** Lines that are as they were not at first. */
  readonly toggled: ReadonlySet<number>;
  readonly isOnlyChanges: boolean;
}

/** `undefined`: there is nothing to unfold. */
export function openStateOf(pairs: PairTable, tree: PairTree, view: PairView, code: number): boolean | undefined {
  if (runOfCode(code) === NONE) {
    const below = view.isOnlyChanges
      ? at(tree.differing, code) - Number(kindAt(pairs, code) !== 'same')
      : at(tree.size, code) - 1;
    if (below === 0) return undefined;
  }
  return isOpenAtFirst(pairs, tree, code) !== view.toggled.has(code);
}

/** The lines of the tree from top to bottom: those that are unfolded, and only those that differ where that is wanted. */
export function visiblePairs(pairs: PairTable, tree: PairTree, view: PairView): VisibleRows {
  const rows = new RowList();
  const { size, differing, runs, runOf } = tree;
  const rowOfPair = new Map<number, number>();
  const rowOfRun = new Map<number, number>();
  for (let pair = 0; pair < pairs.count;) {
    if (view.isOnlyChanges && at(differing, pair) === 0) {
      pair += at(size, pair);
      continue;
    }
    const run = at(runOf, pair);
    const above = rowOfPair.get(at(pairs.parent, pair)) ?? NONE;
    if (run !== NONE && !rowOfRun.has(run)) {
      const code = codeOfRun(run);
      rowOfRun.set(run, rows.add(code, above));
      if (openStateOf(pairs, tree, view, code) !== true) {
        const last = runs[run]?.last ?? pair;
        pair = last + at(size, last);
        continue;
      }
    }
    rowOfPair.set(pair, rows.add(pair, rowOfRun.get(run) ?? above));
    pair += openStateOf(pairs, tree, view, pair) === true ? 1 : at(size, pair);
  }
  return rows.finish();
}

/** The lines that have to be toggled so that a line is in sight. */
export function revealed(
  pairs: PairTable,
  tree: PairTree,
  toggled: ReadonlySet<number>,
  code: number,
): ReadonlySet<number> {
  const next = new Set(toggled);
  const open = (line: number): void => {
    if (isOpenAtFirst(pairs, tree, line) !== next.has(line)) return;
    if (next.has(line)) next.delete(line);
    else next.add(line);
  };
  const pair = pairOfCode(tree, code);
  if (code >= 0 && at(tree.runOf, pair) !== NONE) open(codeOfRun(at(tree.runOf, pair)));
  for (let above = at(pairs.parent, pair); above >= 0; above = at(pairs.parent, above)) {
    open(above);
    if (at(tree.runOf, above) !== NONE) open(codeOfRun(at(tree.runOf, above)));
  }
  return next.size === toggled.size && [...next].every((line) => toggled.has(line)) ? toggled : next;
}

/** The lines toggled so that one is open or folded, and with `isDeep` all below it. */
export function toggledTo(
  pairs: PairTable,
  tree: PairTree,
  toggled: ReadonlySet<number>,
  { code, isOpen, isDeep }: { readonly code: number; readonly isOpen: boolean; readonly isDeep: boolean },
): ReadonlySet<number> {
  const next = new Set(toggled);
  const set = (line: number): void => {
    if (isOpenAtFirst(pairs, tree, line) === isOpen) next.delete(line);
    else next.add(line);
  };
  set(code);
  if (!isDeep) return next;
  const first = pairOfCode(tree, code);
  const last = runOfCode(code) === NONE ? first : (tree.runs[runOfCode(code)]?.last ?? first);
  for (let pair = first; pair < last + at(tree.size, last); pair++) {
    if (at(tree.size, pair) > 1) set(pair);
    const run = at(tree.runOf, pair);
    if (run !== NONE && pair !== code && codeOfRun(run) !== code) set(codeOfRun(run));
  }
  return next;
}
