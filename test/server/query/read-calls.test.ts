import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/protocol/limits.ts';
import { viewOf } from '../../../src/server/query/plan/call-view.ts';
import { openPage, toLines } from '../../../src/server/query/read/read-calls.ts';
import { openMemoryStorage } from '../../../src/storage/reference/memory-storage.ts';
import type { StoredCall } from '../../../src/storage/contract/calls.ts';

test('others have their turns while many calls are priced', async () => {
  const summary = '{"usage":{"m":{"prompt_tokens":1}}}';
  const none = { display_name: null, parent_id: null, thread_id: null, turn_id: null, exception: null, ended_at: null };
  const bodies = { attributes: null, inputs: null, output: null, otel_dump: null, svc_user_id: null, svc_run_id: null };
  const named = { project_id: 'a/b', id: 'c', op_name: 'f', trace_id: 't', started_at: 0, summary };
  const call: StoredCall = { ...none, ...bodies, ...named, svc_run_step: null, svc_run_step_end: null };
  const caller = { keyId: 'key', userId: 'user', entities: new Set(['*']), mayImport: false };
  const context = { caller, limits: DEFAULT_LIMITS, signal: new AbortController().signal };
  const query = { projectId: 'a/b', view: viewOf({ include_costs: true }) };
  const page = await openPage(openMemoryStorage(), query, context);
  const prices = () => {
    const end = performance.now() + 6;
    while (performance.now() < end);
    return undefined;
  };
  const events: string[] = [];
  setImmediate(() => events.push('other'));
  const calls = Array.from({ length: 5 }, () => call);
  const lines = await toLines({ ...page, prices }, calls);
  events.push('done');
  expect(lines).toHaveLength(5);
  expect(events).toEqual(['other', 'done']);
});
