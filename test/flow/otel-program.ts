// A program with the SDK and a real exporter of OpenTelemetry. It prints the ids of its spans, and what the exporter
// said of each export.
import { type Attributes, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
  type TracerConfig,
} from '@opentelemetry/sdk-trace-node';
import { createRequire } from 'node:module';
import { CONVENTIONS } from './otel-conventions.ts';

// What makes resources comes with the SDK.
const { resourceFromAttributes } = createRequire(
  createRequire(import.meta.url).resolve('@opentelemetry/sdk-trace-node'),
)('@opentelemetry/resources') as {
  resourceFromAttributes: (attributes: Attributes) => NonNullable<TracerConfig['resource']>;
};

/** The result of one export: 0 is success; a refusal has the HTTP status it came with. */
export interface ExportResult {
  readonly code: number;
  readonly status?: unknown;
}

export interface Printed {
  readonly results: readonly ExportResult[];
  readonly traceId: string;
  /** Span ids by what the program calls its spans. */
  readonly ids: Readonly<Record<string, string>>;
}

const { SERVICE_URL, EXPORTER, HEADERS, RESOURCE, SCENARIO } = process.env;

const results: ExportResult[] = [];
const Exporter = EXPORTER === 'protobuf' ? ProtobufExporter : JsonExporter;
// Compression is set as users set it, by OTEL_EXPORTER_OTLP_COMPRESSION.
const inner: SpanExporter = new Exporter({
  url: `${SERVICE_URL}/otel/v1/traces`,
  headers: JSON.parse(HEADERS ?? '{}') as Record<string, string>,
});
const observed: SpanExporter = {
  export: (spans, done) =>
    inner.export(spans, (result) => {
      const { error } = result;
      results.push({ code: result.code, ...(error && 'code' in error && { status: error.code }) });
      done(result);
    }),
  shutdown: () => inner.shutdown(),
};
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': 'shop', ...(JSON.parse(RESOURCE ?? '{}') as Attributes) }),
  spanProcessors: [new BatchSpanProcessor(observed)],
});
const tracer = provider.getTracer('shop', '1.2.3');
const ids: Record<string, string> = {};

function start(name: string, parent?: Span, attributes: Attributes = {}): Span {
  const span = tracer.startSpan(name, { attributes }, parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT);
  ids[name] = span.spanContext().spanId;
  return span;
}

/** A turn of a conversation with a model call in each convention; the children are exported before their parent. */
async function conversation(): Promise<Span> {
  const thread = { 'svc.thread_id': 'chat-7' };
  const turn = start('turn', undefined, { ...thread, 'svc.is_turn': true });
  for (const [name, { attributes }] of Object.entries(CONVENTIONS))
    start(name, turn, { ...attributes, ...thread }).end();
  await provider.forceFlush();
  turn.end();
  return turn;
}

/** A span that failed, with everything a span can have. */
function failure(): Span {
  const linked = start('linked');
  linked.end();
  const span = start('failed', linked, { 'shop.basket': ['a', 'b'], 'shop.price': 1.5, 'shop.big': 9007199254740991 });
  span.addLink({ context: linked.spanContext(), attributes: { why: 'same basket' } });
  span.addEvent('cache.miss', { key: 'k1' });
  span.recordException(new TypeError('no such page'));
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'gave up' });
  span.end();
  return span;
}

const last = SCENARIO === 'conversation' ? await conversation() : failure();
// Rejects with a refusal of the service, which `results` has already.
await provider.shutdown().catch(() => undefined);
const printed: Printed = { results, traceId: last.spanContext().traceId, ids };
console.log(JSON.stringify(printed));
