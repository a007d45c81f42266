import type { DerivedTable, NewRow, RowRun } from '../../../storage/contract/tables.ts';

type Piece = DerivedTable['pieces'][number];

/** Pieces that are together, and how many rows they have; a change moves the pieces of its own block only. */
interface Block {
  readonly pieces: Piece[];
  length: number;
}

/** A block of more pieces becomes two. */
const MAX_PIECES = 256;

/** The rows of a table while rows come and go: runs of what it was, of which the rows are nowhere, and rows that came. */
export class RowRope {
  readonly #blocks: Block[];
  #length: number;

  /** `count` is how many rows the table has. */
  constructor(count: number) {
    this.#blocks = [{ pieces: count > 0 ? [{ from: 0, count }] : [], length: count }];
    this.#length = count;
  }

  get length(): number {
    return this.#length;
  }

  /** From 0 up to and including the length. */
  insert(index: number, row: NewRow): void {
    const { block, at, offset } = this.#find(index);
    const run = block.pieces[at];
    if (offset > 0 && run && 'from' in run) {
      block.pieces.splice(at, 1, { from: run.from, count: offset }, row, partAfter(run, offset));
    } else {
      block.pieces.splice(at, 0, row);
    }
    this.#grow(block, 1);
    if (block.pieces.length > MAX_PIECES) this.#divide(block);
  }

  /** From 0 up to, not including, the length; the row, or the place it had in the table as it was. */
  remove(index: number): NewRow | number {
    const { block, at, offset } = this.#find(index);
    const piece = block.pieces[at];
    if (piece === undefined) throw new RangeError(`No index ${index} among ${this.#length} rows`);
    this.#grow(block, -1);
    if (!('from' in piece)) {
      block.pieces.splice(at, 1);
      return piece;
    }
    const parts = [{ from: piece.from, count: offset }, partAfter(piece, offset + 1)];
    block.pieces.splice(at, 1, ...parts.filter(({ count }) => count > 0));
    if (block.pieces.length > MAX_PIECES) this.#divide(block);
    return piece.from + offset;
  }

  /** At most one more than twice the changes; runs that follow one another are one. */
  pieces(): Piece[] {
    const joined: Piece[] = [];
    for (const piece of this.#blocks.flatMap(({ pieces }) => pieces)) {
      const last = joined.at(-1);
      if (last && 'from' in last && 'from' in piece && last.from + last.count === piece.from) {
        joined[joined.length - 1] = { from: last.from, count: last.count + piece.count };
      } else {
        joined.push(piece);
      }
    }
    return joined;
  }

  /** The piece that an index is in, and its place there; behind the last row no piece. */
  #find(index: number): { block: Block; at: number; offset: number } {
    const { block, rest } = this.#blockAt(index);
    let offset = rest;
    let at = 0;
    for (let piece = block.pieces[0]; piece !== undefined; piece = block.pieces[++at]) {
      const count = rowsOf(piece);
      if (offset < count) return { block, at, offset };
      offset -= count;
    }
    return { block, at, offset };
  }

  /** The first block that reaches beyond an index, or the last one. */
  #blockAt(index: number): { block: Block; rest: number } {
    let rest = index;
    for (const block of this.#blocks) {
      if (rest < block.length || block === this.#blocks.at(-1)) return { block, rest };
      rest -= block.length;
    }
    throw new RangeError(`No index ${index} among ${this.#length} rows`);
  }

  #grow(block: Block, by: number): void {
    block.length += by;
    this.#length += by;
  }

  #divide(block: Block): void {
    const pieces = block.pieces.splice(MAX_PIECES / 2);
    const length = pieces.reduce((sum, piece) => sum + rowsOf(piece), 0);
    block.length -= length;
    this.#blocks.splice(this.#blocks.indexOf(block) + 1, 0, { pieces, length });
  }
}

function rowsOf(piece: Piece): number {
  return 'from' in piece ? piece.count : 1;
}

/** A run without its first rows. */
function partAfter({ from, count }: RowRun, rows: number): RowRun {
  return { from: from + rows, count: count - rows };
}
