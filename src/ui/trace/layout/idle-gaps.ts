import { type CallTree, NONE } from './call-tree.ts';
import { at } from '../../tree/numbers.ts';

/** A stretch in which every call that was open only waited. */
export interface IdleGap {
  /** Microseconds since the first start. */
  readonly from: number;
  readonly to: number;
}

/** A gap is worth a fold when it takes this share of the trace, and at least so long. */
const MIN_SHARE = 0.15;
const MIN_GAP_US = 1_000_000;
/** Beside the gap, so that what surrounds it is seen to start and end. */
const MARGIN_SHARE = 0.002;

/** Where no call without children was at work, for long: nights between two turns, waiting for a person. */
export function idleGapsOf(tree: CallTree, start: Float64Array, end: Float64Array, span: number): IdleGap[] {
  const gaps: IdleGap[] = [];
  const least = Math.max(MIN_GAP_US, span * MIN_SHARE);
  const margin = span * MARGIN_SHARE;
  let busyUntil = Number.NaN;
  for (let call = 0; call < tree.count; call++) {
    if (at(tree.firstChild, call) !== NONE) continue;
    const from = at(start, call);
    if (from - busyUntil >= least) gaps.push({ from: busyUntil + margin, to: from - margin });
    busyUntil = Number.isNaN(busyUntil) ? at(end, call) : Math.max(busyUntil, at(end, call));
  }
  return gaps;
}
