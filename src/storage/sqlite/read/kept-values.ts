import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import { isContainer, textOfValue } from '../../values/value.ts';

/** Shorter texts are as soon read again as looked up. */
const LONG = 1000;

/** Begins what stands for a kept value: no JSON text begins so. */
const MARK = '\u0001';

/** As many as the fields that a condition has kept, twice: those of a record are kept while its condition is looked at. */
const MAX_VALUES = 16;

/**
 * Long values of the record that a statement looks at, read once: SQLite gives and takes a short text that stands for one,
 * where the value itself would be copied and read with each comparison.
 */
export class KeptValues {
  readonly #kept: JsonValue[] = [];
  #next = 0;
  #texts = new WeakMap<object, string>();

  /** A JSON text, or what stands for it. */
  keep(token: string): string {
    if (token.length < LONG) return token;
    const id = this.#next++;
    this.#kept[id % MAX_VALUES] = parseJson(token);
    return MARK + id;
  }

  /** The value of a JSON text, or of what stands for one. */
  valueOf(token: string): JsonValue {
    if (token[0] !== MARK) return parseJson(token);
    const id = Number(token.slice(1));
    const value = this.#kept[id % MAX_VALUES];
    if (id < this.#next - MAX_VALUES || value === undefined) throw new TypeError('A kept value was let go');
    return value;
  }

  /** The text that a value compares with. */
  readonly textOf = (value: JsonValue): string | null => {
    if (!isContainer(value)) return textOfValue(value);
    const known = this.#texts.get(value);
    if (known !== undefined) return known;
    const text = textOfValue(value) ?? '';
    if (text.length >= LONG) this.#texts.set(value, text);
    return text;
  };

  letGo(): void {
    this.#kept.length = 0;
    this.#texts = new WeakMap();
  }
}
