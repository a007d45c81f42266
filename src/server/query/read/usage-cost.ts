import type { ModelUsage, TokenSums } from '../../../storage/contract/overviews.ts';
import type { PriceFinder } from './call-costs.ts';
import { completionCost, promptCost } from './cost-entry.ts';

/** The cost of the use of models, as far as it is known. */
export interface UsageCost {
  /** US dollars; null: nothing that was used has a price in dollars. */
  readonly cost: number | null;
  /** Models that were used and have none. */
  readonly unpriced: readonly string[];
}

const DOLLARS = 'USD';

/** `startedAt` in microseconds: prices change. */
export function costOfUsage(
  { model, provider, host, tokens }: ModelUsage,
  startedAt: number,
  findPrice: PriceFinder,
): number | null {
  const [prompt, completion] = [promptOf(tokens), completionOf(tokens)];
  const { requests } = tokens;
  const price = findPrice({
    model,
    startedAt,
    promptTokens: prompt,
    completionTokens: completion,
    requests,
    ...(provider !== null && { provider }),
    ...(host !== null && { host }),
  });
  if (price === undefined) return null;
  const isPromptInDollars = price.prompt_token_cost_unit === DOLLARS;
  const isCompletionInDollars = price.completion_token_cost_unit === DOLLARS;
  if (!isPromptInDollars && !isCompletionInDollars) return null;
  return (
    (isPromptInDollars ? promptCost(tokens, price) : 0) + (isCompletionInDollars ? completionCost(tokens, price) : 0)
  );
}

/** The cost of several uses together. A model without a price counts nothing and is named. */
export function sumOfCosts(costs: Iterable<readonly [model: string, cost: number | null]>): UsageCost {
  let cost: number | null = null;
  const unpriced = new Set<string>();
  for (const [model, amount] of costs) {
    if (amount === null) unpriced.add(model);
    else cost = (cost ?? 0) + amount;
  }
  return { cost, unpriced: [...unpriced] };
}

export function promptOf({ plainPrompt, cacheRead, cacheWrite }: TokenSums): number {
  return plainPrompt + cacheRead + cacheWrite;
}

export function completionOf({ plainCompletion, reasoning }: TokenSums): number {
  return plainCompletion + reasoning;
}
