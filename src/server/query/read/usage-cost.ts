import type { ModelUsage, TokenSums } from '../../../storage/contract/overviews.ts';
import type { PriceFinder } from './call-costs.ts';
import { costEntry } from './cost-entry.ts';

/** What the use of models costs, as far as it is known. */
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
  const entry = costEntry({ ...tokens, prompt, completion }, price);
  const amounts = [
    [price.prompt_token_cost_unit, entry['prompt_tokens_total_cost']],
    [price.completion_token_cost_unit, entry['completion_tokens_total_cost']],
  ].filter(([unit]) => unit === DOLLARS);
  return amounts.length === 0 ? null : amounts.reduce((sum, [, amount]) => sum + Number(amount), 0);
}

/** What several uses cost together. A model without a price counts nothing and is named. */
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
