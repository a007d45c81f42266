import { type CallTree, NONE } from './call-tree.ts';
import type { Folds } from './folds.ts';
import { at } from '../../tree/numbers.ts';
import { codeOfRun } from '../../tree/row-code.ts';
import { RowList, type VisibleRows } from '../../tree/visible-rows.ts';
import type { TraceLayout } from './trace-layout.ts';

/** Walks what is unfolded and nothing else, so the time it takes is that of what can be seen. */
export function visibleRowsOf(layout: TraceLayout, folds: Folds): VisibleRows {
  const { tree } = layout;
  const rows = new RowList();
  addBelow(rows, layout, folds, tree.roots, NONE);
  if (at(tree.firstChild, tree.detached) !== NONE) {
    const row = rows.add(tree.detached, NONE);
    if (folds.isDetachedOpen) addBelow(rows, layout, folds, tree.detached, row);
  }
  return rows.finish();
}

/** A place where the walk goes on after what is below a line. */
interface Resume {
  readonly call: number;
  readonly row: number;
  readonly run: number;
}

function addBelow(rows: RowList, layout: TraceLayout, folds: Folds, top: number, topRow: number): void {
  const { tree, repeats } = layout;
  const later: Resume[] = [];
  let next: Resume | undefined = { call: at(tree.firstChild, top), row: topRow, run: NONE };
  while (next) {
    const { call, row: parent, run: inside } = next;
    if (call === NONE) {
      next = later.pop();
      continue;
    }
    const run = at(repeats.runOf, call);
    if (run !== inside && run !== NONE && call === at(repeats.first, run)) {
      const row = rows.add(codeOfRun(run), parent);
      const after = { call: at(tree.nextSibling, at(repeats.last, run)), row: parent, run: inside };
      if (at(folds.runs, run) === 1) {
        later.push(after);
        next = { call, row, run };
      } else next = after;
      continue;
    }
    const row = rows.add(call, parent);
    const isLast = inside !== NONE && call === at(repeats.last, inside);
    const after = { call: isLast ? NONE : at(tree.nextSibling, call), row: parent, run: inside };
    if (isUnfolded(tree, folds, call)) {
      later.push(after);
      next = { call: at(tree.firstChild, call), row, run: NONE };
    } else next = after;
  }
}

function isUnfolded(tree: CallTree, folds: Folds, call: number): boolean {
  return at(tree.firstChild, call) !== NONE && at(folds.calls, call) === 1;
}
