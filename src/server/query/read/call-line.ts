import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { shownAttributes, withMember } from '../../../protocol/call-attributes.ts';
import { callLatencyMs, callStatus, callTraceName } from '../../../protocol/call-summary.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import { parseJson, stringifyJson } from '../../../protocol/values/json.ts';
import type { StoredCall } from '../../../storage/contract/calls.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import { type CallView, isShown } from '../plan/call-view.ts';
import { isJsonObject, type JsonObject } from '../../../protocol/values/json-object.ts';

/** Sizes of a call in bytes; null where nobody asked or there is none. */
export interface CallSizes {
  readonly own: number | null;
  readonly total: number | null;
}

/** Findings about a call after its selection, shown in its summary; absent where nobody asked. */
export interface CallFindings {
  readonly costs?: JsonObject;
  /** Models that were used and have no price. */
  readonly unpriced?: readonly string[];
  readonly feedback?: JsonValue;
}

/**
 * The JSON of a call as it is sent. Stored texts go in as they are, so numbers keep their digits and nothing is
 * parsed without need.
 */
export function callLine(call: StoredCall, view: CallView, sizes: CallSizes, findings: CallFindings): JsonText {
  const shows = (name: string) => isShown(name, view);
  const optional = (name: Exclude<keyof StoredCall, 'process_run'>) => (shows(name) ? quote(call[name]) : 'null');
  const stepEnd = call.svc_run_step_end;
  return (
    `{"id":${quote(call.id)},"project_id":${quote(call.project_id)},"op_name":${quote(call.op_name)}` +
    `,"display_name":${optional('display_name')},"trace_id":${quote(call.trace_id)}` +
    `,"parent_id":${optional('parent_id')},"thread_id":${optional('thread_id')},"turn_id":${optional('turn_id')}` +
    `,"started_at":"${formatDateTime(call.started_at)}"` +
    `,"attributes":${shows('attributes') ? shownAttributes(call.attributes ?? '{}', call.otel_dump) : '{}'}` +
    `,"inputs":${shows('inputs') ? (call.inputs ?? '{}') : '{}'}` +
    `,"ended_at":${shows('ended_at') ? instant(call.ended_at) : 'null'}` +
    `,"exception":${optional('exception')}` +
    `,"output":${shows('output') ? (call.output ?? 'null') : 'null'}` +
    `,"summary":${shows('summary') ? summaryText(call, view.withFeedback, findings) : 'null'}` +
    `,"svc_user_id":${optional('svc_user_id')},"svc_run_id":${optional('svc_run_id')}` +
    `,"svc_run_step":${optional('svc_run_step')},"deleted_at":null` +
    `,"storage_size_bytes":${String(sizes.own)},"total_storage_size_bytes":${String(sizes.total)}` +
    (stepEnd !== null && shows('svc_run_step_end') ? `,"svc_run_step_end":${stepEnd}}` : '}')
  );
}

function quote(value: string | number | null): JsonText {
  return JSON.stringify(value);
}

function instant(micros: number | null): JsonText {
  return micros === null ? 'null' : `"${formatDateTime(micros)}"`;
}

function summaryText(call: StoredCall, withFeedback: boolean, findings: CallFindings): JsonText {
  const summary = call.summary ?? '{}';
  const computed = computedSummary(call, withFeedback, findings);
  if (!summary.includes('"svc"')) return withMember(summary, 'svc', stringifyJson(computed));
  const client = parseJson(summary);
  const kept = isJsonObject(client) ? clientKeys(client['svc']) : {};
  return withMember(summary, 'svc', stringifyJson({ ...kept, ...computed }));
}

const COMPUTED_KEYS = ['status', 'latency_ms', 'trace_name', 'display_name', 'costs', 'unpriced_models', 'feedback'];

/** Members that a client keeps in our part of the summary, without the names that are ours alone. */
function clientKeys(svc: JsonValue | undefined): Record<string, JsonValue> {
  if (!isJsonObject(svc)) return {};
  return Object.fromEntries(Object.entries(svc).filter(([key]) => !COMPUTED_KEYS.includes(key)));
}

function computedSummary(
  call: StoredCall,
  withFeedback: boolean,
  { costs = {}, unpriced = [], feedback = [] }: CallFindings,
): Record<string, JsonValue> {
  const startedAt = call.started_at;
  const endedAt = call.ended_at;
  const descendantErrors = errorCount(call.summary);
  const status = callStatus({ exception: call.exception, startedAt, endedAt, descendantErrors });
  const latencyMs = callLatencyMs({ startedAt, endedAt });
  return {
    status,
    trace_name: callTraceName(call.display_name, call.op_name),
    ...(latencyMs === null ? {} : { latency_ms: latencyMs }),
    ...(call.display_name === null ? {} : { display_name: call.display_name }),
    ...(Object.keys(costs).length === 0 ? {} : { costs }),
    ...(unpriced.length === 0 ? {} : { unpriced_models: unpriced }),
    ...(withFeedback ? { feedback } : {}),
  };
}

function errorCount(summary: JsonText | null): number | null {
  if (summary === null || !summary.includes('"status_counts"')) return null;
  const parsed: unknown = JSON.parse(summary);
  if (!isJsonObject(parsed) || !isJsonObject(parsed['status_counts'])) return null;
  const { error } = parsed['status_counts'];
  return typeof error === 'number' ? error : null;
}
