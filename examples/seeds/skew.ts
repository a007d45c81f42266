import { type Plan, recordsOf, writeRecords } from './plan.ts';
import type { Seed } from './seed.ts';

const TRACE = '019a0000000070008000000000000006';

/** Machines whose clocks do not agree. */
export const SKEW: Seed = {
  about:
    'calls on machines whose clocks do not agree: begun before their caller, ended after it, and before they began',
  write: async (reader, now) => {
    const root = step('on_time', 0, 1000, [
      step('clock_behind', -4000, 600, [step('below_it', -3900, 300)]),
      step('clock_ahead', 240_000, 500),
      step('ends_before_it_begins', 300, -200),
      step('outlives_its_caller', 500, 3000),
      step('no_time_at_all', 700, 0),
    ]);
    await writeRecords(reader, recordsOf(root, now - 600_000, { traceId: TRACE }));
    return `trace/${TRACE}`;
  },
};

function step(op: string, fromMs: number, ms: number, calls: readonly Plan[] = []): Plan {
  return { op, kind: 'tool', fromMs, ms, inputs: { of: op }, output: null, calls };
}
