import type { Call } from '../../../src/protocol/call.ts';
import { formatDateTime } from '../../../src/protocol/values/date-time.ts';

/** A call as a test tells it, with those below it. */
export interface TestCall extends Partial<Omit<Call, 'id' | 'parent_id' | 'trace_id'>> {
  readonly op: string;
  readonly calls?: readonly TestCall[];
}

let runs = 0;

/** A trace of its own: its ids and times are like those of no other one. */
export function traceOf(...roots: readonly TestCall[]): Call[] {
  const run = (runs += 1);
  const begun = Date.parse('2026-03-01T10:00:00Z') * 1000 + run * 3_600_000_000;
  const found: Call[] = [];
  const open = roots.toReversed().map((call) => ({ call, parent: null as string | null }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { op, calls = [], ...fields } = next.call;
    const id = `call-${run}-${found.length}`;
    found.push({
      id,
      project_id: 'acme/demo',
      op_name: op,
      display_name: null,
      trace_id: `trace-${run}`,
      parent_id: next.parent,
      thread_id: null,
      turn_id: null,
      started_at: formatDateTime(begun + found.length * 1000),
      attributes: {},
      inputs: {},
      ended_at: formatDateTime(begun + found.length * 1000 + run * 500),
      exception: null,
      output: null,
      summary: {},
      svc_user_id: null,
      svc_run_id: null,
      svc_run_step: null,
      deleted_at: null,
      storage_size_bytes: null,
      total_storage_size_bytes: null,
      ...fields,
    });
    for (const call of calls.toReversed()) open.push({ call, parent: id });
  }
  return found;
}
