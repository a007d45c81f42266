import type { CallReader } from '../../contract/calls.ts';
import type { CallPlan, CallSelection } from '../../contract/plan.ts';
import type { ReadOptions } from '../../contract/reads.ts';
import type { RunSums, RunSumsPlan } from '../../contract/runs.ts';
import { CallTally } from './call-tally.ts';
import { talliedCall, tellParents } from './read-overviews.ts';

const BY_ID: CallPlan['sort'] = [{ field: { kind: 'text', column: 'id' }, isDescending: false }];
const BODIES: CallPlan['bodies'] = new Set(['attributes', 'summary']);

/** The calls of some runs. */
export function selectionOfRuns({ projectId, ids }: RunSumsPlan): CallSelection {
  const items = ids.map((value) => ({ kind: 'literal', value }) as const);
  return { projectId, filter: {}, condition: { kind: 'in', operand: { kind: 'text', column: 'process_run' }, items } };
}

/** Adds up the calls of runs over any reader of calls, each of which is read once. */
export async function sumRuns(calls: CallReader, plan: RunSumsPlan, options?: ReadOptions): Promise<RunSums[]> {
  const selection = selectionOfRuns(plan);
  const tallies = new Map<string, CallTally>();
  for await (const chunk of calls.query({ ...selection, sort: BY_ID, offset: 0, bodies: BODIES }, options)) {
    for (const call of chunk) {
      const { process_run: run = '' } = call;
      const tally = tallies.get(run) ?? new CallTally(selection);
      tallies.set(run, tally);
      tally.add(talliedCall(call, selection));
    }
  }
  const sums: RunSums[] = [];
  for (const [id, tally] of tallies) {
    await tellParents(tally.usage, calls, plan.projectId, options);
    const { count, errors, running, tokens, models } = tally.finish();
    sums.push({ id, count, errors, running, tokens, models });
  }
  return sums;
}
