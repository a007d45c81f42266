import type { JsonValue } from '../values/canonical-json.ts';
import { isId, isThreadId, spanIdOf } from '../values/id.ts';
import { findIn } from './attribute-tree.ts';
import { findFirst, textAt, textOf } from './content.ts';
import { CONVERSATION_KEYS, SERVICE_KEYS, SESSION_KEY } from './known-keys.ts';
import type { Span } from './span.ts';
import { isJsonObject, type JsonObject } from '../values/json-object.ts';

/** A parent of this service's own kind has a longer id, which its clients send along in the trace state. */
export function parentOf({ parentSpanId, traceState }: Pick<Span, 'parentSpanId' | 'traceState'>): string | null {
  if (!/^[0-9a-f]{16}$/.test(parentSpanId) || /^0+$/.test(parentSpanId)) return null;
  const callId = callIn(traceState);
  return callId !== undefined && spanIdOf(callId) === parentSpanId ? callId : parentSpanId;
}

/** Does the span stand for a call, in another system, that its program records by itself? The call says more. */
export function isCopyOfCall({ spanId, traceState }: Pick<Span, 'spanId' | 'traceState'>): boolean {
  const callId = callIn(traceState);
  return callId !== undefined && callId !== spanId && spanIdOf(callId) === spanId;
}

function callIn(traceState: string): string | undefined {
  const callId = /(?:^|,)\s*spoor=([^,\s]*)/.exec(traceState)?.[1];
  return callId !== undefined && isId(callId) ? callId : undefined;
}

/** The conversation of a span, and if the span is a turn of it. */
export function threadOf(
  span: Pick<Span, 'parentSpanId' | 'traceState'>,
  tree: JsonObject,
): { threadId: string | null; isTurn: boolean } {
  const hasSession = findIn(tree, SESSION_KEY) !== undefined;
  const isMarked = hasSession || isTruthy(findFirst(tree, SERVICE_KEYS.isTurn)?.value);
  const named = threadAt(tree, [SESSION_KEY, ...SERVICE_KEYS.threadId]);
  if (named !== undefined) return { threadId: named, isTurn: isMarked };
  const conversation = threadAt(tree, CONVERSATION_KEYS);
  if (conversation === undefined) return { threadId: null, isTurn: false };
  return { threadId: conversation, isTurn: isMarked || parentOf(span) === null };
}

/** The first text that can be a thread id; what cannot be one is seen in the raw span only. */
function threadAt(tree: JsonObject, keys: readonly string[]): string | undefined {
  return keys.map((key) => textOf(findIn(tree, key))).find((text) => text !== undefined && isThreadId(text));
}

/** The error of a span; null for one that did not fail. */
export function exceptionOf({ status }: Pick<Span, 'status'>, tree: JsonObject): string | null {
  if (status.code !== 'ERROR') return null;
  if (status.message !== '') return status.message;
  const events = findIn(tree, 'events.exception');
  const first = Array.isArray(events) ? (events as readonly JsonValue[])[0] : events;
  if (!isJsonObject(first)) return 'ERROR';
  const message = textAt(first, ['exception.message']);
  const type = textAt(first, ['exception.type']);
  return [type, message].filter((text) => text !== undefined).join(': ') || 'ERROR';
}

function isTruthy(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== false && value !== 0 && value !== 'false' && value !== '0';
}
