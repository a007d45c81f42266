const INITIAL_CAPACITY = 64;

/** A queue with constant cost at both ends: `Array.shift()` on more than 16,000 entries costs tens of microseconds. */
export class Ring<T> {
  #slots: (T | undefined)[] = Array.from({ length: INITIAL_CAPACITY });
  #head = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: T): void {
    if (this.#length === this.#slots.length) this.#grow();
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = value;
    this.#length++;
  }

  peek(): T | undefined {
    return this.#length === 0 ? undefined : this.#slots[this.#head];
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const value = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#slots.length - 1);
    this.#length--;
    return value;
  }

  /** Takes everything out, first in first. */
  drain(): T[] {
    const values: T[] = [];
    while (this.#length > 0) values.push(this.shift() as T); // The length says there is one.
    this.#slots = Array.from({ length: INITIAL_CAPACITY });
    this.#head = 0;
    return values;
  }

  /** The capacity stays a power of two, so that a mask finds the slot. */
  #grow(): void {
    const slots: (T | undefined)[] = Array.from({ length: this.#slots.length * 2 });
    for (let i = 0; i < this.#length; i++) slots[i] = this.#slots[(this.#head + i) & (this.#slots.length - 1)];
    this.#slots = slots;
    this.#head = 0;
  }
}
