import type { CallFact } from '../../../storage/contract/calls.ts';
import type { WriteStores } from '../write-stores.ts';

/** Exporters send a few thousand spans at most: records of so many are written all at once. */
const MAX_FACTS = 20_000;

/** Of more spans, about so many records are written at a time: each of them is in memory several times on its way. */
const PORTION_FACTS = 4000;

/** About so many characters of their texts are in memory at a time. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Writes records as they are made, few ones all at once and very many in portions. */
export class Portions {
  readonly #calls: WriteStores['calls'];
  /** Throws where what is still to come would be refused. */
  readonly #checkRest: () => Promise<void>;
  /** Start and end of a span are in one of them. */
  #portions: CallFact[][] = [];
  #count = 0;
  #characters = 0;
  #isChecked = false;
  starts = 0;
  ends = 0;

  constructor(calls: WriteStores['calls'], checkRest: () => Promise<void>) {
    this.#calls = calls;
    this.#checkRest = checkRest;
  }

  /** The records of a span. */
  add(facts: readonly CallFact[]): void {
    const portion = this.#openPortion();
    for (const fact of facts) {
      portion.push(fact);
      this.#count += 1;
      this.#characters += charactersOf(fact);
      if (fact.kind === 'start') this.starts += 1;
      else this.ends += 1;
    }
  }

  get isFull(): boolean {
    return this.#count >= (this.#isChecked ? PORTION_FACTS : MAX_FACTS) || this.#characters >= MAX_CHARACTERS;
  }

  /** Before the first portion is written it is known that no later one is refused. */
  async write(): Promise<void> {
    if (!this.#isChecked) await this.#checkRest();
    this.#isChecked = true;
    await this.finish();
  }

  /** Writes what is left. */
  async finish(): Promise<void> {
    const portions = this.#isChecked ? this.#portions : [this.#portions.flat()];
    this.#portions = [];
    this.#count = 0;
    this.#characters = 0;
    // None is kept while those behind it are written.
    for (let portion = portions.shift(); portion !== undefined; portion = portions.shift()) {
      if (portion.length > 0) await this.#calls.write(portion);
    }
  }

  #openPortion(): CallFact[] {
    const last = this.#portions.at(-1);
    if (last !== undefined && last.length < PORTION_FACTS) return last;
    const portion: CallFact[] = [];
    this.#portions.push(portion);
    return portion;
  }
}

function charactersOf(fact: CallFact): number {
  if (fact.kind === 'end') return (fact.output?.length ?? 0) + fact.summary.length;
  return fact.attributes.length + fact.inputs.length + (fact.otel_dump?.length ?? 0);
}
