import { at } from './numbers.ts';
import type { TreeActions } from './tree-keys.ts';
import type { TreeCursor } from './tree-cursor.ts';
import type { VisibleRows } from './visible-rows.ts';

export interface TreeActionsInput {
  readonly rows: VisibleRows;
  readonly cursor: TreeCursor;
  /** Of the selected line; `undefined`: there is nothing to unfold. */
  readonly isOpen: () => boolean | undefined;
}

export interface TreeMoves extends Omit<TreeActions, 'open'> {
  /** To the line that the selected one hangs under. */
  readonly toParent: () => void;
}

/** Moves from line to line, and folds, from the selected line on. */
export function treeActions({ rows, cursor, isOpen }: TreeActionsInput): TreeMoves {
  const rowOfCursor = (): number => rows.code.indexOf(cursor.code);
  const select = (wanted: number): void => {
    const code = rows.code[Math.min(rows.count - 1, Math.max(0, wanted))];
    if (code !== undefined) cursor.select(code, 'replace');
  };
  const toParent = (): void => {
    const row = rowOfCursor();
    if (row >= 0 && at(rows.parent, row) >= 0) select(at(rows.parent, row));
  };
  return {
    // From a line that is folded away the first step leads to the top.
    move: (lines) => {
      const row = rowOfCursor();
      select(row < 0 ? 0 : row + lines);
    },
    moveTo: (end) => select(end === 'first' ? 0 : rows.count - 1),
    fold: (wanted, isDeep) => {
      const state = isOpen();
      if (isDeep || (state !== undefined && state !== wanted)) cursor.toggle(cursor.code, wanted, isDeep);
      // As trees do: what is open leads to its first child, what is closed or empty to its parent.
      else if (wanted && state === true) select(rowOfCursor() + 1);
      else if (!wanted) toParent();
    },
    toParent,
  };
}
