/** Texts that are read from in turn: the bodies of a call, and of feedback on it. */
const MAX_TEXTS = 6;
/** As many as the bodies of a call have together; what is read of them takes many times their room. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

interface Read<Value> {
  readonly text: string;
  readonly value: Value;
}

/** A reading of texts that keeps its last few results, that of the newest text however long it is, until it is told to let them go. */
export class LastRead<Value> {
  readonly #read: (text: string) => Value;
  readonly #maxCharacters: number;
  /** The newest one last. */
  #kept: Read<Value>[] = [];

  constructor(read: (text: string) => Value, maxCharacters = MAX_CHARACTERS) {
    this.#read = read;
    this.#maxCharacters = maxCharacters;
  }

  of(text: string): Value {
    const index = this.#kept.findLastIndex((one) => one.text === text);
    const found = this.#kept[index] ?? { text, value: this.#read(text) };
    if (index >= 0) this.#kept.splice(index, 1);
    this.#kept.push(found);
    let characters = this.#kept.reduce((sum, one) => sum + one.text.length, 0);
    while (this.#kept.length > MAX_TEXTS || (this.#kept.length > 1 && characters > this.#maxCharacters)) {
      characters -= this.#kept.shift()?.text.length ?? 0;
    }
    return found.value;
  }

  letGo(): void {
    this.#kept = [];
  }
}
