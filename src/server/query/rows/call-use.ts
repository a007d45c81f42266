import type { CallOutline, ModelUsage } from '../../../storage/contract/overviews.ts';
import type { PriceFinder } from '../read/call-costs.ts';
import { completionOf, costOfUsage, promptOf, sumOfCosts, type UsageCost } from '../read/usage-cost.ts';

/** The use of models by a call, with those below it. */
export interface CallUse extends UsageCost {
  /** Null where no model was used. */
  readonly tokens: Record<'total' | 'input' | 'output' | 'cached', number> | null;
  /** Each once. */
  readonly models: readonly string[];
}

export function useOf({ usages, started_at: startedAt }: CallOutline, findPrice: PriceFinder): CallUse {
  const costs = usages.map((usage) => [usage.model, costOfUsage(usage, startedAt, findPrice)] as const);
  return {
    ...sumOfCosts(costs),
    tokens: usages.length === 0 ? null : tokensOf(usages),
    models: [...new Set(usages.map(({ model }) => model))],
  };
}

function tokensOf(usages: readonly ModelUsage[]): NonNullable<CallUse['tokens']> {
  const sum = (count: (usage: ModelUsage) => number) => usages.reduce((total, usage) => total + count(usage), 0);
  return {
    total: sum(({ tokens }) => tokens.total),
    input: sum(({ tokens }) => promptOf(tokens)),
    output: sum(({ tokens }) => completionOf(tokens)),
    cached: sum(({ tokens }) => tokens.cacheRead),
  };
}
