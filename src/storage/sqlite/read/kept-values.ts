import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import { LastRead } from '../../values/last-read.ts';
import { isContainer, textOfValue } from '../../values/value.ts';

/** Shorter texts are as soon read again as looked up. */
const LONG = 1000;

/** As many as a body may have; what is read of them takes many times their room. The first one is kept however long it is. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** As many as the payloads of two of feedback may have. */
const MAX_LAST_CHARACTERS = 2 * 1024 * 1024;

/** Begins what stands for a kept value: no JSON text begins so. */
const MARK = '\u0001';

interface KeptValue {
  readonly depth: number;
  readonly token: string;
  value?: JsonValue;
  /** The text that a container compares with. */
  text?: string;
}

/**
 * Long values of the record that a statement looks at, read once: SQLite gives and takes a short text that stands for one,
 * where the value itself would be copied and read with each comparison. Rows in statements inside of it, as of feedback, have
 * values of their own, which are gone with each of them.
 */
export class KeptValues {
  readonly #kept = new Map<string, KeptValue>();
  /** Those that were read already, by their values. */
  readonly #read = new WeakMap<object, KeptValue>();
  /** Of long values that nothing stands for: conditions on feedback beside each other read the same ones. */
  readonly #last = new LastRead<KeptValue>((token) => ({ depth: 0, token }), MAX_LAST_CHARACTERS);
  #characters = 0;
  #next = 0;

  /** A JSON text, or what stands for it. */
  keep(token: string, depth: number): string {
    if (token.length < LONG || (this.#kept.size > 0 && this.#characters + token.length > MAX_CHARACTERS)) return token;
    const name = `${MARK}${this.#next++}`;
    this.#kept.set(name, { depth, token });
    this.#characters += token.length;
    return name;
  }

  /** The value of a JSON text, or of what stands for one. */
  valueOf(token: string): JsonValue {
    if (token[0] !== MARK && token.length < LONG) return parseJson(token);
    const kept = token[0] === MARK ? this.#kept.get(token) : this.#last.of(token);
    if (kept === undefined) throw new TypeError('A kept value was let go');
    kept.value ??= parseJson(kept.token);
    if (isContainer(kept.value)) this.#read.set(kept.value, kept);
    return kept.value;
  }

  /** The text that a value compares with. */
  readonly textOf = (value: JsonValue): string | null => {
    const kept = isContainer(value) ? this.#read.get(value) : undefined;
    if (kept === undefined) return textOfValue(value);
    kept.text ??= textOfValue(value) ?? '';
    return kept.text;
  };

  /** To be called when a row begins: what was kept at this depth is of the one before. */
  letGoAt(depth: number): void {
    for (const [name, kept] of this.#kept) if (kept.depth >= depth) this.#letGo(name, kept);
  }

  letGo(): void {
    this.letGoAt(0);
    this.#last.letGo();
  }

  #letGo(name: string, { token }: KeptValue): void {
    this.#kept.delete(name);
    this.#characters -= token.length;
  }
}
