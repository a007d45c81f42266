import type { SkeletonBlock } from '../../../protocol/page/skeleton.ts';
import type { TraceColumns } from '../../../storage/contract/trace-columns.ts';
import { usageAt } from '../../../storage/values/overviews/trace-columns.ts';
import type { PriceFinder } from './call-costs.ts';
import { completionOf, costOfUsage, promptOf } from './usage-cost.ts';

/** Tokens of calls, what they cost, and the model with most tokens, of equal ones the first. */
export function usedByCalls(
  { count, startedAt, usages }: TraceColumns,
  findPrice: PriceFinder,
): Pick<SkeletonBlock, 'tokensIn' | 'tokensOut' | 'costs' | 'models'> {
  const used = {
    tokensIn: new Float64Array(count),
    tokensOut: new Float64Array(count),
    models: new Map<number, string>(),
  };
  const costs = new Float64Array(count).fill(Number.NaN);
  let [last, most] = [-1, 0];
  for (const [index, place] of usages.places.entries()) {
    const usage = usageAt(usages, index);
    const { model, tokens } = usage;
    used.tokensIn[place] = (used.tokensIn[place] ?? 0) + promptOf(tokens);
    used.tokensOut[place] = (used.tokensOut[place] ?? 0) + completionOf(tokens);
    const cost = costOfUsage(usage, startedAt[place] ?? 0, findPrice);
    const others = costs[place] ?? Number.NaN;
    if (cost !== null) costs[place] = Number.isNaN(others) ? cost : others + cost;
    if (place === last && tokens.total <= most) continue;
    [last, most] = [place, tokens.total];
    used.models.set(place, model);
  }
  return { ...used, costs };
}
