import type { CallCosts } from '../query/read/call-costs.ts';
import type { Price } from '../query/read/price.ts';

/** Labels of one sum; none of them is a word of a client. */
export interface CostSum {
  readonly provider: string;
  readonly model: string;
  readonly currency: string;
  amount: number;
}

/** Nothing that was bought by the token costs more: such numbers are mistakes, and would hide all that comes later. */
const MAX_AMOUNT = 1e12;
const MAX_TOKENS = 1e15;

/** Adds up what calls cost. Its numbers only grow. */
export class CostTally {
  readonly #sums = new Map<string, CostSum>();
  unpricedTokens = 0;
  uncountedCalls = 0;

  get sums(): Iterable<CostSum> {
    return this.#sums.values();
  }

  /** How many numbers it holds, about. */
  get size(): number {
    return 1 + this.#sums.size;
  }

  /** Adds a call; one that has used what no call can have used is not counted, as far as that goes. */
  add({ counted, hasMore }: Pick<CallCosts, 'counted' | 'hasMore'>): void {
    let isWhole = !hasMore;
    for (const { price, tokens, amounts } of counted) {
      if (price === undefined) {
        isWhole = this.#addTokens(tokens) && isWhole;
        continue;
      }
      for (const [currency, amount] of amounts) {
        isWhole = this.#addAmount(labelsOf(price, currency), amount) && isWhole;
      }
    }
    if (!isWhole) this.uncountedCalls += 1;
  }

  /** Adds what a tally has more than the one that was made of the same before. */
  addGrowth(now: CostTally, before: CostTally = new CostTally()): void {
    for (const [key, { amount, ...labels }] of now.#sums) {
      this.#addAmount(labels, Math.max(0, amount - (before.#sums.get(key)?.amount ?? 0)));
    }
    this.unpricedTokens += Math.max(0, now.unpricedTokens - before.unpricedTokens);
    this.uncountedCalls += Math.max(0, now.uncountedCalls - before.uncountedCalls);
  }

  #addTokens(tokens: number): boolean {
    const isUsual = tokens >= 0 && tokens <= MAX_TOKENS;
    if (isUsual) this.unpricedTokens += tokens;
    return isUsual;
  }

  #addAmount(labels: Omit<CostSum, 'amount'>, amount: number): boolean {
    if (!(amount >= 0 && amount <= MAX_AMOUNT)) return false;
    const key = JSON.stringify(Object.values(labels));
    const sum = this.#sums.get(key);
    if (sum) sum.amount += amount;
    else this.#sums.set(key, { ...labels, amount });
    return true;
  }
}

const CURRENCIES: ReadonlySet<string> = new Set(['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'CNY', 'INR']);

/** Prices of projects have names that clients gave. */
function labelsOf(price: Price, unit: string): Omit<CostSum, 'amount'> {
  const currency = CURRENCIES.has(unit) ? unit : 'other';
  if (price.pricing_level === 'project') return { provider: 'project', model: 'project', currency };
  return { provider: price.provider_id, model: price.listedModel ?? price.llm_id, currency };
}
