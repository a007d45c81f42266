import type { CallTree } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';

/** Lines of a flame chart: on one line no call lies over another. */
export interface Lanes {
  readonly count: number;
  /** By call. */
  readonly laneOf: Int32Array;
  /** Calls line by line, each line in order of start; line n has those from `offsets[n]` to `offsets[n + 1]`. */
  readonly calls: Int32Array;
  readonly offsets: Int32Array;
}

/**
 * So many lines below its own place a call looks for a free one. Where more are at work at the same time, the last line
 * holds several over each other: thousands of lines that hold one call each would show nothing either.
 */
const MAX_LINES_LOWER = 24;

/** A call is below its parent, on the first line where nothing is at work when it starts. */
export function lanesOf(tree: CallTree, start: Float64Array, end: Float64Array): Lanes {
  const laneOf = new Int32Array(tree.count);
  const busyUntil: number[] = [];
  // In order of start, as calls are.
  for (let call = 0; call < tree.count; call++) {
    const parent = at(tree.parent, call);
    // A clock may say that a child starts before its parent, which then has no line yet.
    const first = parent < call ? at(laneOf, parent) + 1 : parent < tree.count ? at(tree.depth, call) : 0;
    let lane = first;
    const last = first + MAX_LINES_LOWER;
    while (lane < last && (busyUntil[lane] ?? 0) > at(start, call)) lane++;
    laneOf[call] = lane;
    for (let line = busyUntil.length; line < lane; line++) busyUntil[line] = 0;
    busyUntil[lane] = Math.max(busyUntil[lane] ?? 0, at(end, call));
  }
  return { count: busyUntil.length, laneOf, ...byLane(laneOf, busyUntil.length) };
}

function byLane(laneOf: Int32Array, count: number): Pick<Lanes, 'calls' | 'offsets'> {
  const offsets = new Int32Array(count + 1);
  for (const lane of laneOf) offsets[lane + 1] = at(offsets, lane + 1) + 1;
  for (let lane = 0; lane < count; lane++) offsets[lane + 1] = at(offsets, lane + 1) + at(offsets, lane);
  const next = offsets.slice();
  const calls = new Int32Array(laneOf.length);
  laneOf.forEach((lane, call) => {
    calls[at(next, lane)] = call;
    next[lane] = at(next, lane) + 1;
  });
  return { calls, offsets };
}
