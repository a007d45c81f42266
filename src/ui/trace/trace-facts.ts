import { countOf, formatCount } from '../format/count.ts';
import { failedCalls } from './layout/find-calls.ts';
import type { Cost } from '../format/cost.ts';
import { at } from '../tree/numbers.ts';
import { unpricedCalls } from './layout/unpriced.ts';
import { CallState, type TraceSkeleton } from './layout/skeleton.ts';
import type { TraceLayout } from './layout/trace-layout.ts';

/** The facts of the whole trace that the head of the page tells. */
export interface TraceFacts {
  /** The first root, or the first call where there is none. */
  readonly root: number;
  readonly calls: number;
  readonly errors: Int32Array;
  readonly running: number;
  readonly neverEnded: number;
  readonly tokens: number;
  /** Ids of the outermost calls that used some. */
  readonly tops: readonly string[];
  readonly cost: Cost;
}

export function traceFacts(skeleton: TraceSkeleton, { tree }: TraceLayout): TraceFacts {
  const tops = skeleton.ids.map((_, call) => call).filter((call) => at(tree.parent, call) >= tree.count);
  const costs = tops.map((call) => at(skeleton.costs, call)).filter((usd) => !Number.isNaN(usd));
  const unpriced = unpricedCalls(skeleton, tree);
  return {
    root: tree.order[0] ?? 0,
    calls: skeleton.count,
    errors: failedCalls(skeleton, tree),
    running: countState(skeleton, CallState.running),
    neverEnded: countState(skeleton, CallState.neverEnded),
    tops: tops.filter((call) => tokensOf(skeleton, call) > 0).map((call) => skeleton.ids[call] ?? ''),
    tokens: tops.reduce((sum, call) => sum + tokensOf(skeleton, call), 0),
    cost: {
      usd: costs.length === 0 ? null : costs.reduce((sum, usd) => sum + usd, 0),
      isUnpriced: tops.some((call) => at(unpriced, call) === 1),
    },
  };
}

function tokensOf({ tokensIn, tokensOut }: TraceSkeleton, call: number): number {
  return at(tokensIn, call) + at(tokensOut, call);
}

export interface Completeness {
  readonly text: string;
  readonly isWhole: boolean;
  /** For the tooltip. */
  readonly detail: string;
}

/**
 * How much of the trace is here, in words; said also when all is well.
 *
 * @param said what stands beside it, and is not said again
 */
export function completenessOf(skeleton: TraceSkeleton, facts: TraceFacts, said = ''): Completeness {
  const { received, missingParents, count } = skeleton;
  const total = Math.max(received, count) + missingParents;
  const parts = [`${formatCount(received)} of ${formatCount(total)} received`];
  if (facts.neverEnded > 0) parts.push(`${formatCount(facts.neverEnded)} never ended`);
  if (missingParents > 0) parts.push(`${countOf(missingParents, 'parent')} missing`);
  const ended = count - facts.running - facts.neverEnded;
  return {
    text: parts.filter((part) => part !== said).join(' · '),
    isWhole: facts.neverEnded === 0 && missingParents === 0,
    detail: `${formatCount(count)} started, ${formatCount(ended)} ended, ${formatCount(facts.running)} running, ${formatCount(facts.neverEnded)} never ended`,
  };
}

function countState({ states }: TraceSkeleton, state: number): number {
  return states.reduce((count, each) => count + Number(each === state), 0);
}
