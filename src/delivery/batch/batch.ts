const OPENING = Buffer.from('{"batch":[');
const CLOSING = Buffer.from(']}');
const [LINE_BREAK, COMMA, BLANK] = [0x0a, 0x2c, 0x20];

/** Stands behind each item. */
export const ITEM_END = ' \n';

/**
 * The texts of a batch in front of its items and behind them.
 *
 * @internal as all that has bytes: declarations of what records need no types of Node
 */
export const FRAME = { opening: OPENING, closing: CLOSING };

/**
 * Records of one request as JSON text: items of `/call/upsert_batch`, each in a line that ends with a blank. So they are
 * lines of a segment as they stand, and the blanks become the commas of a request, which is the same memory. JSON text has
 * no line breaks of its own, so a batch can be cut without reading it.
 */
export class Batch {
  /** Numbers of the records in the order they were recorded, one per item. */
  readonly sequence: readonly number[];
  readonly #bytes: Buffer;
  readonly #onRelease: (() => void) | undefined;
  #isBody = false;

  /**
   * `bytes` are those of the items between `FRAME.opening` and `FRAME.closing`, and belong to the batch until `onRelease` is
   * called.
   *
   * @internal
   */
  constructor(bytes: Buffer, sequence: readonly number[], onRelease?: () => void) {
    this.#bytes = bytes;
    this.sequence = sequence;
    this.#onRelease = onRelease;
  }

  /** @internal */
  static of(items: readonly Buffer[], sequence: readonly number[]): Batch {
    const end = Buffer.from(ITEM_END);
    return new Batch(Buffer.concat([OPENING, ...items.flatMap((item) => [item, end]), CLOSING]), sequence);
  }

  get count(): number {
    return this.sequence.length;
  }

  /** Bytes of the items. */
  get size(): number {
    return this.#bytes.length - OPENING.length - CLOSING.length;
  }

  /**
   * The items as lines of a segment.
   *
   * @internal
   */
  get content(): Buffer {
    const content = this.#bytes.subarray(OPENING.length, -CLOSING.length);
    if (!this.#isBody) return content;
    // A request with these bytes may still be under way.
    const copy = Buffer.from(content);
    putBeforeBreaks(copy, BLANK);
    return copy;
  }

  /** @internal */
  body(): Buffer {
    if (!this.#isBody) putBeforeBreaks(this.#bytes.subarray(0, -CLOSING.length), COMMA);
    this.#isBody = true;
    return this.#bytes;
  }

  /**
   * Its bytes are needed no more, and nothing may be asked of it after that. When they were only written to disk, a request
   * that has no answer may still be reading them.
   */
  release(reason: 'answered' | 'written'): void {
    if (reason === 'answered' || !this.#isBody) this.#onRelease?.();
  }

  /** Two halves of a batch of at least two items. */
  split(): [Batch, Batch] {
    const items = this.#items();
    const middle = items.length >> 1;
    return [
      Batch.of(items.slice(0, middle), this.sequence.slice(0, middle)),
      Batch.of(items.slice(middle), this.sequence.slice(middle)),
    ];
  }

  /** Each of the items at these indexes alone, and all others together, if there are others. */
  without(indexes: readonly number[]): { readonly picked: readonly Batch[]; readonly rest: Batch | undefined } {
    const items = this.#items();
    const part = (wanted: readonly number[]) =>
      Batch.of(
        wanted.map((index) => items[index] ?? Buffer.alloc(0)),
        wanted.map((index) => this.sequence[index] ?? 0),
      );
    const left = [...items.keys()].filter((index) => !indexes.includes(index));
    return { picked: indexes.map((index) => part([index])), rest: left.length === 0 ? undefined : part(left) };
  }

  /** Call id of the first item, for messages. */
  firstId(): string | undefined {
    const [item] = this.#items();
    if (!item) return undefined;
    // We wrote the text ourselves, from one of these two shapes; on disk it may have been damaged.
    const { req } = JSON.parse(item.toString()) as { req?: { start?: { id?: string }; end?: { id?: string } } };
    return req?.start?.id ?? req?.end?.id;
  }

  #items(): Buffer[] {
    const { content } = this;
    const items: Buffer[] = [];
    let start = 0;
    for (let end = content.indexOf(LINE_BREAK); end !== -1; end = content.indexOf(LINE_BREAK, start)) {
      items.push(content.subarray(start, end - 1));
      start = end + 1;
    }
    return items;
  }
}

/** In front of each line break but the last, behind which is no further item. */
function putBeforeBreaks(bytes: Buffer, mark: number): void {
  const last = bytes.length - 1;
  for (let at = bytes.indexOf(LINE_BREAK); at !== -1 && at < last; at = bytes.indexOf(LINE_BREAK, at + 1)) {
    bytes[at - 1] = mark;
  }
}
