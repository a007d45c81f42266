import type { CallFact } from '../../../storage/contract/calls.ts';
import type { WriteStores } from '../write-stores.ts';

/** Records of spans that are in memory at a time; exporters send a few thousand spans at most. */
const MAX_FACTS = 20_000;

/** About so many characters of their texts. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** Writes records as they are made, few ones all at once and very many in portions. */
export class Portions {
  readonly #calls: WriteStores['calls'];
  /** Throws where what is still to come would be refused. */
  readonly #checkRest: () => Promise<void>;
  #facts: CallFact[] = [];
  #characters = 0;
  #isChecked = false;
  starts = 0;
  ends = 0;

  constructor(calls: WriteStores['calls'], checkRest: () => Promise<void>) {
    this.#calls = calls;
    this.#checkRest = checkRest;
  }

  add(facts: readonly CallFact[]): void {
    for (const fact of facts) {
      this.#facts.push(fact);
      this.#characters += charactersOf(fact);
      if (fact.kind === 'start') this.starts += 1;
      else this.ends += 1;
    }
  }

  get isFull(): boolean {
    return this.#facts.length >= MAX_FACTS || this.#characters >= MAX_CHARACTERS;
  }

  /** Before the first portion is written it is known that no later one is refused. */
  async write(): Promise<void> {
    if (!this.#isChecked) await this.#checkRest();
    this.#isChecked = true;
    await this.finish();
  }

  /** Writes what is left. */
  async finish(): Promise<void> {
    const facts = this.#facts;
    if (facts.length === 0) return;
    this.#facts = [];
    this.#characters = 0;
    await this.#calls.write(facts);
  }
}

function charactersOf(fact: CallFact): number {
  if (fact.kind === 'end') return (fact.output?.length ?? 0) + fact.summary.length;
  return fact.attributes.length + fact.inputs.length + (fact.otel_dump?.length ?? 0);
}
