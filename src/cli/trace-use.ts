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

/** Of so many traces the calls are asked for together; where there are as many calls, of half as many traces from then on. */
const TOGETHER = { traces: 400, calls: 5000 };

/** Questions that wait for their answers: one is read while the service looks for the next. A key has only so many streams. */
const AT_ONCE = 2;

/** As each root tells it; where it has no end, or its client adds nothing up, as its calls do. In the order of the roots. */
export async function usesOf(reader: Reader, roots: readonly Call[]): Promise<TraceUse[]> {
  const silent = roots.filter((root) => countedCallsOf(root) === undefined);
  const found = new Map<string, TraceUse>();
  const ids = silent.map(({ trace_id: id }) => id);
  let together = TOGETHER.traces;
  const ask = async (): Promise<void> => {
    while (ids.length > 0) {
      const some = ids.splice(0, together);
      const uses = await usesOfTraces(reader, some);
      for (const [id, use] of uses ?? []) found.set(id, use);
      if (uses !== undefined) continue;
      ids.push(...some);
      together = Math.min(together, Math.ceil(some.length / 2));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return roots.map((root) => useInRoot(root) ?? found.get(root.trace_id) ?? useIn([root]));
}

function useInRoot(root: Call): TraceUse | undefined {
  const callCount = countedCallsOf(root);
  if (callCount === undefined) return undefined;
  return { tokens: tokensOf(root) ?? null, cost: costOf(root) ?? null, callCount, isPartial: false };
}

/** `undefined`: these traces have too many calls to be asked for together. */
async function usesOfTraces(reader: Reader, ids: readonly string[]): Promise<Map<string, TraceUse> | undefined> {
  const [first] = ids;
  if (first !== undefined && ids.length === 1) return new Map([[first, await useOfTrace(reader, first)]]);
  const calls = await callsOf(reader, ids, TOGETHER.calls);
  if (calls.length >= TOGETHER.calls) return undefined;
  const byTrace = new Map<string, Call[]>(ids.map((id) => [id, []]));
  for (const call of calls) byTrace.get(call.trace_id)?.push(call);
  return new Map([...byTrace].map(([id, own]) => [id, useIn(own.slice(0, MAX_LOOKED_AT), own.length)]));
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
