import { type CallTree, NONE } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';
import type { Repeats } from './repeats.ts';
import { CallState, type TraceSkeleton } from './skeleton.ts';
import type { TraceLayout } from './trace-layout.ts';

/**
 * The calls that decided when the root ended, 1 for each: backwards from an end, the child that ended last before it,
 * then the one that ended last before that one started, and the same within each of them.
 */
export function criticalPath(
  { tree, times: { start, end } }: Pick<TraceLayout, 'tree' | 'times'>,
  states: TraceSkeleton['states'],
): Uint8Array {
  const isOn = new Uint8Array(tree.count);
  const hasEnd = (call: number): boolean => isEnded(states, call);
  const open = [rootEndingLast(tree, end, hasEnd)];
  for (let call = open.pop(); call !== undefined && call !== NONE; call = open.pop()) {
    isOn[call] = 1;
    let until = at(end, call);
    for (const child of childrenByEnd(tree, end, call)) {
      // What ended later, or was at work all the while, did not hold up what came next.
      if (at(end, child) > until || at(start, child) < at(start, call)) continue;
      // Nor what has no end, as far as that is known, where its parent has one.
      if (hasEnd(call) && !hasEnd(child)) continue;
      open.push(child);
      until = at(start, child);
    }
  }
  return isOn;
}

/** The same for lines of repeats: 1 for each that has one of those calls. */
export function runsOnPath({ count, runOf }: Repeats, path: Uint8Array): Uint8Array {
  const isOn = new Uint8Array(count);
  runOf.forEach((run, call) => {
    if (run !== NONE && at(path, call) === 1) isOn[run] = 1;
  });
  return isOn;
}

function isEnded(states: TraceSkeleton['states'], call: number): boolean {
  const state = at(states, call);
  return state !== CallState.running && state !== CallState.neverEnded;
}

/** Of roots, one that is known to have ended, if there is any. */
function rootEndingLast(tree: CallTree, end: Float64Array, hasEnd: (call: number) => boolean): number {
  const roots = childrenByEnd(tree, end, tree.roots);
  return roots.find(hasEnd) ?? roots[0] ?? NONE;
}

function childrenByEnd(tree: CallTree, end: Float64Array, node: number): number[] {
  const children: number[] = [];
  for (let child = at(tree.firstChild, node); child !== NONE; child = at(tree.nextSibling, child)) children.push(child);
  return children.sort((a, b) => at(end, b) - at(end, a) || b - a);
}
