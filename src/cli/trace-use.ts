import type { Call } from '../protocol/call.ts';
import { usageRoots } from '../protocol/usage-roots.ts';
import { type Cost, costOf, costOfTrace } from '../reader/call-cost.ts';
import type { Reader } from '../reader/reader.ts';
import { countedCallsOf, sumOfTokens, type TokenCount, tokensOf } from './call-row.ts';

/** The use of models by the calls of a trace; null where they used none. */
export interface TraceUse {
  readonly tokens: TokenCount | null;
  readonly cost: Cost | null;
  readonly callCount: number;
  /** Tokens and cost are those of the calls that were looked at, and there are more. */
  readonly isPartial: boolean;
}

/** Of a trace whose root says nothing, so many calls are looked at. */
const MAX_LOOKED_AT = 1000;

/** As the root tells it; where it has no end, or its client adds nothing up, as its calls do. */
export async function useOf(reader: Reader, root: Call): Promise<TraceUse> {
  const callCount = countedCallsOf(root);
  const tokens = tokensOf(root);
  if (callCount !== undefined) {
    return { tokens: tokens ?? null, cost: costOf(root) ?? null, callCount, isPartial: false };
  }
  const filter = { trace_ids: [root.trace_id] };
  const request = { filter, columns: ['parent_id', 'summary'], include_costs: true, limit: MAX_LOOKED_AT };
  const calls: Call[] = [];
  for await (const call of reader.calls.query(request)) calls.push(call);
  const count = calls.length < MAX_LOOKED_AT ? calls.length : (await reader.calls.stats({ filter })).count;
  const users = usageRoots(calls, (call) => tokensOf(call) !== undefined);
  return {
    tokens: sumOfTokens(users) ?? null,
    cost: costOfTrace(calls) ?? null,
    callCount: count,
    isPartial: count > calls.length,
  };
}
