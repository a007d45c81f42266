import type { JsonValue } from '../../protocol/canonical-json.ts';
import { callLatencyMs, callStatus, callTraceName } from '../../protocol/call-summary.ts';
import { valueAtPath } from '../json-path.ts';
import type { IntegerColumn, JsonColumn, TextColumn, TimeColumn } from '../plan.ts';
import type { RecordValues } from '../record-values.ts';
import { isNumber } from '../value.ts';
import { bodyOf, type VisibleCall } from './call-record.ts';

/** The columns of a call. Conditions and orders on calls name columns of calls only. */
export function valuesOfCall(record: VisibleCall): RecordValues {
  return {
    text: (column: TextColumn) => textOfColumn(record, column),
    time: (column: TimeColumn) => timeOfColumn(record, column),
    integer: (column: IntegerColumn) => integerOfColumn(record, column),
    json: (column: JsonColumn) => bodyOf(record, column),
  };
}

function textOfColumn(record: VisibleCall, column: TextColumn): string | null {
  switch (column) {
    case 'display_name':
      return record.displayName === '' ? null : record.displayName;
    case 'exception':
      return record.end?.exception ?? null;
    case 'status':
      return statusOf(record);
    case 'trace_name':
      return callTraceName(record.displayName, record.start.op_name);
    default:
      return record.start[column];
  }
}

function timeOfColumn(record: VisibleCall, column: TimeColumn): number | null {
  if (column === 'started_at') return record.start.started_at;
  return column === 'ended_at' ? (record.end?.ended_at ?? null) : null;
}

function integerOfColumn(record: VisibleCall, column: IntegerColumn): number | null {
  if (column === 'svc_run_step') return record.start.svc_run_step;
  if (column === 'svc_run_step_end') return record.end?.svc_run_step_end ?? null;
  return callLatencyMs({ startedAt: record.start.started_at, endedAt: record.end?.ended_at ?? null });
}

function statusOf(record: VisibleCall): string {
  const errors: JsonValue = valueAtPath(bodyOf(record, 'summary'), ['status_counts', 'error']);
  return callStatus({
    exception: record.end?.exception ?? null,
    startedAt: record.start.started_at,
    endedAt: record.end?.ended_at ?? null,
    descendantErrors: isNumber(errors) ? Number(errors) : null,
  });
}
