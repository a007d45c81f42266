import { NumberList } from './numbers.ts';

const NONE = -1;

/** The lines of the tree from top to bottom, as columns indexed by line. */
export interface VisibleRows {
  readonly count: number;
  /** A node, or a run of siblings as `codeOfRun` writes it. */
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
