import { randomUUID } from 'node:crypto';
import { writeRecords } from './plan.ts';
import type { Seed } from './seed.ts';

const TRACE = '019a0000000070008000000000000009';
const LEVELS = 1400;

/** A function that calls itself. Each level is a call inside of the one before. */
export const DEEP: Seed = {
  about: '1,400 levels of calls, one inside of another',
  write: async (reader, now) => {
    const ids = Array.from({ length: LEVELS }, () => randomUUID());
    const records = ids.flatMap((id, level) => levelOf(id, ids[level - 1] ?? null, level, now - 20_000));
    await writeRecords(reader, records);
    return `trace/${TRACE}`;
  },
};

function levelOf(id: string, parent: string | null, level: number, began: number): object[] {
  const at = (ms: number) => new Date(began + ms).toISOString();
  const start = {
    id,
    trace_id: TRACE,
    parent_id: parent,
    op_name: 'factorial',
    started_at: at(level),
    attributes: { kind: 'other' },
    inputs: { n: LEVELS - level },
  };
  const end = { id, ended_at: at(2 * LEVELS - level), output: `${LEVELS - level}!`, summary: {} };
  return [
    { mode: 'start', req: { start } },
    { mode: 'end', req: { end } },
  ];
}
