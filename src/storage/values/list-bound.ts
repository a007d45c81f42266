import { TracingError } from '../../protocol/error.ts';

/** Characters that a record takes besides its long texts. */
const RECORD_CHARACTERS = 100;

/** Counts the characters of records that are held at once, and refuses the one that is too many. */
export class ListBound {
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Throws `payload_too_large`. */
  add(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= this.#maxCharacters) return;
    const reason = `they take more than ${this.#maxCharacters} characters: ask for them in pages, by limit and offset`;
    throw new TracingError('payload_too_large', `Cannot answer with all records at once: ${reason}`);
  }
}

/** The records of a list, read one by one until they are too many. */
export function boundedList<T>(
  records: Iterable<T>,
  longTextOf: (record: T) => string | null,
  maxCharacters = Infinity,
): T[] {
  const bound = new ListBound(maxCharacters);
  const list: T[] = [];
  for (const record of records) {
    bound.add((longTextOf(record)?.length ?? 0) + RECORD_CHARACTERS);
    list.push(record);
  }
  return list;
}
