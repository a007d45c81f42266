import type { Call } from '../protocol/call.ts';
import { usageRoots } from '../protocol/usage-roots.ts';

/** Cost of calls, as far as their models have a price. */
export interface Cost {
  /** By currency. */
  readonly amounts: Readonly<Record<string, number>>;
  /** Models that were used and have no price: the amounts are without them. */
  readonly unpricedModels: readonly string[];
  /** A part was counted with a price of other tokens, or providers charge more than tokens. */
  readonly isEstimate: boolean;
}

/** The cost that the service states for a call that was read with its costs; `undefined` when it used no model. */
export function costOf({ summary }: Pick<Call, 'summary'>): Cost | undefined {
  const svc = memberOf(summary, 'svc');
  const [costs, unpriced] = [memberOf(svc, 'costs'), memberOf(svc, 'unpriced_models')];
  if (costs === undefined && unpriced === undefined) return undefined;
  const entries = Object.values(typeof costs === 'object' && costs !== null ? costs : {});
  const unpricedModels = Array.isArray(unpriced) ? unpriced.map(String) : [];
  const isEstimate = entries.some((entry) => memberOf(entry, 'is_estimate') === true);
  return sumOfCosts([...entries.map(ofModel), { amounts: {}, unpricedModels, isEstimate }]);
}

/**
 * The cost of the calls of a trace, each counted once: clients add what a call used to its parents. `undefined`
 * when none used a model.
 */
export function costOfTrace(calls: readonly Call[]): Cost | undefined {
  return totalCost(usageRoots(calls, hasUsage));
}

/** The sum for calls of which none contains another; `undefined` when none used a model. */
export function totalCost(calls: readonly Pick<Call, 'summary'>[]): Cost | undefined {
  const costs = calls.flatMap((call) => costOf(call) ?? []);
  return costs.length === 0 ? undefined : sumOfCosts(costs);
}

function hasUsage({ summary }: Call): boolean {
  const usage = memberOf(summary, 'usage');
  return typeof usage === 'object' && usage !== null && Object.keys(usage).length > 0;
}

function sumOfCosts(costs: readonly Cost[]): Cost {
  const amounts = new Map<string, number>();
  for (const [unit, amount] of costs.flatMap((cost) => Object.entries(cost.amounts))) {
    amounts.set(unit, (amounts.get(unit) ?? 0) + amount);
  }
  return {
    amounts: Object.fromEntries(amounts),
    unpricedModels: [...new Set(costs.flatMap(({ unpricedModels }) => unpricedModels))],
    isEstimate: costs.some(({ isEstimate }) => isEstimate),
  };
}

/** Input and output may have prices of two currencies. */
function ofModel(entry: unknown): Cost {
  const parts = (['prompt', 'completion'] as const).map((kind): Cost => {
    const [unit, amount] = [memberOf(entry, `${kind}_token_cost_unit`), memberOf(entry, `${kind}_tokens_total_cost`)];
    return {
      amounts: { [typeof unit === 'string' ? unit : 'USD']: Number(amount ?? 0) },
      unpricedModels: [],
      isEstimate: false,
    };
  });
  return sumOfCosts(parts);
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
