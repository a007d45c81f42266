import { at } from '../../tree/numbers.ts';

/** As a parent: the call is shown under none, since its own is not in the trace. */
const DETACHED = -2;

/**
 * Parents without cycles: records are made by programs, so a call may name itself or one of those below it. Of each
 * circle the call that started first loses its parent. What is not in a circle stays as it is.
 */
export function cutCycles(parents: Int32Array): Int32Array {
  const cut = parents.slice();
  /** The walk that came by: a call that this very walk has seen closes a circle. */
  const seenBy = new Int32Array(cut.length);
  for (let from = 0; from < cut.length; from++) {
    let call = from;
    while (call >= 0 && at(seenBy, call) === 0) {
      seenBy[call] = from + 1;
      call = at(cut, call);
    }
    if (call >= 0 && at(seenBy, call) === from + 1) cut[earliestOf(cut, call)] = DETACHED;
  }
  return cut;
}

function earliestOf(parents: Int32Array, call: number): number {
  let earliest = call;
  for (let next = at(parents, call); next !== call; next = at(parents, next)) earliest = Math.min(earliest, next);
  return earliest;
}
