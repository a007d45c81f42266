import { canonicalJson, type JsonValue } from '../../protocol/values/canonical-json.ts';
import { digestBytes } from '../../protocol/values/digest.ts';
import type { CallsRequest } from '../../server/query/plan/plan-calls.ts';
import type { EndFact, StartFact, StoredCall } from '../../storage/contract/calls.ts';
import type { StoredFeedback } from '../../storage/contract/feedback.ts';
import type { NewObject } from '../../storage/contract/objects.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { planOf, selectionOf } from './plans.ts';

export const PROJECT = 'acme/demo';

/** 2026-01-01T00:00:00Z in microseconds. */
export const NEW_YEAR = 1_767_225_600_000_000;

export const SECOND = 1_000_000;

/** A start as a service makes it: its references stand in its inputs. */
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
    inputs: bodyWith(fields.input_refs) ?? '{}',
    otel_dump: null,
    input_refs: [],
    svc_user_id: 'user-1',
    svc_run_id: null,
    svc_run_step: null,
    ...fields,
  };
}

/** An end as a service makes it: its references stand in its output, and its revision in its summary. */
export function endFact(id: string, fields: Partial<EndFact> = {}): EndFact {
  return {
    kind: 'end',
    project_id: PROJECT,
    id,
    ended_at: NEW_YEAR + SECOND,
    exception: null,
    output: bodyWith(fields.output_refs) ?? null,
    output_refs: [],
    summary: fields.revision === undefined ? '{}' : JSON.stringify({ end_revision: fields.revision }),
    revision: 0,
    display_name: null,
    svc_run_step_end: null,
    ...fields,
  };
}

function bodyWith(refs: readonly string[] | undefined): string | undefined {
  return refs && JSON.stringify({ refs });
}

/** Feedback on the call `c1`, unless it says otherwise. */
export function newFeedback(id: string, fields: Partial<StoredFeedback> = {}): StoredFeedback {
  return {
    project_id: PROJECT,
    id,
    svc_ref: `svc:///${PROJECT}/call/c1`,
    creator: null,
    created_at: NEW_YEAR,
    feedback_type: 'thumbs',
    payload: '{}',
    annotation_ref: null,
    runnable_ref: null,
    call_ref: null,
    trigger_ref: null,
    queue_id: null,
    svc_user_id: 'user-1',
    ...fields,
  };
}

/** Members of values of each kind that no other has: a service tells the kind by them. */
const MARKS = { object: {}, op: { _type: 'CustomType', svc_type: { type: 'Op' } } };

/** An object as a service makes it, whose digest is the one of its value; `content` tells values apart. */
export function newObject(content: JsonValue, fields: Partial<Omit<NewObject, 'digest' | 'val'>> = {}): NewObject {
  const val = canonicalJson({ content, ...MARKS[fields.kind ?? 'object'], ...classMarks(fields) });
  return {
    project_id: PROJECT,
    object_id: 'settings',
    kind: 'object',
    digest: digestBytes(val),
    val,
    base_object_class: null,
    leaf_object_class: null,
    svc_user_id: 'user-1',
    created_at: NEW_YEAR,
    ...fields,
  };
}

function classMarks({
  base_object_class: base,
  leaf_object_class: leaf,
}: Partial<NewObject>): Record<string, JsonValue> {
  return base && leaf ? { _class_name: leaf, _bases: [base, 'Object', 'BaseModel'] } : {};
}

/** A request as it comes over the wire, planned as the service plans it. */
export type WireRequest = Partial<CallsRequest>;

export async function readCalls(storage: Storage, request: WireRequest = {}): Promise<StoredCall[]> {
  const calls: StoredCall[] = [];
  for await (const chunk of storage.calls.query(planOf({ project_id: PROJECT, ...request }))) {
    calls.push(...chunk);
  }
  return calls;
}

export async function readIds(storage: Storage, request: WireRequest = {}): Promise<string[]> {
  return (await readCalls(storage, request)).map(({ id }) => id);
}

export async function countCalls(storage: Storage, request: WireRequest = {}, limit?: number): Promise<number> {
  return storage.calls.count(selectionOf({ project_id: PROJECT, ...request }), limit);
}
