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

/** Of so many traces the calls are asked for together, as long as there are no more than so many of them. */
const TOGETHER = { traces: 100, calls: 5000 };

/** As each root tells it; where it has no end, or its client adds nothing up, as its calls do. In the order of the roots. */
export async function usesOf(reader: Reader, roots: readonly Call[]): Promise<TraceUse[]> {
  const silent = roots.filter((root) => countedCallsOf(root) === undefined);
  const found = new Map<string, TraceUse>();
  for (let start = 0; start < silent.length; start += TOGETHER.traces) {
    const ids = silent.slice(start, start + TOGETHER.traces).map(({ trace_id: id }) => id);
    for (const [id, use] of await usesOfTraces(reader, ids)) found.set(id, use);
  }
  return roots.map((root) => useInRoot(root) ?? found.get(root.trace_id) ?? useIn([root]));
}

function useInRoot(root: Call): TraceUse | undefined {
  const callCount = countedCallsOf(root);
  if (callCount === undefined) return undefined;
  return { tokens: tokensOf(root) ?? null, cost: costOf(root) ?? null, callCount, isPartial: false };
}

async function usesOfTraces(reader: Reader, ids: readonly string[]): Promise<Map<string, TraceUse>> {
  const calls = await callsOf(reader, ids, TOGETHER.calls);
  const uses = new Map<string, TraceUse>();
  if (calls.length < TOGETHER.calls) {
    const byTrace = new Map<string, Call[]>(ids.map((id) => [id, []]));
    for (const call of calls) byTrace.get(call.trace_id)?.push(call);
    for (const [id, own] of byTrace) uses.set(id, useIn(own.slice(0, MAX_LOOKED_AT), own.length));
  } else {
    // One after another: a key has only so many streams at a time.
    for (const id of ids) uses.set(id, await useOfTrace(reader, id));
  }
  return uses;
}

async function useOfTrace(reader: Reader, id: string): Promise<TraceUse> {
  const calls = await callsOf(reader, [id], MAX_LOOKED_AT);
  if (calls.length < MAX_LOOKED_AT) return useIn(calls);
  return useIn(calls, (await reader.calls.stats({ filter: { trace_ids: [id] } })).count);
}

async function callsOf(reader: Reader, traceIds: readonly string[], limit: number): Promise<Call[]> {
  const filter = { trace_ids: [...traceIds] };
  const request = { filter, columns: ['parent_id', 'summary'], include_costs: true, limit };
  const calls: Call[] = [];
  for await (const call of reader.calls.query(request)) calls.push(call);
  return calls;
}

function useIn(calls: readonly Call[], count = calls.length): TraceUse {
  const users = usageRoots(calls, (call) => tokensOf(call) !== undefined);
  return {
    tokens: sumOfTokens(users) ?? null,
    cost: costOfTrace(calls) ?? null,
    callCount: count,
    isPartial: count > calls.length,
  };
}
