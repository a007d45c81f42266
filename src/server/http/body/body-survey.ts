import { TracingError } from '../../../protocol/error.ts';
import { DistinctKeys } from './distinct-keys.ts';
import { checkLength, type ListRule } from './list-limits.ts';
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './json-bytes.ts';

const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;
const EXPONENT = 0x65;
const LOWER_CASE = 0x20;

/** Whole numbers of so many digits are doubles. */
const EXACT_DIGITS = 15;

/** Objects with more members are kept as hash tables, which take long to make. */
const WIDE = 128;

/** Facts about a JSON text that are known before it is parsed. */
export interface BodyShape {
  /** How many arrays and objects lie inside one another. */
  readonly depth: number;
  /** No number has a fraction, an exponent or more digits than a double, and no text an escaped code unit. */
  readonly isPlain: boolean;
  /** How many values it has, about. */
  readonly values: number;
  /** Keys of objects that have very many. */
  readonly wideKeys: number;
  /** About how long parsing it takes. */
  readonly parseMs: number;
  /** About how many bytes of memory its values take. */
  readonly memoryBytes: number;
}

/** Rules that a text must keep. */
export interface SurveyRules {
  readonly maxDepth?: number;
  /** Lists that are refused as soon as they are too long, however much of them is still to come. */
  readonly lists?: ListRule | undefined;
}

/**
 * Looks through a JSON text without parsing it, in pieces: nothing is allocated for what is in it. Throws
 * `payload_too_large` and `too_many_items`.
 */
export class BodySurvey {
  readonly #body: Buffer;
  readonly #rules: SurveyRules;
  #index = 0;
  #isInString = false;
  #depth = 0;
  #deepest = 0;
  #digits = 0;
  #isPlain = true;
  #objects = 0;
  #arrays = 0;
  #items = 0;
  #wideKeys = 0;
  /** Numbers that are kept as texts, and those of them that are long. */
  #oddNumbers = 0;
  #longNumbers = 0;
  #hasFraction = false;
  #fractions = 0;
  /** Arrays and objects with nothing in them, for which the parser keeps room. */
  #empty = 0;
  #isEmpty = false;
  readonly #keys = new DistinctKeys();
  #textBytes = 0;
  /** Bytes that the last text added to it. */
  #lastText = 0;
  /** Commas of the array or object that is open, and of those around it, outermost first. */
  #commas = 0;
  readonly #outerCommas: number[] = [];
  /** The rules for what is open, outermost first; what lies deeper than the last has none. */
  readonly #lists: ListRule[] = [];
  /** Is there a rule for what is open? */
  #isListed = false;
  /** The rule for the value that comes next. */
  #next: ListRule | undefined;
  #textStart = 0;

  constructor(body: Buffer, rules: SurveyRules = {}) {
    this.#body = body;
    this.#rules = rules;
    this.#next = rules.lists;
  }

  get isDone(): boolean {
    return this.#index >= this.#body.length;
  }

  /** Goes on for about so many bytes. */
  advance(bytes: number): void {
    // One view for all strings of the piece: each takes as long to make as looking through a short string.
    const piece = this.#body.subarray(0, this.#index + bytes);
    // From the last byte of the piece before on: behind a backslash there, the index is one byte further.
    if (this.#isPlain && piece.includes('\\u', Math.max(0, this.#index - 2))) this.#isPlain = false;
    if (this.#isInString) this.#finishString(piece);
    if (!this.#isInString) this.#scan(piece);
  }

  get shape(): BodyShape {
    const containers = this.#objects + this.#arrays;
    const distinct = Math.max(0, this.#keys.count - this.#wideKeys);
    return {
      depth: this.#deepest,
      isPlain: this.#isPlain,
      values: containers + this.#items,
      wideKeys: this.#wideKeys,
      // In microseconds, as measured.
      parseMs:
        (containers * 0.4 +
          this.#items * 0.05 +
          this.#wideKeys * 0.8 +
          distinct * 1.5 +
          this.#oddNumbers * 2 +
          this.#body.length * 0.004) /
        1000,
      // As measured, at the peak of parsing.
      memoryBytes:
        containers * 40 +
        this.#empty * 48 +
        this.#items * 24 +
        this.#fractions * 24 +
        this.#wideKeys * 124 +
        distinct * 250 +
        this.#oddNumbers * 100 +
        this.#longNumbers * 140 +
        this.#textBytes,
    };
  }

  /** Counts that come with every value are kept in variables: fields take half as long again. */
  #scan(piece: Buffer): void {
    const end = piece.length;
    let digits = this.#digits;
    let textBytes = this.#textBytes;
    let lastText = this.#lastText;
    let index = this.#index;
    for (; index < end; index++) {
      const byte = piece[index] ?? 0;
      if (byte === QUOTE) {
        const start = index + 1;
        const next = behindString(piece, start);
        digits = 0;
        this.#isEmpty = false;
        this.#textStart = start;
        this.#isInString = next < 0;
        index = Math.abs(next) - 1;
        lastText = index + 1 - start + (next < 0 ? 0 : STRING_BYTES);
        textBytes += lastText;
        continue;
      }
      if (byte === COLON) {
        // The text before it is a key: the same key of many objects is there once.
        textBytes -= lastText;
        this.#keys.add(this.#body, this.#textStart, this.#textStart + lastText - STRING_BYTES);
        lastText = 0;
        digits = 0;
        if (this.#isListed) this.#key(index);
        continue;
      }
      if (byte >= ZERO && byte <= NINE) {
        this.#isEmpty = false;
        if (++digits === EXACT_DIGITS + 1) this.#noteOdd();
        continue;
      }
      if (this.#hasFraction) this.#endFraction(piece[index - 1]);
      if (byte === COMMA) this.#comma();
      else if (byte === POINT) {
        this.#isPlain = false;
        this.#hasFraction = true;
        this.#fractions += 1;
      } else if (digits > 0 && (byte | LOWER_CASE) === EXPONENT) this.#noteOdd();
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte === OPEN_OBJECT);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#close(byte === CLOSE_OBJECT);
      digits = 0;
    }
    this.#digits = digits;
    this.#textBytes = textBytes;
    this.#lastText = lastText;
    this.#index = index;
  }

  /** A plain number would not print as one that was written as `1.0`. */
  #endFraction(last: number | undefined): void {
    this.#hasFraction = false;
    if (last === ZERO) this.#oddNumbers += 1;
  }

  #noteOdd(): void {
    this.#isPlain = false;
    this.#oddNumbers += 1;
    this.#longNumbers += 1;
  }

  #comma(): void {
    this.#items += 1;
    this.#commas += 1;
    if (!this.#isListed) return;
    this.#next = undefined;
    // One item more than commas.
    checkLength(this.#commas + 1, this.#lists[this.#depth - 1]);
  }

  #open(isObject: boolean): void {
    if (isObject) this.#objects += 1;
    else this.#arrays += 1;
    if (this.#next !== undefined && this.#lists.length === this.#depth) this.#lists.push(this.#next);
    this.#next = undefined;
    this.#outerCommas[this.#depth] = this.#commas;
    this.#commas = 0;
    this.#isEmpty = true;
    this.#depth += 1;
    this.#isListed = this.#lists.length === this.#depth;
    if (this.#depth <= this.#deepest) return;
    this.#deepest = this.#depth;
    const { maxDepth = Number.POSITIVE_INFINITY } = this.#rules;
    if (this.#depth <= maxDepth) return;
    throw new TracingError('payload_too_large', `Cannot read the body: more than ${maxDepth} levels`);
  }

  #close(isObject: boolean): void {
    // What is no JSON may close what was never opened.
    if (this.#depth === 0) return;
    if (isObject && this.#commas >= WIDE) this.#wideKeys += this.#commas;
    if (this.#isEmpty) this.#empty += 1;
    this.#isEmpty = false;
    if (this.#isListed) this.#lists.pop();
    this.#next = undefined;
    this.#depth -= 1;
    this.#isListed = this.#depth > 0 && this.#lists.length === this.#depth;
    this.#commas = this.#outerCommas[this.#depth] ?? 0;
  }

  /** Only keys that lead to lists matter. */
  #key(colon: number): void {
    const members = this.#lists[this.#depth - 1]?.members;
    if (members === undefined || members.size === 0 || colon - this.#textStart > MAX_KEY) return;
    const end = this.#body.lastIndexOf(QUOTE, colon);
    this.#next = members.get(this.#body.toString('latin1', this.#textStart, end));
  }

  /** Goes to behind the closing quote of a string that began before; where it is not in the piece, to the end of that. */
  #finishString(piece: Buffer): void {
    const next = behindString(piece, this.#index);
    this.#isInString = next < 0;
    const stop = Math.abs(next);
    const bytes = stop - this.#index + (next < 0 ? 0 : STRING_BYTES);
    this.#lastText += bytes;
    this.#textBytes += bytes;
    this.#index = stop;
  }
}

/** Longer keys, with the white space behind them, lead nowhere. */
const MAX_KEY = 100;

/** Bytes that a string takes beside its characters. */
const STRING_BYTES = 16;

/** Longer strings are left to a search of the system, which costs as much to begin. */
const SHORT_STRING = 40;

/**
 * The place behind the closing quote of a string from the place of a whole character in it; where the string goes on
 * behind the piece, the place of a whole character there, below zero.
 */
function behindString(piece: Buffer, start: number): number {
  const end = piece.length;
  const near = Math.min(end, start + SHORT_STRING);
  let index = start;
  while (index < near && piece[index] !== QUOTE) index += piece[index] === BACKSLASH ? 2 : 1;
  if (index < near) return index + 1;
  return index >= end ? -index : behindFarQuote(piece, index);
}

function behindFarQuote(piece: Buffer, start: number): number {
  const end = piece.length;
  for (let from = start; ;) {
    const quote = piece.indexOf(QUOTE, from);
    const found = quote < 0 ? end : quote;
    let first = found;
    while (first > start && piece[first - 1] === BACKSLASH) first--;
    const isEscaped = (found - first) % 2 === 1;
    if (quote < 0) return -(isEscaped ? end + 1 : end);
    if (!isEscaped) return quote + 1;
    from = quote + 1;
  }
}

/** Looks through a whole text at once: one that is known to be short. */
export function surveyAtOnce(body: Buffer, rules?: SurveyRules): BodyShape {
  const survey = new BodySurvey(body, rules);
  while (!survey.isDone) survey.advance(body.length);
  return survey.shape;
}
