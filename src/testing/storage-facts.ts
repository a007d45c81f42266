import { DEFAULT_LIMITS } from '../protocol/limits.ts';
import { type CallsRequest, planCalls, planSelection } from '../server/query/plan-calls.ts';
import type { EndFact, NewObject, StartFact, Storage, StoredCall } from '../storage/storage.ts';

export const PROJECT = 'acme/demo';

/** 2026-01-01T00:00:00Z in microseconds. */
export const NEW_YEAR = 1_767_225_600_000_000;

export const SECOND = 1_000_000;

export function startFact(id: string, fields: Partial<StartFact> = {}): StartFact {
  return {
    kind: 'start',
    project_id: PROJECT,
    id,
    op_name: 'f',
    display_name: null,
    trace_id: `trace-of-${id}`,
    fallback_trace_id: `made-for-${id}`,
    parent_id: null,
    thread_id: null,
    turn_id: null,
    started_at: NEW_YEAR,
    attributes: '{}',
    inputs: '{}',
    otel_dump: null,
    input_refs: [],
    svc_user_id: 'user-1',
    svc_run_id: null,
    svc_run_step: null,
    ...fields,
  };
}

export function endFact(id: string, fields: Partial<EndFact> = {}): EndFact {
  return {
    kind: 'end',
    project_id: PROJECT,
    id,
    ended_at: NEW_YEAR + SECOND,
    exception: null,
    output: null,
    output_refs: [],
    summary: '{}',
    display_name: null,
    svc_run_step_end: null,
    ...fields,
  };
}

export function newObject(fields: Partial<NewObject> = {}): NewObject {
  return {
    project_id: PROJECT,
    object_id: 'settings',
    kind: 'object',
    digest: 'digest-1',
    val: '{"a": 1}',
    base_object_class: null,
    leaf_object_class: null,
    svc_user_id: 'user-1',
    created_at: NEW_YEAR,
    ...fields,
  };
}

/** A request as it comes over the wire, planned as the service plans it. */
export type WireRequest = Partial<CallsRequest>;

export async function readCalls(storage: Storage, request: WireRequest = {}): Promise<StoredCall[]> {
  const calls: StoredCall[] = [];
  for await (const chunk of storage.calls.query(planCalls({ project_id: PROJECT, ...request }, DEFAULT_LIMITS))) {
    calls.push(...chunk);
  }
  return calls;
}

export async function readIds(storage: Storage, request: WireRequest = {}): Promise<string[]> {
  return (await readCalls(storage, request)).map(({ id }) => id);
}

export async function countCalls(storage: Storage, request: WireRequest = {}, limit?: number): Promise<number> {
  return storage.calls.count(planSelection({ project_id: PROJECT, ...request }, DEFAULT_LIMITS), limit);
}
