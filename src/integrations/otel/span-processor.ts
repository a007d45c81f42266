import { type Context, isSpanContextValid, type Span, trace, TraceFlags } from '@opentelemetry/api';
import { announcedRecording } from '../../protocol/process/recording.ts';
import { parentOf, threadOf } from '../../protocol/span/span-place.ts';
import { treeOf } from '../../protocol/span/attribute-tree.ts';
import { admitRoot, NO_SCOPE } from '../../tracing/record/begin-call.ts';
import { clock } from '../../tracing/record/clock.ts';
import type { Scope } from '../../tracing/propagation/frame.ts';
import { currentFrame } from '../../tracing/propagation/outermost.ts';
import { type ForeignParent, RecordedCall } from '../../tracing/record/recorded-call.ts';
import { activeTracer } from '../../tracing/record/tracer.ts';
import { attributesOf, idsOf, type ReadableSpan } from './foreign-span.ts';
import { guarded } from './guarded.ts';
import { microsOfHrTime } from './hr-time.ts';
import { type OtelBridge, otelBridge } from './otel-bridge.ts';
import { writeSpan } from './write-span.ts';

/**
 * Records the spans of the program as calls, in one tree with the calls of `traced`. For the `spanProcessors` of an SDK
 * of OpenTelemetry, 1.x or 2.x, beside those that the program has.
 *
 * @example
 * const provider = new NodeTracerProvider({ spanProcessors: [new SpoorSpanProcessor()] });
 */
export class SpoorSpanProcessor {
  readonly #bridge: OtelBridge = otelBridge();
  readonly #calls = new WeakMap<object, RecordedCall>();
  #isShutDown = false;

  constructor() {
    this.#bridge.use(this);
  }

  /** Called by the SDK. */
  onStart(span: Span, parentContext: Context): void {
    guarded(() => {
      if (this.#isShutDown) return;
      this.#bridge.refresh();
      if (!this.#bridge.isStarting) this.#begin(span, parentContext);
    });
  }

  /** Called by the SDK. */
  onEnd(span: ReadableSpan): void {
    guarded(() => {
      const call = this.#calls.get(span);
      if (call !== undefined) writeSpan(call, span);
    });
  }

  /** Resolves, never rejects, when what was recorded before has arrived at the service or is on disk. */
  async forceFlush(): Promise<void> {
    await announcedRecording()?.flush();
  }

  async shutdown(): Promise<void> {
    this.#isShutDown = true;
    this.#bridge.release(this);
    await this.forceFlush();
  }

  #begin(span: Span, parentContext: Context): void {
    const { traceFlags } = span.spanContext();
    const tracer = activeTracer();
    const around = currentFrame();
    if (tracer === undefined || around?.scope?.isRecording === false) return;
    // The sampler of the program has decided that nobody is to see it.
    if ((traceFlags & TraceFlags.SAMPLED) === 0) return;
    const parent = trace.getSpan(parentContext);
    const outer = parent && this.#bridge.frameOf(parent);
    if (outer !== undefined && outer.call === undefined) return this.#bridge.know(span, outer);
    const frame = { call: outer?.call, scope: scopeOf(span, around?.scope), catcher: undefined };
    const foreign = outer === undefined && parent !== undefined ? foreignOf(parent) : undefined;
    const { name, startTime } = span as unknown as ReadableSpan;
    clock.now();
    const own = this.#bridge.adopt(span, microsOfHrTime(startTime) - clock.offset);
    const call = new RecordedCall(tracer, frame, name, foreign, own);
    const admitted = outer === undefined ? admitRoot(call, frame, foreign, {}) : call;
    this.#bridge.know(span, admitted);
    if (admitted.call !== undefined) this.#calls.set(span, admitted.call);
  }
}

/** A conversation that the span names goes before the one around it. */
function scopeOf(span: Span, scope: Scope | undefined): Scope | undefined {
  const tree = treeOf(attributesOf((span as unknown as ReadableSpan).attributes));
  const { threadId } = threadOf({ parentSpanId: '', traceState: '' }, tree);
  return threadId === null ? scope : { ...NO_SCOPE, ...scope, threadId };
}

function foreignOf(parent: Span): ForeignParent | undefined {
  const context = parent.spanContext();
  if (!isSpanContextValid(context)) return undefined;
  const { traceId, spanId, traceState } = idsOf(context);
  const parentId = parentOf({ parentSpanId: spanId, traceState }) ?? undefined;
  return { traceId, parentId, isSampled: (context.traceFlags & TraceFlags.SAMPLED) !== 0, traceState };
}
