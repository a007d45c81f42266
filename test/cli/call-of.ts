import type { Call } from '../../src/protocol/call.ts';

/** A call that ended well after a second, with what a test sets. */
export function callOf(fields: Partial<Call>): Call {
  return {
    id: 'c1',
    project_id: 'acme/demo',
    op_name: 'f',
    display_name: null,
    trace_id: 't1',
    parent_id: null,
    thread_id: null,
    turn_id: null,
    started_at: '2026-01-01T00:00:00Z',
    attributes: {},
    inputs: {},
    ended_at: '2026-01-01T00:00:01Z',
    exception: null,
    output: null,
    summary: { svc: { status: fields.exception === undefined ? 'success' : 'error' } },
    svc_user_id: 'local',
    svc_run_id: null,
    svc_run_step: null,
    deleted_at: null,
    storage_size_bytes: null,
    total_storage_size_bytes: null,
    ...fields,
  };
}
