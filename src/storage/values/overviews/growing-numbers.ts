/** Numbers that come one by one, in a tenth of the room of a list. */
export class GrowingNumbers {
  #numbers = new Float64Array(1024);
  #length = 0;

  push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const grown = new Float64Array(2 * this.#length);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[this.#length++] = number;
  }

  /** Those that came; what is done to it is done to these. */
  get all(): Float64Array {
    return this.#numbers.subarray(0, this.#length);
  }
}
