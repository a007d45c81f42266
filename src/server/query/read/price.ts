import type { StoredCost } from '../../../storage/contract/costs.ts';

/** A price that a call may be counted with. */
export interface Price extends Omit<StoredCost, 'project_id' | 'id'> {
  readonly pricing_level: 'project' | 'default';
  readonly pricing_level_id: string;
  /** The name of the model in the bundled list, where that is the origin. */
  readonly listedModel?: string;
  /** The amount that it makes of tokens is not all that a provider takes. */
  readonly isEstimate?: boolean;
}

/** The use that a price is wanted for: of one model by a call and, where its client adds up, by those below it. */
export interface PriceQuestion {
  readonly model: string;
  /** Microseconds. */
  readonly startedAt: number;
  /** Where the requests went, as far as somebody has said. */
  readonly provider?: string | undefined;
  readonly host?: string | undefined;
  /** Tokens of input, cached ones included. */
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly requests: number;
}

/** Prices that come with the service, for models that nobody else has priced. */
export interface BundledPrices {
  priceOf(question: PriceQuestion): Price | undefined;
}

/** The prices that no project stores. */
export interface DefaultPrices {
  /** Those of the operator by model. */
  readonly listed: ReadonlyMap<string, readonly Price[]>;
  /** Resolves to nothing where there are none; called when costs are asked for. */
  readonly bundled: () => Promise<BundledPrices | undefined>;
}

/** Where a price may come from: what is earlier here goes before what is later. */
const ORIGINS = ['project', 'listed', 'bundled'] as const;
type PricesByOrigin = Readonly<Record<(typeof ORIGINS)[number], readonly Price[]>>;

/**
 * A price in force, or where all begin later one of those; of these the project's own before the operator's, those before
 * the bundled, then the one that begins last, then the newest.
 */
export function chosenPrice(prices: PricesByOrigin, startedAt: number): Price | undefined {
  return firstOf(prices, startedAt) ?? firstOf(prices, Infinity);
}

function firstOf(prices: PricesByOrigin, until: number): Price | undefined {
  for (const origin of ORIGINS) {
    const price = latest(prices[origin], until);
    if (price !== undefined) return price;
  }
  return undefined;
}

/** A loop: a trace of many calls asks for each. */
function latest(prices: readonly Price[], until: number): Price | undefined {
  let found: Price | undefined;
  for (const price of prices) {
    if (price.effective_date <= until && (found === undefined || isLater(price, found))) found = price;
  }
  return found;
}

function isLater(price: Price, other: Price): boolean {
  const { effective_date: from, created_at: createdAt } = price;
  return from > other.effective_date || (from === other.effective_date && createdAt > other.created_at);
}
