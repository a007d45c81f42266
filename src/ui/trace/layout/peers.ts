import { at } from './numbers.ts';
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

export function peersOf({ op }: TraceSkeleton, { times }: TraceLayout, call: number): Peers {
  const lengths: number[] = [];
  let position = 0;
  for (const [other, each] of op.entries()) {
    if (each !== op[call]) continue;
    lengths.push(at(times.end, other) - at(times.start, other));
    if (other <= call) position++;
  }
  const sorted = Float64Array.from(lengths).sort();
  return { count: sorted.length, position, p50: at(sorted, Math.floor((sorted.length - 1) / 2)) };
}
