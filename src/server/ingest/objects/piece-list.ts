/** Items of a piece at first. */
const PIECE = 1000;

/** A long list in pieces: an item that comes or goes moves those of its own piece only. */
export class PieceList<Item> {
  readonly #pieces: Item[][] = [];
  #length: number;

  constructor(items: readonly Item[]) {
    this.#length = items.length;
    for (let start = 0; start < items.length; start += PIECE) this.#pieces.push(items.slice(start, start + PIECE));
    if (this.#pieces.length === 0) this.#pieces.push([]);
  }

  get length(): number {
    return this.#length;
  }

  /** From 0 up to and including the length. */
  insert(index: number, item: Item): void {
    const { piece, offset } = this.#find(index);
    piece.splice(offset, 0, item);
    this.#length += 1;
  }

  /** From 0 up to, not including, the length. */
  remove(index: number): Item | undefined {
    const { piece, offset } = this.#find(index + 1);
    const [removed] = piece.splice(offset - 1, 1);
    this.#length -= 1;
    return removed;
  }

  toArray(): Item[] {
    return this.#pieces.flat();
  }

  /** The first piece that reaches to an index, and the place of it there. */
  #find(index: number): { piece: Item[]; offset: number } {
    let offset = index;
    for (const piece of this.#pieces) {
      if (offset <= piece.length) return { piece, offset };
      offset -= piece.length;
    }
    throw new RangeError(`No index ${index} in a list of ${this.#length}`);
  }
}
