import type { NewBatchItem } from '../../../src/reader/reader.ts';

/** A call that has begun and ended. @default output its id */
export function endedCall(project_id: string, id: string, output: string = id): NewBatchItem[] {
  const start = { project_id, id, op_name: 'f', trace_id: id, started_at: '2026-01-01T00:00:00Z' };
  const end = { project_id, id, ended_at: '2026-01-01T00:00:01Z', output, summary: {} };
  return [
    { mode: 'start', req: { start: { ...start, attributes: {}, inputs: {} } } },
    { mode: 'end', req: { end } },
  ];
}
