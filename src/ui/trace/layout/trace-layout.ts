import { attemptsOf } from './attempts.ts';
import { type CallTimes, callTimesOf } from './call-times.ts';
import { type CallTree, callTreeOf } from './call-tree.ts';
import { errorsBelow } from './errors-below.ts';
import { type IdleGap, idleGapsOf } from './idle-gaps.ts';
import { type Lanes, lanesOf } from './lanes.ts';
import { type Repeats, repeatsOf } from './repeats.ts';
import type { TraceSkeleton } from './skeleton.ts';

/** The columns of a skeleton that say where calls go; a thread gets these and no texts. */
export type LayoutInput = Pick<TraceSkeleton, 'count' | 'parents' | 'startedAt' | 'endedAt' | 'op' | 'states'>;

/** Where the calls of a trace go in its views. Columns are indexed by call. */
export interface TraceLayout {
  readonly tree: CallTree;
  readonly times: CallTimes;
  readonly repeats: Repeats;
  readonly lanes: Lanes;
  readonly gaps: readonly IdleGap[];
  readonly errorsBelow: Int32Array;
  /** The number of a call among the attempts of its parent, from 1; 0: it was not tried again, as far as is known. */
  readonly attempts: Uint8Array;
}

/** @param now microseconds since 1970, up to which running calls reach */
export function layOut(calls: LayoutInput, now: number): TraceLayout {
  const tree = callTreeOf(calls.parents);
  const times = callTimesOf(calls, tree, now);
  const { start, end, span } = times;
  const siblings = { tree, op: calls.op, states: calls.states, start, end };
  return {
    tree,
    times,
    repeats: repeatsOf(siblings),
    lanes: lanesOf(tree, start, end),
    gaps: idleGapsOf(tree, start, end, span),
    errorsBelow: errorsBelow(tree, calls.states),
    attempts: attemptsOf(siblings),
  };
}

export function layoutInputOf(skeleton: TraceSkeleton): LayoutInput {
  const { count, parents, startedAt, endedAt, op, states } = skeleton;
  return { count, parents, startedAt, endedAt, op, states };
}
