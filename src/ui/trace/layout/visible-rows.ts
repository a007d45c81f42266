import { type CallTree, NONE } from './call-tree.ts';
import type { Folds } from './folds.ts';
import { at, NumberList } from './numbers.ts';
import type { TraceLayout } from './trace-layout.ts';

/** The lines of the tree from top to bottom, as columns indexed by line. */
export interface VisibleRows {
  readonly count: number;
  /** A call, the node `detached`, or a run of repeats as `codeOfRun` writes it. */
  readonly code: Int32Array;
  /** From 0. */
  readonly depth: Int32Array;
  /** The line it hangs under; -1: none. */
  readonly parent: Int32Array;
  /** Its number among its siblings, from 1. */
  readonly position: Int32Array;
  /** How many siblings there are, itself included. */
  readonly siblings: Int32Array;
}

export function codeOfRun(run: number): number {
  return -1 - run;
}

/** The run that a code stands for; -1: it stands for something else. */
export function runOfCode(code: number): number {
  return code < 0 ? -1 - code : NONE;
}

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

/** Lines as they are added, each behind the one it hangs under. */
export class RowList {
  readonly #code = new NumberList();
  readonly #depth = new NumberList();
  readonly #parent = new NumberList();
  readonly #position = new NumberList();
  /** By line, that of the top at 0: how many hang under it. */
  readonly #below = new NumberList();

  constructor() {
    this.#below.push(0);
  }

  add(code: number, parent: number): number {
    const row = this.#code.length;
    this.#below.add(parent + 1, 1);
    this.#code.push(code);
    this.#parent.push(parent);
    this.#depth.push(parent === NONE ? 0 : this.#depth.at(parent) + 1);
    this.#position.push(this.#below.at(parent + 1));
    this.#below.push(0);
    return row;
  }

  finish(): VisibleRows {
    const parent = this.#parent.toArray();
    return {
      count: this.#code.length,
      code: this.#code.toArray(),
      depth: this.#depth.toArray(),
      parent,
      position: this.#position.toArray(),
      siblings: parent.map((row) => this.#below.at(row + 1)),
    };
  }
}
