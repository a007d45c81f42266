import type { CallFact, EndFact, StartFact } from '../storage.ts';

/**
 * Facts on their way between threads. Copying them as they are writes the names of all their fields for each, and
 * costs the writer three times as much as reading this.
 */
export interface PackedFacts {
  readonly count: number;
  /** Short texts, one behind the other. */
  readonly short: string;
  /** Each by itself: joined, one of them with wide characters would double the size of all. */
  readonly long: readonly string[];
  /** For each text its length in `short`, or one of the marks below; for each list of references how many it has. */
  readonly lengths: Int32Array<ArrayBuffer>;
  readonly numbers: Float64Array<ArrayBuffer>;
}

const IS_NULL = -1;
/** The text is that of the same field in the fact before. */
const IS_SAME = -2;
const IS_LONG = -3;
const IS_START = -4;
const IS_END = -5;

/** Longer texts are not joined. */
const SHORT_TEXT = 100;

export function packFacts(facts: readonly CallFact[]): PackedFacts {
  const packer = new Packer();
  for (const fact of facts) {
    if (fact.kind === 'start') packStart(packer, fact);
    else packEnd(packer, fact);
  }
  return packer.finish(facts.length);
}

export function unpackFacts(packed: PackedFacts): CallFact[] {
  const unpacker = new Unpacker(packed);
  return Array.from({ length: packed.count }, () =>
    unpacker.begin() === IS_START ? unpackStart(unpacker) : unpackEnd(unpacker),
  );
}

function packStart(packer: Packer, start: StartFact): void {
  packer.begin(IS_START);
  packer.text(start.project_id);
  packer.text(start.id);
  packer.text(start.op_name);
  packer.text(start.display_name);
  packer.text(start.trace_id);
  packer.text(start.fallback_trace_id);
  packer.text(start.parent_id);
  packer.text(start.thread_id);
  packer.text(start.turn_id);
  packer.number(start.started_at);
  packer.text(start.attributes);
  packer.text(start.inputs);
  packer.text(start.otel_dump);
  packer.texts(start.input_refs);
  packer.text(start.svc_user_id);
  packer.text(start.svc_run_id);
  packer.number(start.svc_run_step);
}

/** In the order of `packStart`: members of a literal are evaluated as they are written. */
function unpackStart(from: Unpacker): StartFact {
  return {
    kind: 'start',
    project_id: from.text(),
    id: from.text(),
    op_name: from.text(),
    display_name: from.textOrNull(),
    trace_id: from.textOrNull(),
    fallback_trace_id: from.text(),
    parent_id: from.textOrNull(),
    thread_id: from.textOrNull(),
    turn_id: from.textOrNull(),
    started_at: from.number(),
    attributes: from.text(),
    inputs: from.text(),
    otel_dump: from.textOrNull(),
    input_refs: from.texts(),
    svc_user_id: from.text(),
    svc_run_id: from.textOrNull(),
    svc_run_step: from.numberOrNull(),
  };
}

function packEnd(packer: Packer, end: EndFact): void {
  packer.begin(IS_END);
  packer.text(end.project_id);
  packer.text(end.id);
  packer.number(end.ended_at);
  packer.text(end.exception);
  packer.text(end.output);
  packer.texts(end.output_refs);
  packer.text(end.summary);
  packer.text(end.display_name);
  packer.number(end.svc_run_step_end);
}

/** In the order of `packEnd`. */
function unpackEnd(from: Unpacker): EndFact {
  return {
    kind: 'end',
    project_id: from.text(),
    id: from.text(),
    ended_at: from.number(),
    exception: from.textOrNull(),
    output: from.textOrNull(),
    output_refs: from.texts(),
    summary: from.text(),
    display_name: from.textOrNull(),
    svc_run_step_end: from.numberOrNull(),
  };
}

class Packer {
  readonly #short: string[] = [];
  readonly #long: string[] = [];
  readonly #lengths: number[] = [];
  readonly #numbers: number[] = [];
  /** Texts of the fact at hand and of the one before, by their place in it. */
  readonly #last: (string | null)[] = [];
  #place = 0;

  begin(mark: typeof IS_START | typeof IS_END): void {
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

  /** Null is NaN, which no number of a fact is. */
  number(number: number | null): void {
    this.#numbers.push(number ?? Number.NaN);
  }

  finish(count: number): PackedFacts {
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

class Unpacker {
  readonly #packed: PackedFacts;
  readonly #last: string[] = [];
  #place = 0;
  #nextLength = 0;
  #nextNumber = 0;
  #nextLong = 0;
  #done = 0;

  constructor(packed: PackedFacts) {
    this.#packed = packed;
  }

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

  #take(length: number): string {
    if (length === IS_LONG) return this.#packed.long[this.#nextLong++] ?? '';
    const text = this.#packed.short.slice(this.#done, this.#done + length);
    this.#done += length;
    return text;
  }
}

const NONE: readonly string[] = [];
