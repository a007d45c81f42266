import type { Call } from '../../protocol/call.ts';
import { countTokens } from '../../protocol/token-counts.ts';
import { usageRoots } from '../../protocol/usage-roots.ts';
import { parseDateTime } from '../../protocol/values/date-time.ts';
import { asJsonObject, type JsonObject } from '../../protocol/values/json-object.ts';
import { costOf, costOfTrace } from '../call-cost.ts';
import type { CallNumbers, ComparedSide } from './comparison.ts';

/** Those of one call. */
export function numbersOf(call: Call): CallNumbers {
  return { durationMs: durationOf(call), tokens: tokensOf(call) ?? null, cost: costOf(call) ?? null };
}

/** Those of the calls of a trace, each token counted once; the duration is that of the first call. */
export function numbersOfTrace(calls: readonly Call[]): ComparedSide {
  const [first] = calls;
  const users = usageRoots(calls, (call) => tokensOf(call) !== undefined);
  return {
    callCount: calls.length,
    durationMs: first === undefined ? null : durationOf(first),
    tokens: users.length === 0 ? null : users.reduce((sum, call) => sum + (tokensOf(call) ?? 0), 0),
    cost: costOfTrace(calls) ?? null,
  };
}

/** Models that a call used itself, in alphabetical order: clients add those of the calls below. */
export function modelsUsedBy(call: Call, children: readonly Call[]): readonly string[] {
  const models = Object.keys(usageOf(call));
  if (models.length === 0) return models;
  const below = new Set(children.flatMap((child) => Object.keys(usageOf(child))));
  return models.filter((model) => !below.has(model)).toSorted();
}

function durationOf({ started_at: start, ended_at: end }: Call): number | null {
  if (end === null) return null;
  const [from, to] = [parseDateTime(start), parseDateTime(end)];
  return from === undefined || to === undefined ? null : Math.max(0, to - from) / 1000;
}

/** `undefined`: it used no model. */
function tokensOf(call: Call): number | undefined {
  const usages = Object.values(usageOf(call));
  if (usages.length === 0) return undefined;
  return usages.reduce<number>((sum, usage) => sum + Number(countTokens(asJsonObject(usage)).total), 0);
}

function usageOf({ summary }: Call): JsonObject {
  return asJsonObject(asJsonObject(summary)['usage']);
}
