/** Characters of what is kept; parsed values take several times as much memory. */
const MAX_SIZE = 8 * 1024 * 1024;

interface Entry<Value> {
  readonly value: Promise<Value>;
  size: number;
}

/** Keeps what was read last, and reads what several ask for at once only once. */
export class RefCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #sizeOf: (value: Value) => number;
  #size = 0;

  constructor(sizeOf: (value: Value) => number) {
    this.#sizeOf = sizeOf;
  }

  read(key: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key);
    if (known) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.value;
    }
    const entry: Entry<Value> = { value: load(), size: 0 };
    this.#entries.set(key, entry);
    entry.value.then(
      (value) => this.#keep(key, entry, this.#sizeOf(value)),
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.value;
  }

  /** The value that was asked for longest ago goes first. */
  #keep(key: string, entry: Entry<Value>, size: number): void {
    if (this.#entries.get(key) !== entry) return;
    entry.size = size + key.length;
    this.#size += entry.size;
    for (const [oldest, { size: freed }] of this.#entries) {
      if (this.#size <= MAX_SIZE) return;
      this.#entries.delete(oldest);
      this.#size -= freed;
    }
  }
}
