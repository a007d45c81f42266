import { endOfString } from './body-depth.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.ts';

const LAST_BLANK = 0x20;

/** A portion has no more items than this, and ends with the item that makes it longer than so many bytes. */
const MAX_ITEMS = 5000;
const MAX_BYTES = 256 * 1024;

/** Items of a list that follow one another: where the text of the first begins and that of the last ends. */
export interface ListPortion {
  readonly start: number;
  readonly end: number;
  /** As many as there are if the text is JSON. */
  readonly count: number;
}

/** A list within a body, from its opening bracket to behind the closing one. */
export interface FoundList {
  readonly start: number;
  readonly end: number;
  readonly portions: readonly ListPortion[];
}

/**
 * The list that these keys lead to from the top of a JSON text, without parsing it. `undefined` where there is none, there
 * are several, or its brackets do not match. What is found says nothing of whether the text is JSON.
 */
export function findList(body: Buffer, keys: readonly string[]): FoundList | undefined {
  const path = new PathCursor(body, keys);
  let found: FoundList | undefined;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] ?? 0;
    if (byte === QUOTE) {
      const end = endOfString(body, index);
      path.text(index + 1, end);
      index = end;
    } else if (path.isAtValue && byte === OPEN_ARRAY) {
      if (found) return undefined;
      found = readList(body, index);
      if (!found) return undefined;
      path.other();
      index = found.end - 1;
    } else path.take(byte);
  }
  return found;
}

/** The keys that lead to the value being read. */
class PathCursor {
  readonly #body: Buffer;
  readonly #keys: readonly Buffer[];
  #depth = 0;
  /** So many of the keys lead to the object that is open at the depth of one more. */
  #matched = 0;
  #isKey = false;
  #isBehindKey = false;

  constructor(body: Buffer, keys: readonly string[]) {
    this.#body = body;
    this.#keys = keys.map((key) => Buffer.from(key));
  }

  /** Does the value come next that all keys lead to? */
  get isAtValue(): boolean {
    return this.#isBehindKey && this.#matched === this.#keys.length - 1;
  }

  text(start: number, end: number): void {
    const key = this.#keys[this.#matched];
    this.#isBehindKey = false;
    this.#isKey = key !== undefined && this.#depth === this.#matched + 1 && this.#body.subarray(start, end).equals(key);
  }

  other(): void {
    this.#isKey = false;
    this.#isBehindKey = false;
  }

  take(byte: number): void {
    if (byte <= LAST_BLANK) return;
    if (byte === COLON) {
      this.#isBehindKey = this.#isKey;
      this.#isKey = false;
      return;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte === OPEN_OBJECT);
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#close();
    this.other();
  }

  #open(isObject: boolean): void {
    this.#depth += 1;
    if (this.#isBehindKey && isObject && this.#matched < this.#keys.length - 1) this.#matched += 1;
  }

  #close(): void {
    if (this.#depth === this.#matched + 1) this.#matched = Math.max(0, this.#matched - 1);
    this.#depth -= 1;
  }
}

/** From the opening bracket of a list. */
function readList(body: Buffer, open: number): FoundList | undefined {
  const portions = new PortionList(open + 1);
  let depth = 0;
  let isEmpty = true;
  for (let index = open + 1; index < body.length; index++) {
    const byte = body[index] ?? 0;
    if (byte <= LAST_BLANK) continue;
    if (byte === QUOTE) index = endOfString(body, index);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth += 1;
    else if (byte === COMMA && depth === 0) portions.endItem(index);
    else if ((byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) && depth-- === 0) {
      if (byte === CLOSE_OBJECT) return undefined;
      return { start: open, end: index + 1, portions: isEmpty ? [] : portions.finish(index) };
    }
    isEmpty = false;
  }
  return undefined;
}

class PortionList {
  readonly #portions: ListPortion[] = [];
  #start: number;
  #count = 0;

  constructor(start: number) {
    this.#start = start;
  }

  endItem(comma: number): void {
    this.#count += 1;
    if (this.#count >= MAX_ITEMS || comma - this.#start >= MAX_BYTES) this.#end(comma);
  }

  finish(end: number): readonly ListPortion[] {
    this.#count += 1;
    this.#end(end);
    return this.#portions;
  }

  #end(end: number): void {
    this.#portions.push({ start: this.#start, end, count: this.#count });
    this.#start = end + 1;
    this.#count = 0;
  }
}
