import { at, NumberList } from '../../tree/numbers.ts';
import type { TraceSkeleton } from './skeleton.ts';
import type { TraceLayout } from './trace-layout.ts';

/** How a call stands among all of its op in the trace, itself included. */
export interface Peers {
  readonly count: number;
  /** From 1, in the order in which they began. */
  readonly position: number;
  /** Microseconds. */
  readonly p50: number;
}

export function peersOf(skeleton: TraceSkeleton, layout: TraceLayout, call: number): Peers {
  const { calls, p50 } = callsOfOp(skeleton, layout, at(skeleton.op, call));
  return { count: calls.length, position: calls.indexOf(call) + 1, p50 };
}

interface OpCalls {
  /** In the order in which they began. */
  readonly calls: Int32Array;
  /** Microseconds. */
  readonly p50: number;
}

/** By op, for the traces that are looked at: whoever goes from call to call asks at each. */
const known = new WeakMap<TraceLayout, Map<number, OpCalls>>();

function callsOfOp({ op }: TraceSkeleton, layout: TraceLayout, wanted: number): OpCalls {
  const ops = known.get(layout) ?? new Map<number, OpCalls>();
  known.set(layout, ops);
  const found = ops.get(wanted);
  if (found !== undefined) return found;
  const calls = new NumberList();
  for (let call = 0; call < op.length; call++) if (op[call] === wanted) calls.push(call);
  const made = { calls: calls.toArray(), p50: middleOf(layout, calls.toArray()) };
  ops.set(wanted, made);
  return made;
}

function middleOf({ times }: TraceLayout, calls: Int32Array): number {
  const lengths = Float64Array.from(calls, (call) => at(times.end, call) - at(times.start, call)).sort();
  return at(lengths, Math.floor((lengths.length - 1) / 2));
}
