import type { Call } from '../../../protocol/call.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { formatDateTime, parseDateTime } from '../../../protocol/values/date-time.ts';
import { parseJson, stringifyJson } from '../../../protocol/values/json.ts';
import type { NewBatchItem } from '../../../reader/reader.ts';
import type { JsonColumn } from '../../../storage/contract/plan.ts';
import type { CallFact, EndFact, StartFact, StoredCall } from '../../../storage/contract/calls.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';

/** A fact as an item of a batch; what a service finds out by itself is left out. */
export function toBatchItem(fact: CallFact): NewBatchItem {
  return fact.kind === 'start' ? toStartItem(fact) : toEndItem(fact);
}

function toStartItem({ kind, fallback_trace_id: _made, input_refs: _found, ...start }: StartFact): NewBatchItem {
  return {
    mode: kind,
    req: {
      start: {
        ...start,
        started_at: formatDateTime(start.started_at),
        attributes: parseObject(start.attributes),
        inputs: parseObject(start.inputs),
        otel_dump: start.otel_dump === null ? null : parseObject(start.otel_dump),
      },
    },
  };
}

function toEndItem({ kind, output_refs: _found, ...end }: EndFact): NewBatchItem {
  return {
    mode: kind,
    req: {
      end: {
        ...end,
        ended_at: formatDateTime(end.ended_at),
        output: end.output === null ? null : parseJson(end.output),
        summary: parseObject(end.summary),
      },
    },
  };
}

/** A call that was read, without what the service adds to its bodies. */
export function toStoredCall(call: Call, bodies: ReadonlySet<JsonColumn>): StoredCall {
  const { otel_span: span, ...attributes } = call.attributes;
  const { svc: _computed, ...summary } = call.summary ?? {};
  const unlessLeftOut = (column: JsonColumn, value: unknown) => (bodies.has(column) ? textOf(value) : null);
  return {
    project_id: call.project_id,
    id: call.id,
    op_name: call.op_name,
    display_name: call.display_name,
    trace_id: call.trace_id,
    parent_id: call.parent_id,
    thread_id: call.thread_id,
    turn_id: call.turn_id,
    started_at: microsOf(call.started_at),
    ended_at: call.ended_at === null ? null : microsOf(call.ended_at),
    exception: call.exception,
    attributes: unlessLeftOut('attributes', attributes),
    inputs: unlessLeftOut('inputs', call.inputs),
    output: call.output === null ? null : unlessLeftOut('output', call.output),
    summary: call.ended_at === null ? null : unlessLeftOut('summary', summary),
    otel_dump: span === undefined ? null : textOf(span),
    svc_user_id: call.svc_user_id,
    svc_run_id: call.svc_run_id,
    svc_run_step: call.svc_run_step,
    svc_run_step_end: call.svc_run_step_end ?? null,
  };
}

/** Microseconds of a date-time that a service wrote. */
export function microsOf(text: string): number {
  const micros = parseDateTime(text);
  if (micros === undefined) throw new TypeError(`"${text}" is no date-time`);
  return micros;
}

/** The object that a JSON text holds. */
export function parseObject(text: JsonText): Record<string, unknown> {
  // The facts of the kit hold objects where the protocol wants them.
  return parseJson(text) as Record<string, JsonValue>;
}

function textOf(value: unknown): JsonText {
  // Everything in an answer was read from JSON.
  return stringifyJson(value as JsonValue);
}
