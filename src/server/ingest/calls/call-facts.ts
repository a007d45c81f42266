import { parseDateTime } from '../../../protocol/values/date-time.ts';
import type { CallEnd, CallStart } from '../../../protocol/call.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { EndFact, StartFact } from '../../../storage/contract/calls.ts';
import { type Caller, checkProject } from '../../keys/authenticate.ts';
import { newId } from '../../http/new-id.ts';
import { cutToSize, toBodyField, toDump } from './body-fields.ts';
import { checkId, checkOptionalId, checkThreadId } from '../../http/body/check-id.ts';
import { checkOpName } from './check-op-name.ts';
import { collectRefs } from './collect-refs.ts';
import { cutDisplayName, cutException } from './cut-text.ts';
import type { OpNames } from './op-names.ts';

/** The context that making a fact of a record needs besides the record. */
export interface IngestContext {
  readonly caller: Caller;
  readonly limits: Limits;
  /** Levels of the whole request: a bound for every field of it. */
  readonly depth: number;
  /** Ops of starts that name them as objects. @default there are none */
  readonly ops?: OpNames;
  /** Id of the run of the process that has recorded the calls. @default none is known */
  readonly run?: string | undefined;
  /** Makes the ids of starts that have none. @default random ones */
  readonly makeId?: () => string;
}

/** A validated start as it is stored. */
export function toStartFact(start: CallStart, context: IngestContext): StartFact {
  const { limits, caller, depth, ops, run, makeId = newId } = context;
  checkProject(caller, start.project_id);
  const traceId = checkOptionalId('trace_id', start.trace_id);
  const attributes = toBodyField(start.attributes ?? {}, depth, limits.json_depth);
  const inputs = toBodyField(start.inputs ?? {}, depth, limits.json_depth);
  cutToSize([attributes, inputs], limits.call_bytes);
  return {
    kind: 'start',
    project_id: start.project_id,
    id: checkOptionalId('id', start.id) ?? makeId(),
    op_name: checkOpName(start.op_name, limits, ops),
    display_name: cutDisplayName(start.display_name, limits),
    trace_id: traceId,
    fallback_trace_id: traceId ?? newId(),
    parent_id: checkOptionalId('parent_id', start.parent_id),
    thread_id: checkThreadId('thread_id', start.thread_id),
    turn_id: checkThreadId('turn_id', start.turn_id),
    started_at: micros(start.started_at),
    attributes: attributes.text,
    inputs: inputs.text,
    otel_dump: start.otel_dump ? toDump(start.otel_dump, depth, limits) : null,
    input_refs: collectRefs(inputs.value, inputs.text),
    svc_user_id: writerOf(start, caller),
    svc_run_id: start.svc_run_id ?? null,
    svc_run_step: start.svc_run_step ?? null,
    ...(run !== undefined && { process_run: run }),
  };
}

/** A validated end as it is stored. */
export function toEndFact(end: CallEnd, context: IngestContext): EndFact {
  const { limits, caller, depth, run } = context;
  checkProject(caller, end.project_id);
  const output = toBodyField(end.output ?? null, depth, limits.json_depth);
  const summary = toBodyField(end.summary ?? {}, depth, limits.json_depth);
  cutToSize([output, summary], limits.call_bytes);
  return {
    kind: 'end',
    project_id: end.project_id,
    id: checkId('id', end.id),
    ended_at: micros(end.ended_at),
    exception: cutException(end.exception, limits),
    output: output.value === null ? null : output.text,
    output_refs: collectRefs(output.value, output.text),
    summary: summary.text,
    revision: revisionOf(end),
    display_name: cutDisplayName(end.display_name, limits),
    svc_run_step_end: end.svc_run_step_end ?? null,
    ...(run !== undefined && { process_run: run }),
  };
}

/** Writers that end a call more than once count how often, since their requests may arrive in another order. */
function revisionOf({ summary }: CallEnd): number {
  const revision = summary?.['end_revision'];
  return Number.isSafeInteger(revision) && Number(revision) > 0 ? Number(revision) : 0;
}

/** The user whose name a record bears: the caller, unless the key may import and the record names another. */
export function writerOf(record: { readonly svc_user_id?: string | null }, caller: Caller): string {
  return (caller.mayImport ? record.svc_user_id : undefined) ?? caller.userId;
}

function micros(text: string): number {
  const instant = parseDateTime(text);
  if (instant === undefined) throw new RangeError(`Cannot read "${text}" as a date-time: it was not validated`);
  return instant;
}
