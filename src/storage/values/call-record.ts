import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { shownAttributes } from '../../protocol/call-attributes.ts';
import { parseJson } from '../../protocol/values/json.ts';
import type { JsonColumn } from '../contract/plan.ts';
import type { CallFact, EndFact, StartFact, StoredCall } from '../contract/calls.ts';

/** Who named a call: of two names the higher source wins. */
const NAME_RANK = { none: 0, start: 1, end: 2, update: 3 } as const;

type NameSource = keyof typeof NAME_RANK;

/** All facts about one call, never changed: a new fact makes a new record, so that a reader's records stay. */
export interface CallRecord {
  readonly id: string;
  readonly start?: StartFact & { readonly trace_id: string };
  readonly end?: EndFact;
  /** `""` is a name that was cleared. */
  readonly displayName: string | null;
  readonly nameSource: NameSource;
  readonly isDeleted: boolean;
}

/** The record of a call that reads see. */
export type VisibleCall = CallRecord & { readonly start: StartFact & { readonly trace_id: string } };

/** The record of a call nothing is known of. */
export function emptyRecord(id: string): CallRecord {
  return { id, displayName: null, nameSource: 'none', isDeleted: false };
}

/** Has the start of a call come, and is it not deleted? */
export function isVisible(record: CallRecord): record is VisibleCall {
  return record.start !== undefined && !record.isDeleted;
}

/** The first start wins, the last end of the highest revision wins; a deleted call keeps its ids and takes nothing more. */
export function withFact(record: CallRecord, fact: CallFact, traceId: string): CallRecord {
  if (record.isDeleted) return record;
  if (fact.kind === 'end') {
    if (record.end !== undefined && fact.revision < record.end.revision) return record;
    return withName({ ...record, end: fact }, 'end', fact.display_name);
  }
  if (record.start !== undefined) return record;
  return withName({ ...record, start: { ...fact, trace_id: traceId } }, 'start', fact.display_name);
}

/** A name of a higher source wins; of ends and of updates the last one, null says nothing. */
export function withName(record: CallRecord, source: NameSource, name: string | null): CallRecord {
  if (name === null || NAME_RANK[source] < NAME_RANK[record.nameSource]) return record;
  return { ...record, displayName: name, nameSource: source };
}

/** The call that a read gives; bodies that are left out are null. @default all bodies */
export function storedCall(record: VisibleCall, bodies: ReadonlySet<JsonColumn> = ALL_BODIES): StoredCall {
  const { start, end } = record;
  return {
    project_id: start.project_id,
    id: start.id,
    op_name: start.op_name,
    display_name: record.displayName === '' ? null : record.displayName,
    trace_id: start.trace_id,
    parent_id: start.parent_id,
    thread_id: start.thread_id,
    turn_id: start.turn_id,
    started_at: start.started_at,
    ended_at: end?.ended_at ?? null,
    exception: end?.exception ?? null,
    attributes: bodies.has('attributes') ? start.attributes : null,
    inputs: bodies.has('inputs') ? start.inputs : null,
    output: bodies.has('output') ? (end?.output ?? null) : null,
    summary: bodies.has('summary') ? (end?.summary ?? null) : null,
    otel_dump: bodies.has('attributes') ? start.otel_dump : null,
    svc_user_id: start.svc_user_id,
    svc_run_id: start.svc_run_id,
    svc_run_step: start.svc_run_step,
    svc_run_step_end: end?.svc_run_step_end ?? null,
    ...(start.process_run !== undefined && { process_run: start.process_run }),
  };
}

const ALL_BODIES: ReadonlySet<JsonColumn> = new Set(['attributes', 'inputs', 'output', 'summary']);

/** Ids and those of everything below them; the set of what was seen ends cycles. */
export function withDescendants(ids: readonly string[], records: readonly CallRecord[]): Set<string> {
  const children = new Map<string, string[]>();
  for (const { id, start } of records) {
    const parentId = start?.parent_id ?? null;
    if (parentId === null) continue;
    const siblings = children.get(parentId);
    if (siblings === undefined) children.set(parentId, [id]);
    else siblings.push(id);
  }
  const reached = new Set(ids);
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child);
  return reached;
}

const parsedBodies = new WeakMap<CallRecord, Map<JsonColumn, JsonValue>>();

/** A body as it is shown, parsed once; null while the call runs. */
export function bodyOf(record: VisibleCall, column: JsonColumn): JsonValue {
  const bodies = parsedBodies.get(record) ?? new Map<JsonColumn, JsonValue>();
  parsedBodies.set(record, bodies);
  let value = bodies.get(column);
  if (value === undefined) {
    const text = storedBody(record, column);
    value = text === null ? null : parseJson(text);
    bodies.set(column, value);
  }
  return value;
}

function storedBody({ start, end }: VisibleCall, column: JsonColumn): string | null {
  if (column === 'attributes') return shownAttributes(start.attributes, start.otel_dump);
  if (column === 'inputs') return start.inputs;
  return end?.[column] ?? null;
}
