/** One number of a column. */
export function at(column: { readonly [index: number]: number }, index: number): number {
  // Columns have a number for each call, and calls are counted from them: an index that is not in it is a mistake here.
  return column[index] as number;
}

/** A list of numbers that grows, without a box for each. */
export class NumberList {
  #values = new Int32Array(256);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow();
    this.#values[this.#length++] = value;
  }

  add(index: number, amount: number): void {
    this.#values[index] = at(this.#values, index) + amount;
  }

  at(index: number): number {
    return at(this.#values, index);
  }

  toArray(): Int32Array {
    return this.#values.slice(0, this.#length);
  }

  #grow(): void {
    const larger = new Int32Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }
}
