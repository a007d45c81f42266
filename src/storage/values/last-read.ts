/** Texts that are read from in turn: the bodies of a call, and of feedback on it. */
const MAX_TEXTS = 6;

interface Read<Value> {
  readonly text: string;
  readonly value: Value;
}

/** A reading of texts that keeps its last few results, however long they are, until it is told to let them go. */
export class LastRead<Value> {
  readonly #read: (text: string) => Value;
  /** The newest one last. */
  #kept: Read<Value>[] = [];

  constructor(read: (text: string) => Value) {
    this.#read = read;
  }

  of(text: string): Value {
    const index = this.#kept.findLastIndex((one) => one.text === text);
    const found = this.#kept[index] ?? { text, value: this.#read(text) };
    if (index >= 0) this.#kept.splice(index, 1);
    else if (this.#kept.length === MAX_TEXTS) this.#kept.shift();
    this.#kept.push(found);
    return found.value;
  }

  letGo(): void {
    this.#kept = [];
  }
}
