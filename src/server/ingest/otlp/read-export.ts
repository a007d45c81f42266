import { readAttributes } from './any-value.ts';
import {
  bigintOf,
  enumOf,
  fieldOf,
  hexOf,
  mapMessages,
  type Message,
  messageOf,
  messagesOf,
  stringOf,
} from './message.ts';
import type { Attributes, Span, SpanEvent, SpanLink } from '../../../protocol/span/span.ts';

const KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const STATUS_CODES = ['UNSET', 'OK', 'ERROR'];

/** The spans of one resource, which are still to be read. */
export interface ResourceSpans {
  readonly attributes: Attributes;
  readonly spans: Iterable<Message>;
}

/** The resources of a decoded export request, each time anew; throws `invalid_request` when it is none. */
export function* readExport(body: unknown): Generator<ResourceSpans> {
  for (const resource of messagesOf(messageOf(body, 'body'), 'resourceSpans')) {
    const attributes = readAttributes(messageOf(fieldOf(resource, 'resource'), 'resource'));
    yield { attributes, spans: { [Symbol.iterator]: () => spansOf(resource) } };
  }
}

function* spansOf(resource: Message): Generator<Message> {
  for (const scope of messagesOf(resource, 'scopeSpans')) yield* messagesOf(scope, 'spans');
}

/** Throws `invalid_request` for what is no span. */
export function readSpan(span: Message): Span {
  const status = messageOf(fieldOf(span, 'status'), 'status');
  return {
    traceId: hexOf(fieldOf(span, 'traceId')),
    spanId: hexOf(fieldOf(span, 'spanId')),
    traceState: stringOf(fieldOf(span, 'traceState')),
    parentSpanId: hexOf(fieldOf(span, 'parentSpanId')),
    name: stringOf(fieldOf(span, 'name')),
    kind: enumOf(fieldOf(span, 'kind'), KINDS, 'SPAN_KIND_'),
    startNanos: nanosOf(span, 'startTimeUnixNano'),
    endNanos: nanosOf(span, 'endTimeUnixNano'),
    attributes: readAttributes(span),
    events: mapMessages(span, 'events', readEvent),
    links: mapMessages(span, 'links', readLink),
    status: {
      code: enumOf(fieldOf(status, 'code'), STATUS_CODES, 'STATUS_CODE_'),
      message: stringOf(fieldOf(status, 'message')),
    },
  };
}

function readEvent(event: Message): SpanEvent {
  return {
    name: stringOf(fieldOf(event, 'name')),
    nanos: nanosOf(event, 'timeUnixNano'),
    attributes: readAttributes(event),
  };
}

function readLink(link: Message): SpanLink {
  return {
    traceId: hexOf(fieldOf(link, 'traceId')),
    spanId: hexOf(fieldOf(link, 'spanId')),
    traceState: stringOf(fieldOf(link, 'traceState')),
    attributes: readAttributes(link),
  };
}

function nanosOf(message: Message, name: string): bigint {
  return bigintOf(fieldOf(message, name)) ?? 0n;
}
