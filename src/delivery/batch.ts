const OPENING = Buffer.from('{"batch":[');
const CLOSING = Buffer.from(']}');
const LINE_BREAK = 10;

/**
 * Records of one request as JSON text: items of `/call/upsert_batch` separated by a comma and a line break. JSON
 * text has no line breaks of its own, so a batch can be cut and written to the spool without reading it.
 */
export class Batch {
  readonly content: Buffer;
  /** Numbers of the records in the order they were recorded, one per item. */
  readonly sequence: readonly number[];

  constructor(content: Buffer, sequence: readonly number[]) {
    this.content = content;
    this.sequence = sequence;
  }

  static of(items: readonly Buffer[], sequence: readonly number[]): Batch {
    const separator = Buffer.from(',\n');
    const parts = items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
    return new Batch(Buffer.concat(parts), sequence);
  }

  get count(): number {
    return this.sequence.length;
  }

  body(): Buffer {
    return Buffer.concat([OPENING, this.content, CLOSING]);
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

  /** The items as lines of a segment. */
  lines(): Buffer {
    const lineBreak = Buffer.of(LINE_BREAK);
    return Buffer.concat(this.#items().flatMap((item) => [item, lineBreak]));
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
    if (this.count === 0) return [];
    const items: Buffer[] = [];
    let start = 0;
    for (let end = this.content.indexOf(LINE_BREAK); end !== -1; end = this.content.indexOf(LINE_BREAK, start)) {
      items.push(this.content.subarray(start, end - 1));
      start = end + 1;
    }
    items.push(this.content.subarray(start));
    return items;
  }
}
