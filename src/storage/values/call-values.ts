import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import { callLatencyMs, callStatus, callTraceName } from '../../protocol/call-summary.ts';
import { valueAtPath } from './json-path.ts';
import type { FeedbackType, IntegerColumn, JsonColumn, TextColumn, TimeColumn } from '../contract/plan.ts';
import type { FeedbackValues, RecordValues } from './record-values.ts';
import type { StoredCall } from '../contract/calls.ts';
import { isNumber } from './value.ts';

/** Where the values of a call come from that its row does not hold. */
export interface CallParts {
  /** A body as it is shown; null while there is none. */
  json(column: JsonColumn): JsonValue;
  /** Feedback of a type on the call, oldest first. */
  feedback(type: FeedbackType): readonly FeedbackValues[];
}

type CallRow = Omit<StoredCall, JsonColumn | 'otel_dump'>;

/** The columns of a call, the computed ones too. Conditions and orders on calls name columns of calls only. */
export function valuesOfCall(call: CallRow, parts: CallParts): RecordValues {
  return {
    text: (column: TextColumn) => textOfColumn(call, column, parts),
    time: (column: TimeColumn) => (column === 'deleted_at' ? null : call[column]),
    integer: (column: IntegerColumn) => (column === 'latency_ms' ? latencyOf(call) : call[column]),
    json: (column: JsonColumn) => parts.json(column),
    feedback: (type) => parts.feedback(type),
  };
}

function textOfColumn(call: CallRow, column: TextColumn, parts: CallParts): string | null {
  if (column === 'status') return statusOf(call, parts);
  return column === 'trace_name' ? callTraceName(call.display_name, call.op_name) : (call[column] ?? null);
}

function latencyOf(call: CallRow): number | null {
  return callLatencyMs({ startedAt: call.started_at, endedAt: call.ended_at });
}

function statusOf(call: CallRow, parts: CallParts): string {
  const errors = valueAtPath(parts.json('summary'), ['status_counts', 'error']);
  return callStatus({
    exception: call.exception,
    startedAt: call.started_at,
    endedAt: call.ended_at,
    descendantErrors: isNumber(errors) ? Number(errors) : null,
  });
}
