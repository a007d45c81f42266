import { isSpanContextValid, type Span, SpanKind, type Tracer, type TracerProvider } from '@opentelemetry/api';
import { ACTIVE_SPAN, otelContextManager, otelTracerProvider } from '../../protocol/process/open-telemetry.ts';
import { opNameOf } from '../../protocol/ref.ts';
import { PACKAGE_VERSION } from '../../protocol/version.ts';
import { clock, describe } from '../../tracing/instrument.ts';
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

  constructor({ tracerProvider, content = false }: TracerBridgeOptions = {}) {
    const tracerOf = tracerProvider === undefined ? registeredTracer() : givenTracer(tracerProvider);
    this.#maker = {
      content,
      start: (opName, kind, startedAt) => {
        const startTime = hrTimeOf(startedAt + clock.offset);
        const options = { startTime, kind: isRequest(kind) ? SpanKind.CLIENT : SpanKind.INTERNAL };
        const span = tracerOf()?.startSpan(opNameOf(opName), options);
        return span && madeBy(span);
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

/** The tracer of the moment; `undefined` where there is none. */
type TracerOf = () => Tracer | undefined;

function givenTracer(provider: TracerProvider): TracerOf {
  if (typeof provider.getTracer !== 'function') {
    throw new TypeError(`Cannot make spans with ${describe(provider)}: want a tracer provider`);
  }
  const tracer = tracerIn(provider);
  return () => tracer;
}

/** Of the provider that is registered when a call begins: programs may register one after us, or another one. */
function registeredTracer(): TracerOf {
  let known: object | undefined;
  let tracer: Tracer | undefined;
  return () => {
    const provider = otelTracerProvider();
    if (provider !== known) {
      // Whoever registers one promises this.
      tracer = provider && tracerIn(provider as TracerProvider);
      known = provider;
    }
    return tracer;
  };
}

function tracerIn(provider: TracerProvider): Tracer {
  return provider.getTracer('spoor', PACKAGE_VERSION);
}

function isRequest(kind: string | undefined): boolean {
  return kind === 'llm' || kind === 'embedding';
}

/** Without an SDK, and where tracing is suppressed, a tracer answers a span of nobody, or the parent again. */
function madeBy(span: Span): Span | undefined {
  const made = span.spanContext();
  // As the context manager keeps it.
  const active = otelContextManager()?.active().getValue(ACTIVE_SPAN) as Span | undefined;
  const isNew = made.spanId !== active?.spanContext().spanId;
  return isNew && isSpanContextValid(made) ? span : undefined;
}
