import type { CallRecord } from '../../src/protocol/record.ts';

export function start(id: string, { parent, text = '' }: { parent?: string; text?: string } = {}): CallRecord {
  const record = {
    project_id: 'local/test',
    id,
    op_name: 'f',
    trace_id: 't1',
    started_at: '2026-01-01T00:00:00.000001Z',
    attributes: {},
    inputs: { text },
    ...(parent === undefined ? {} : { parent_id: parent }),
  };
  return { kind: 'start', start: record, bytes: 150 + text.length };
}

export function end(id: string, { text = '' }: { text?: string } = {}): CallRecord {
  const summary = { status_counts: { success: 1, error: 0 } };
  const record = { project_id: 'local/test', id, ended_at: '2026-01-01T00:00:01Z', output: text, summary };
  return { kind: 'end', end: record, bytes: 120 + text.length };
}
