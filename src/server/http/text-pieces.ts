/** A long text that is made while it is sent, piece by piece. */
export class TextPieces implements Iterable<string> {
  readonly #make: () => Iterator<string>;

  constructor(make: () => Iterator<string>) {
    this.#make = make;
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#make();
  }
}
