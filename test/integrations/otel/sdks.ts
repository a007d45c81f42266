import { context, propagation, type Span, trace } from '@opentelemetry/api';
import * as sdk2 from '@opentelemetry/sdk-trace-node';
import * as sdk1 from 'otel-sdk-1';
import { SpoorSpanProcessor, SpoorTracerBridge, type TracerBridgeOptions } from 'spoor/otel';
import { type Recording, startRecording } from '../../tracing/recording.ts';
import type { TracerOptions } from '../../../src/tracing/record/tracer.ts';

/** What both majors of the SDK have; their types know nothing of one another. */
type Sdk = typeof sdk2;

/** SDKs of OpenTelemetry that programs have. */
export const SDKS: readonly (readonly [name: string, sdk: Sdk])[] = [
  ['2.x', sdk2],
  ['1.x', sdk1 as unknown as Sdk],
];

export interface SetupOptions {
  readonly isBridged?: boolean;
  readonly isProcessed?: boolean;
  readonly bridge?: TracerBridgeOptions;
  readonly sampler?: sdk2.Sampler;
  readonly recording?: Partial<TracerOptions>;
}

export interface Setup {
  readonly recording: Recording;
  readonly spans: () => readonly sdk2.ReadableSpan[];
  /** As `treeOf` of recordings tells calls. */
  readonly tree: () => string[];
  readonly stop: () => Promise<void>;
}

/** A program with an SDK that exports to memory, and with both ways of the bridge unless said otherwise. */
export function setUp(sdk: Sdk, options: SetupOptions = {}): Setup {
  const { isBridged = true, isProcessed = true, sampler } = options;
  const exporter = new sdk.InMemorySpanExporter();
  const provider = new sdk.NodeTracerProvider({
    ...(sampler === undefined ? {} : { sampler }),
    spanProcessors: [
      ...(isProcessed ? [new SpoorSpanProcessor() as unknown as sdk2.SpanProcessor] : []),
      new sdk.SimpleSpanProcessor(exporter),
    ],
  });
  provider.register();
  const bridge = isBridged ? new SpoorTracerBridge(options.bridge).enable() : undefined;
  const recording = startRecording(options.recording);
  return {
    recording,
    spans: () => exporter.getFinishedSpans(),
    tree: () => treeOfSpans(exporter.getFinishedSpans()),
    async stop() {
      bridge?.disable();
      recording.stop();
      await provider.shutdown();
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}

export function parentIdOf(span: sdk2.ReadableSpan): string | undefined {
  return span.parentSpanContext?.spanId ?? (span as unknown as { readonly parentSpanId?: string }).parentSpanId;
}

export function inSpan<Result>(name: string, fn: (span: Span) => Result): Result {
  return trace.getTracer('program').startActiveSpan(name, (span) => {
    const result = fn(span);
    if (result instanceof Promise) return result.finally(() => span.end()) as Result;
    span.end();
    return result;
  });
}

function treeOfSpans(spans: readonly sdk2.ReadableSpan[]): string[] {
  const ids = new Set(spans.map((span) => span.spanContext().spanId));
  const sorted = [...spans].sort((a, b) => Number(timeOf(a) - timeOf(b)));
  const text = (span: sdk2.ReadableSpan): string => {
    const children = sorted.filter((other) => parentIdOf(other) === span.spanContext().spanId).map(text);
    return children.length === 0 ? span.name : `${span.name}(${children.join(', ')})`;
  };
  return sorted.filter((span) => !ids.has(parentIdOf(span) ?? '')).map(text);
}

function timeOf({ startTime: [seconds, nanos] }: sdk2.ReadableSpan): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos);
}
