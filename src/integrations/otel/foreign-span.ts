import type { Attributes as OtelAttributes, HrTime, SpanContext } from '@opentelemetry/api';
import type { JsonValue } from '../../protocol/values/canonical-json.ts';
import type { Attributes, Span } from '../../protocol/span/span.ts';
import { nanosOfHrTime } from './hr-time.ts';

/** A span as SDKs of OpenTelemetry, 1.x and 2.x, hand it to a span processor when it has ended. */
export interface ReadableSpan {
  readonly name: string;
  readonly kind: number;
  spanContext(): SpanContext;
  /** Of SDK 2. */
  readonly parentSpanContext?: SpanContext | undefined;
  /** Of SDK 1. */
  readonly parentSpanId?: string | undefined;
  readonly startTime: HrTime;
  readonly endTime: HrTime;
  readonly status: { readonly code: number; readonly message?: string | undefined };
  readonly attributes: OtelAttributes;
  readonly events: readonly {
    readonly name: string;
    readonly time: HrTime;
    readonly attributes?: OtelAttributes | undefined;
  }[];
  readonly links: readonly { readonly context: SpanContext; readonly attributes?: OtelAttributes | undefined }[];
  readonly resource: { readonly attributes: OtelAttributes };
}

const KINDS = ['INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'];
const STATUS_CODES = ['UNSET', 'OK', 'ERROR'];

/** The span as one that came over the network, so that both become the same call. */
export function spanOf(span: ReadableSpan): Span {
  return {
    ...idsOf(span.spanContext()),
    parentSpanId: span.parentSpanContext?.spanId ?? span.parentSpanId ?? '',
    name: span.name,
    kind: KINDS[span.kind] ?? 'UNSPECIFIED',
    startNanos: nanosOfHrTime(span.startTime),
    endNanos: nanosOfHrTime(span.endTime),
    attributes: attributesOf(span.attributes),
    events: span.events.map(({ name, time, attributes }) => ({
      name,
      nanos: nanosOfHrTime(time),
      attributes: attributesOf(attributes),
    })),
    links: span.links.map(({ context, attributes }) => ({ ...idsOf(context), attributes: attributesOf(attributes) })),
    status: { code: STATUS_CODES[span.status.code] ?? 'UNSET', message: span.status.message ?? '' },
  };
}

export function attributesOf(attributes: OtelAttributes | undefined): Attributes {
  return Object.entries(attributes ?? {}).flatMap(([key, value]) =>
    isJson(value) ? [[key, structureOf(value)] as const] : [],
  );
}

export function idsOf({ traceId, spanId, traceState }: SpanContext): Pick<Span, 'traceId' | 'spanId' | 'traceState'> {
  return { traceId, spanId, traceState: traceState?.serialize() ?? '' };
}

/** Resources have attributes that are promises for a while. */
function isJson(value: unknown): value is JsonValue {
  return ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value);
}

/** Texts that hold a JSON object or array are what they hold. */
function structureOf(value: JsonValue): JsonValue {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    // Text that only begins like JSON is text.
    return value;
  }
}
