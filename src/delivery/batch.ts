const OPENING = Buffer.from('{"batch":[');
const CLOSING = Buffer.from(']}');
const [LINE_BREAK, COMMA] = [0x0a, 0x2c];

/** Stands behind each item. */
export const ITEM_END = ' \n';

/**
 * Records of one request as JSON text: items of `/call/upsert_batch`, each in a line that ends with a blank. So they are
 * lines of a segment as they stand, and the blanks become the commas of a request. JSON text has no line breaks of its
 * own, so a batch can be cut without reading it.
 */
export class Batch {
  /** The items as lines of a segment. */
  readonly content: Buffer;
  /** Numbers of the records in the order they were recorded, one per item. */
  readonly sequence: readonly number[];

  constructor(content: Buffer, sequence: readonly number[]) {
    this.content = content;
    this.sequence = sequence;
  }

  static of(items: readonly Buffer[], sequence: readonly number[]): Batch {
    const end = Buffer.from(ITEM_END);
    return new Batch(Buffer.concat(items.flatMap((item) => [item, end])), sequence);
  }

  get count(): number {
    return this.sequence.length;
  }

  body(): Buffer {
    const body = Buffer.concat([OPENING, this.content, CLOSING]);
    const last = body.length - CLOSING.length - 1;
    for (let end = body.indexOf(LINE_BREAK); end !== -1 && end < last; end = body.indexOf(LINE_BREAK, end + 1)) {
      body[end - 1] = COMMA;
    }
    return body;
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

  /** Call id of the first item, for messages. */
  firstId(): string | undefined {
    const [item] = this.#items();
    if (!item) return undefined;
    // We wrote the text ourselves, from one of these two shapes; on disk it may have been damaged.
    const { req } = JSON.parse(item.toString()) as { req?: { start?: { id?: string }; end?: { id?: string } } };
    return req?.start?.id ?? req?.end?.id;
  }

  #items(): Buffer[] {
    const items: Buffer[] = [];
    let start = 0;
    for (let end = this.content.indexOf(LINE_BREAK); end !== -1; end = this.content.indexOf(LINE_BREAK, start)) {
      items.push(this.content.subarray(start, end - 1));
      start = end + 1;
    }
    return items;
  }
}
