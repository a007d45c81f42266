import { treeOf } from './attribute-tree.ts';
import type { Attributes, Span } from './span.ts';
import { textOfNanos } from './span-times.ts';
import type { JsonObject } from '../values/json-object.ts';

/** The whole span as it is shown among the attributes of its call. */
export function dumpOf(span: Span, resource: Attributes): JsonObject {
  return {
    name: span.name,
    context: contextOf(span),
    kind: span.kind,
    parent_id: span.parentSpanId === '' ? null : span.parentSpanId,
    start_time: textOfNanos(span.startNanos),
    end_time: textOfNanos(span.endNanos),
    status: { code: span.status.code, message: span.status.message },
    attributes: treeOf(span.attributes),
    events: span.events.map(({ name, nanos, attributes }) => ({
      name,
      timestamp: textOfNanos(nanos),
      attributes: treeOf(attributes),
    })),
    links: span.links.map((link) => ({ context: contextOf(link), attributes: treeOf(link.attributes) })),
    resource: { attributes: treeOf(resource) },
  };
}

function contextOf({ traceId, spanId, traceState }: Pick<Span, 'traceId' | 'spanId' | 'traceState'>): JsonObject {
  return { trace_id: traceId, span_id: spanId, trace_state: traceState };
}
