import { expect, test } from 'vitest';
import { packCalls, unpackCalls } from '../../../src/storage/packed/packed-calls.ts';
import type { StoredCall } from '../../../src/storage/contract/calls.ts';

const NOTHING: StoredCall = {
  project_id: 'acme/demo',
  id: 'c1',
  op_name: 'f',
  display_name: null,
  trace_id: 't1',
  parent_id: null,
  thread_id: null,
  turn_id: null,
  started_at: 0,
  ended_at: null,
  exception: null,
  attributes: null,
  inputs: null,
  output: null,
  summary: null,
  otel_dump: null,
  svc_user_id: null,
  svc_run_id: null,
  svc_run_step: null,
  svc_run_step_end: null,
};

/** Every field has a value that no other has. */
const EVERYTHING: StoredCall = {
  project_id: 'acme/other',
  id: 'c2',
  op_name: 'svc:///acme/other/op/f:v1',
  display_name: 'shown',
  trace_id: 't2',
  parent_id: 'p2',
  thread_id: 'Gespräch\0',
  turn_id: 'turn',
  started_at: -1.5,
  ended_at: 1_767_225_600_000_001,
  exception: `Error: ${'x'.repeat(200)}`,
  attributes: '{"a":1}',
  inputs: `{"text":"${'😀'.repeat(200)}"}`,
  output: '""',
  summary: '{"usage":{}}',
  otel_dump: '{"span":true}',
  svc_user_id: 'user-1',
  svc_run_id: '',
  svc_run_step: 0,
  svc_run_step_end: 12,
};

test('calls come out as they were packed, in whatever order', () => {
  for (const calls of [
    [],
    [NOTHING],
    [EVERYTHING, NOTHING, EVERYTHING, EVERYTHING],
    [NOTHING, NOTHING, EVERYTHING, NOTHING],
  ]) {
    expect(unpackCalls(structuredClone(packCalls(calls)))).toStrictEqual(calls);
  }
});
