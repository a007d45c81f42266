import { context, isSpanContextValid, type Span, SpanKind, trace, type TracerProvider } from '@opentelemetry/api';
import { opNameOf } from '../../protocol/ref.ts';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import { clock } from '../../tracing/record/clock.ts';
import { describe } from '../../tracing/wrap/check-options.ts';
import { hrTimeOf } from './hr-time.ts';
import { type OtelBridge, otelBridge, type SpanMaker } from './otel-bridge.ts';

export interface TracerBridgeOptions {
  /** Makes the spans. @default the one that the program has registered */
  readonly tracerProvider?: TracerProvider;
  /** Spans carry inputs and outputs too, masked as they are recorded. @default false */
  readonly content?: boolean;
}

/**
 * Makes a span of each recorded call, with the tracer provider of the program: its sampler decides, its exporters send.
 *
 * @example
 * provider.register();
 * new SpoorTracerBridge().enable();
 */
export class SpoorTracerBridge {
  readonly #bridge: OtelBridge = otelBridge();
  readonly #maker: SpanMaker;

  constructor({ tracerProvider = trace, content = false }: TracerBridgeOptions = {}) {
    if (typeof tracerProvider.getTracer !== 'function') {
      throw new TypeError(`Cannot make spans with ${describe(tracerProvider)}: want a tracer provider`);
    }
    const tracer = tracerProvider.getTracer('spoor', PACKAGE_VERSION);
    this.#maker = {
      content,
      start: (opName, kind, startedAt) => {
        const startTime = hrTimeOf(startedAt + clock.offset);
        const options = { startTime, kind: isRequest(kind) ? SpanKind.CLIENT : SpanKind.INTERNAL };
        return madeBy(tracer.startSpan(opNameOf(opName), options));
      },
    };
  }

  /** Calls that begin from now on become spans. Answers the same bridge. */
  enable(): this {
    this.#bridge.use(this, this.#maker);
    return this;
  }

  /** Calls that begin from now on become no spans. */
  disable(): void {
    this.#bridge.release(this, this.#maker);
  }
}

function isRequest(kind: string | undefined): boolean {
  return kind === 'llm' || kind === 'embedding';
}

/** Without an SDK, and where tracing is suppressed, a tracer answers a span of nobody, or the parent again. */
function madeBy(span: Span): Span | undefined {
  const made = span.spanContext();
  const isNew = made.spanId !== trace.getSpan(context.active())?.spanContext().spanId;
  return isNew && isSpanContextValid(made) ? span : undefined;
}
