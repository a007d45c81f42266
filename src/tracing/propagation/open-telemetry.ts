import { ACTIVE_SPAN, otelContextManager } from '../../protocol/process/open-telemetry.ts';
import type { ForeignParent } from '../record/recorded-call.ts';

const SAMPLED_FLAG = 1;
const TRACE_ID = /^(?!0+$)[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0+$)[0-9a-f]{16}$/;

interface SpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** The active OpenTelemetry span of the application, as the parent of a root call. */
export function activeSpan(): ForeignParent | undefined {
  const active = otelContextManager()?.active().getValue(ACTIVE_SPAN);
  const span = (active as { spanContext(): SpanContext } | undefined)?.spanContext();
  if (span === undefined || !TRACE_ID.test(span.traceId) || !SPAN_ID.test(span.spanId)) return undefined;
  return { traceId: span.traceId, parentId: span.spanId, isSampled: (span.traceFlags & SAMPLED_FLAG) !== 0 };
}
