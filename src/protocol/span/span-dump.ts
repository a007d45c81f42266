import { treeOf } from './attribute-tree.ts';
import type { Span, SpanEvent, SpanLink } from './span.ts';
import { textOfNanos } from './span-times.ts';
import type { JsonObject } from '../values/json-object.ts';

/** The whole span as it is shown among the attributes of its call, and those of its resource. The tree of its own may be there already. */
export function dumpOf(span: Span, resource: JsonObject, tree = treeOf(span.attributes)): JsonObject {
  return {
    name: span.name,
    context: contextOf(span),
    kind: span.kind,
    parent_id: span.parentSpanId === '' ? null : span.parentSpanId,
    start_time: textOfNanos(span.startNanos),
    end_time: textOfNanos(span.endNanos),
    status: { code: span.status.code, message: span.status.message },
    attributes: tree,
    events: span.events.map(dumpOfEvent),
    links: span.links.map(dumpOfLink),
    resource: { attributes: resource },
  };
}

export function dumpOfEvent({ name, nanos, attributes }: SpanEvent): JsonObject {
  return { name, timestamp: textOfNanos(nanos), attributes: treeOf(attributes) };
}

export function dumpOfLink(link: SpanLink): JsonObject {
  return { context: contextOf(link), attributes: treeOf(link.attributes) };
}

function contextOf({ traceId, spanId, traceState }: Pick<Span, 'traceId' | 'spanId' | 'traceState'>): JsonObject {
  return { trace_id: traceId, span_id: spanId, trace_state: traceState };
}
