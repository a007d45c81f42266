import { type Plan, recordsOf, writeRecords } from './plan.ts';
import type { Seed } from './seed.ts';

const [PARTLY, ROOTLESS] = ['019a0000000070008000000000000007', '019a0000000070008000000000000008'];

/** A trace of which some callers never came, and one without a first call. */
export const MISSING_PARENTS: Seed = {
  about: 'a trace of which some callers never came, and one without a first call',
  write: async (reader, now) => {
    const root = step('is_here', 0, 900, [step('is_here_too', 100, 200)]);
    await writeRecords(reader, recordsOf(root, now - 9000, { traceId: PARTLY }));
    for (const [index, parentId] of ['never-came-1', 'never-came-1', 'never-came-2'].entries()) {
      const lost = step(`lost_${index + 1}`, 200 + index * 150, 120, [
        step(`below_${index + 1}`, 220 + index * 150, 60),
      ]);
      await writeRecords(reader, recordsOf(lost, now - 9000, { traceId: PARTLY, parentId }));
    }
    const alone = step('called_from_elsewhere', 0, 400, [step('here', 50, 200)]);
    await writeRecords(reader, recordsOf(alone, now - 8000, { traceId: ROOTLESS, parentId: 'on-another-service' }));
    return `trace/${PARTLY}`;
  },
};

function step(op: string, fromMs: number, ms: number, calls: readonly Plan[] = []): Plan {
  return { op, kind: 'tool', fromMs, ms, inputs: { of: op }, output: null, calls };
}
