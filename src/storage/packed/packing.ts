import { type SharedText, textOf } from './shared-text.ts';

/**
 * Records on their way between threads, as few values: copying them as they are writes the names of all their fields
 * for each, which takes three times as long.
 */
export interface Packed {
  readonly count: number;
  /** Short texts, one behind the other. */
  readonly short: string | SharedText;
  /** Each by itself: joined, one of them with wide characters would double the size of all. */
  readonly long: readonly (string | SharedText)[];
  /** For each text its length in `short`, or a mark; for each list of texts how many it has; what packers mark. */
  readonly lengths: Int32Array;
  readonly numbers: Float64Array;
}

/** The result of a `Packer`, whose arrays can be given away. */
export interface OwnPacked extends Packed {
  readonly lengths: Int32Array<ArrayBuffer>;
  readonly numbers: Float64Array<ArrayBuffer>;
}

const IS_NULL = -1;
/** The text is that of the same field in the record before. */
const IS_SAME = -2;
const IS_LONG = -3;
/** Marks of packers are below. */
export const LAST_MARK = IS_LONG;

/** Longer texts are not joined. */
const SHORT_TEXT = 100;

/** Takes the fields of one record after the other; an `Unpacker` gives them back in the same order. */
export class Packer {
  readonly #short: string[] = [];
  readonly #long: string[] = [];
  readonly #lengths: number[] = [];
  readonly #numbers: number[] = [];
  /** Texts of the record at hand and of the one before, by their place in it. */
  readonly #last: (string | null)[] = [];
  #place = 0;

  /** Begins a record. */
  begin(mark: number): void {
    this.#lengths.push(mark);
    this.#place = 0;
  }

  text(text: string | null): void {
    const place = this.#place++;
    if (text === null) {
      this.#lengths.push(IS_NULL);
    } else if (text === this.#last[place]) {
      this.#lengths.push(IS_SAME);
    } else {
      this.#last[place] = text;
      this.#add(text);
    }
  }

  /** Without places: lists differ in length. */
  texts(texts: readonly string[]): void {
    this.#lengths.push(texts.length);
    for (const text of texts) this.#add(text);
  }

  /** Null is NaN, which no number of a record is. */
  number(number: number | null): void {
    this.#numbers.push(number ?? Number.NaN);
  }

  finish(count: number): OwnPacked {
    const lengths = Int32Array.from(this.#lengths);
    const numbers = Float64Array.from(this.#numbers);
    return { count, short: this.#short.join(''), long: this.#long, lengths, numbers };
  }

  #add(text: string): void {
    const isShort = text.length <= SHORT_TEXT;
    this.#lengths.push(isShort ? text.length : IS_LONG);
    (isShort ? this.#short : this.#long).push(text);
  }
}

export class Unpacker {
  readonly #packed: Packed;
  readonly #short: string;
  readonly #last: string[] = [];
  #place = 0;
  #nextLength = 0;
  #nextNumber = 0;
  #nextLong = 0;
  #done = 0;

  constructor(packed: Packed) {
    this.#packed = packed;
    this.#short = textOf(packed.short);
  }

  /** Begins a record and gives its mark. */
  begin(): number {
    this.#place = 0;
    return this.#length();
  }

  text(): string {
    return this.textOrNull() ?? '';
  }

  textOrNull(): string | null {
    const place = this.#place++;
    const length = this.#length();
    if (length === IS_NULL) return null;
    if (length === IS_SAME) return this.#last[place] ?? '';
    const text = this.#take(length);
    this.#last[place] = text;
    return text;
  }

  texts(): readonly string[] {
    const count = this.#length();
    return count === 0 ? NONE : Array.from({ length: count }, () => this.#take(this.#length()));
  }

  /** The texts of a list one after the other, those that are wanted: the others are not made. */
  *textsWhere(isWanted: (index: number) => boolean): Generator<readonly [index: number, text: string]> {
    const count = this.#length();
    for (let index = 0; index < count; index++) {
      const length = this.#length();
      if (isWanted(index)) yield [index, this.#take(length)];
      else this.#skip(length);
    }
  }

  number(): number {
    return this.#packed.numbers[this.#nextNumber++] ?? 0;
  }

  numberOrNull(): number | null {
    const number = this.number();
    return Number.isNaN(number) ? null : number;
  }

  #length(): number {
    return this.#packed.lengths[this.#nextLength++] ?? 0;
  }

  #skip(length: number): void {
    if (length === IS_LONG) this.#nextLong += 1;
    else this.#done += length;
  }

  #take(length: number): string {
    if (length === IS_LONG) return textOf(this.#packed.long[this.#nextLong++] ?? '');
    const text = this.#short.slice(this.#done, this.#done + length);
    this.#done += length;
    return text;
  }
}

const NONE: readonly string[] = [];
