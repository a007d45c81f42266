import { setImmediate } from 'node:timers/promises';
import { TracingError } from '../../protocol/error.ts';
import type { ReadOptions } from '../contract/reads.ts';

/** Steps between two looks at the clock. */
const STEPS = 256;

/** Milliseconds of work before others in this process have their turn. */
const TURN_MS = 10;

/** How long a read that is carried out in this thread may go on. */
export interface Patience {
  /** Called for every step. Throws `query_timeout` when the time is over, or what the reader left for. */
  readonly check: () => void;
  /** Called between records: lets others have their turn. */
  readonly rest: () => Promise<void>;
}

/** Begins to count the time of a read. */
export function startPatience({ deadlineMs = Infinity, signal }: ReadOptions = {}): Patience {
  const begunAt = performance.now();
  let turnEnd = begunAt + TURN_MS;
  let steps = 0;
  return {
    check: () => {
      steps += 1;
      if (steps % STEPS !== 0) return;
      signal?.throwIfAborted();
      if (performance.now() - begunAt <= deadlineMs) return;
      throw new TracingError('query_timeout', `Cannot finish the read: it took longer than ${deadlineMs} ms`);
    },
    rest: async () => {
      if (performance.now() < turnEnd) return;
      await setImmediate();
      turnEnd = performance.now() + TURN_MS;
    },
  };
}
