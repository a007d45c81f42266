import { treeActions } from '../tree/tree-actions.ts';
import type { VisibleRows } from '../tree/visible-rows.ts';
import type { PairTable } from './answer/answer.ts';
import type { CompareActions } from './compare-keys.ts';
import { type PairTree, pairOfCode } from './tree/pair-tree.ts';
import { openStateOf, type PairView } from './tree/visible-pairs.ts';
import type { PairCursor } from './use-pair-cursor.ts';

export interface ActionsInput extends Pick<CompareActions, 'form' | 'onlyChanges' | 'find' | 'swap' | 'back'> {
  readonly pairs: PairTable;
  readonly tree: PairTree;
  readonly rows: VisibleRows;
  readonly cursor: PairCursor;
  readonly view: PairView;
}

export function compareActions(input: ActionsInput): CompareActions {
  const { pairs, tree, rows, cursor, view, form, onlyChanges, find, swap, back } = input;
  const { toParent, ...moves } = treeActions({
    rows,
    cursor,
    isOpen: () => openStateOf(pairs, tree, view, cursor.code),
  });
  return {
    ...moves,
    difference: (step) => {
      const next = nextDifference(tree, cursor.code, step);
      if (next !== undefined) cursor.select(next, 'replace');
    },
    parent: toParent,
    open: () => document.querySelector<HTMLElement>('section[aria-label="Selected pair"] [role="region"]')?.focus(),
    form,
    onlyChanges,
    find,
    swap,
    back,
  };
}

/** The next line that differs behind the selected one, or the one before it; from the last one on the first again. */
export function nextDifference(tree: PairTree, code: number, step: 1 | -1): number | undefined {
  const { differences } = tree;
  const place = differences.indexOf(code);
  if (place >= 0) return differences.at((place + step) % differences.length);
  const here = pairOfCode(tree, code);
  const behind = differences.findIndex((each) => pairOfCode(tree, each) > here);
  if (step === 1) return differences[Math.max(0, behind)];
  return differences.at(behind === -1 ? -1 : behind - 1);
}
