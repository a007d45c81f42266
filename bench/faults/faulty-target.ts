import type { CountedTarget } from '../rounds.ts';
import type { SinkState } from '../sink-process.ts';

/** A receiver that has trouble when it is told to. */
export interface FaultyTarget extends CountedTarget {
  be(state: SinkState): Promise<void>;
}
