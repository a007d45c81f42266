import type { JsonValue } from '../values/canonical-json.ts';

/** Attributes in the order they came; a key should not occur twice, and if it does the last one counts. */
export type Attributes = readonly (readonly [key: string, value: JsonValue])[];

/** A span whatever encoding it came in. Ids are lower-case hexadecimal, `""` where there is none. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: string;
  /** Nanoseconds since 1970. */
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: readonly SpanLink[];
  readonly status: { readonly code: string; readonly message: string };
}

export interface SpanEvent {
  readonly name: string;
  readonly nanos: bigint;
  readonly attributes: Attributes;
}

export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceState: string;
  readonly attributes: Attributes;
}
