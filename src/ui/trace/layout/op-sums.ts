import type { Cost } from '../../format/cost.ts';
import { modelOf } from './model-of.ts';
import { at } from '../../tree/numbers.ts';
import { CallState, type TraceSkeleton } from './skeleton.ts';
import type { TraceLayout } from './trace-layout.ts';
import { unpricedCalls } from './unpriced.ts';

/** The sums of the calls of one op, and of one model, among those at work in a stretch of time. */
export interface OpSum {
  readonly op: number;
  readonly model: string | undefined;
  readonly calls: number;
  /** Microseconds. */
  readonly self: number;
  readonly share: number;
  readonly p50: number;
  readonly max: number;
  /** The call that took longest. */
  readonly longest: number;
  readonly errors: number;
  /** Of these calls without what is below them. */
  readonly cost: Cost;
}

/** Most self time first. */
export function opSumsOf(skeleton: TraceSkeleton, layout: TraceLayout, from: number, to: number): OpSum[] {
  const { start, end, self } = layout.times;
  const groups = new Map<string, number[]>();
  for (let call = 0; call < skeleton.count; call++) {
    if (at(end, call) < from || at(start, call) > to) continue;
    const key = `${at(skeleton.op, call)} ${modelOf(skeleton, call) ?? ''}`;
    const calls = groups.get(key);
    if (calls) calls.push(call);
    else groups.set(key, [call]);
  }
  const cost = ownCosts(skeleton, layout);
  const unpriced = ownUnpriced(skeleton, layout);
  const all = [...groups.values()].map((calls) => {
    const first = calls[0] ?? 0;
    const latencies = Float64Array.from(calls, (call) => lengthOf(layout, call)).sort();
    const costs = calls.map((call) => at(cost, call)).filter((usd) => !Number.isNaN(usd));
    return {
      op: at(skeleton.op, first),
      model: modelOf(skeleton, first),
      longest: calls.reduce((most, call) => (lengthOf(layout, call) > lengthOf(layout, most) ? call : most), first),
      calls: calls.length,
      self: sum(calls.map((call) => at(self, call))),
      p50: at(latencies, Math.floor((latencies.length - 1) / 2)),
      max: at(latencies, latencies.length - 1),
      errors: calls.filter((call) => at(skeleton.states, call) === CallState.error).length,
      cost: { usd: costs.length === 0 ? null : sum(costs), isUnpriced: calls.some((call) => at(unpriced, call) === 1) },
    };
  });
  const total = sum(all.map((op) => op.self)) || 1;
  return all.map((op) => ({ ...op, share: op.self / total })).sort((a, b) => b.self - a.self);
}

/** Money of each call without what is below it: the sums of the children come off. */
function ownCosts({ costs }: TraceSkeleton, { tree }: TraceLayout): Float64Array {
  const own = costs.slice();
  for (let call = 0; call < tree.count; call++) {
    const parent = at(tree.parent, call);
    if (parent < tree.count && !Number.isNaN(at(costs, call))) own[parent] = at(own, parent) - at(costs, call);
  }
  // What remains of a sum of fractions is no money.
  return own.map((usd, call) =>
    Math.abs(usd) < 1e-12 && at(tree.firstChild, call) >= 0 ? Number.NaN : Math.max(0, usd),
  );
}

/** 1 for each call that used tokens without a price itself: more than those below it, from which its mark may come. */
function ownUnpriced(skeleton: TraceSkeleton, { tree }: TraceLayout): Uint8Array {
  const { tokensIn, tokensOut, costs } = skeleton;
  const all = unpricedCalls(skeleton, tree);
  const own = all.slice();
  const tokens = tokensIn.map((count, call) => count + at(tokensOut, call));
  const rest = tokens.slice();
  for (let call = 0; call < tree.count; call++) {
    const parent = at(tree.parent, call);
    if (parent < tree.count) rest[parent] = at(rest, parent) - at(tokens, call);
  }
  all.forEach((isUnpriced, call) => {
    const parent = at(tree.parent, call);
    if (isUnpriced === 0 || parent >= tree.count) return;
    if (at(rest, parent) <= 0 || !Number.isNaN(at(costs, parent))) own[parent] = 0;
  });
  return own;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function lengthOf({ times }: TraceLayout, call: number): number {
  return at(times.end, call) - at(times.start, call);
}
