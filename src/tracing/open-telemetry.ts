import type { ForeignParent } from './recorded-call.ts';

/** Where `@opentelemetry/api` 1.x keeps itself; it is not imported, because most programs do not have it loaded. */
const API = Symbol.for('opentelemetry.js.api.1');
const SPAN = Symbol.for('OpenTelemetry Context Key SPAN');
const SAMPLED_FLAG = 1;
const TRACE_ID = /^(?!0+$)[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0+$)[0-9a-f]{16}$/;

interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

interface OpenTelemetryApi {
  readonly context?: { active(): { getValue(key: symbol): { spanContext(): SpanContext } | undefined } };
}

/** The active OpenTelemetry span of the application, as the parent of a root call. */
export function activeSpan(): ForeignParent | undefined {
  const api = (globalThis as { [API]?: OpenTelemetryApi })[API];
  const span = api?.context?.active().getValue(SPAN)?.spanContext();
  if (span === undefined || !TRACE_ID.test(span.traceId) || !SPAN_ID.test(span.spanId)) return undefined;
  return { traceId: span.traceId, parentId: span.spanId, isSampled: (span.traceFlags & SAMPLED_FLAG) !== 0 };
}
