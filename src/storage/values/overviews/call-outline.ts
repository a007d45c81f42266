import { callStatus } from '../../../protocol/call-summary.ts';
import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import type { StoredCall } from '../../contract/calls.ts';
import type { CallOutline } from '../../contract/overviews.ts';
import { cutText, MAX_LOOKED_AT, oneLine, previewOf, previewOfInput } from './call-preview.ts';
import { usagesOf } from './call-usage.ts';
import { isNumber } from '../value.ts';
import { asJsonObject } from '../../../protocol/values/json-object.ts';

/** A call to outline; of the summary it may have as much as that needs, and attributes only where it has usage. */
interface OutlinedCall extends Pick<
  StoredCall,
  | 'id'
  | 'trace_id'
  | 'parent_id'
  | 'thread_id'
  | 'op_name'
  | 'display_name'
  | 'started_at'
  | 'ended_at'
  | 'exception'
  | 'attributes'
  | 'summary'
> {
  /** The kind that the attributes name; null for none. */
  readonly kind: JsonValue;
}

export function outlineOf(call: OutlinedCall, previews: Pick<CallOutline, 'input' | 'output'>): CallOutline {
  const summary = parsed(call.summary, /"(?:usage|stream|status_counts)"/);
  const { usage } = asJsonObject(summary);
  const attributes = usage === undefined ? null : parsed(call.attributes, /"(?:provider|host|system)"/);
  return {
    id: call.id,
    trace_id: call.trace_id,
    parent_id: call.parent_id,
    thread_id: call.thread_id,
    op_name: call.op_name,
    display_name: call.display_name,
    started_at: call.started_at,
    ended_at: call.ended_at,
    status: statusOf(call, summary),
    error: call.exception === null ? null : firstLineOf(call.exception),
    error_type: exceptionTypeOf(call.exception),
    kind: typeof call.kind === 'string' ? cutText(call.kind) : null,
    first_chunk_ms: firstChunkOf(summary),
    usages: usagesOf(attributes, summary),
    input: previews.input,
    output: previews.output,
  };
}

/** Most calls have nothing in it that is asked for. */
function parsed(text: string | null, wanted: RegExp): JsonValue {
  return text !== null && wanted.test(text) ? parseJson(text) : null;
}

/** The text of an exception before its first colon or line end; null where that is nothing. */
export function exceptionTypeOf(exception: string | null): string | null {
  const type =
    exception
      ?.slice(0, MAX_LOOKED_AT)
      .split(/[:\r\n]/, 1)[0]
      ?.trim() ?? '';
  return type === '' ? null : cutText(type);
}

function statusOf(call: OutlinedCall, summary: JsonValue): CallOutline['status'] {
  const { error } = asJsonObject(asJsonObject(summary)['status_counts']);
  const descendantErrors = error !== undefined && isNumber(error) ? Number(error) : null;
  return callStatus({
    exception: call.exception,
    startedAt: call.started_at,
    endedAt: call.ended_at,
    descendantErrors,
  });
}

/** Longer ones are not parsed: what they begin with is shown. */
export const MAX_PARSED_BYTES = 256 * 1024;

/** A body, or where it is long at least what it begins with. */
export interface ShownBody {
  readonly text: string | null;
  readonly isLong: boolean;
}

export function previewsOf(input: ShownBody, output: ShownBody): Pick<CallOutline, 'input' | 'output'> {
  return { input: textPreview(input, previewOfInput), output: textPreview(output, previewOf) };
}

function textPreview({ text, isLong }: ShownBody, preview: (value: JsonValue) => string | null): string | null {
  if (text === null) return null;
  return isLong ? oneLine(text) : preview(parseJson(text));
}

export function firstLineOf(text: string): string {
  return cutText(text.slice(0, MAX_LOOKED_AT).split(/[\r\n]/, 1)[0] ?? '');
}

/** The kind that attributes say. */
export function kindIn(attributes: string | null): JsonValue {
  return asJsonObject(parsed(attributes, /"kind"/))['kind'] ?? null;
}

/** Milliseconds to the first chunk, as a summary says. */
export function firstChunkOf(summary: JsonValue): number | null {
  const { first_chunk_ms: ms } = asJsonObject(asJsonObject(summary)['stream']);
  const count = ms !== undefined && isNumber(ms) ? Number(ms) : Number.NaN;
  return Number.isFinite(count) ? count : null;
}
