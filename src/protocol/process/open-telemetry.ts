/** Where `@opentelemetry/api` 1.x keeps itself; it is not imported, because most programs do not have it loaded. */
const API = Symbol.for('opentelemetry.js.api.1');

/** The running span, in a context. */
export const ACTIVE_SPAN = Symbol.for('OpenTelemetry Context Key SPAN');
/** Set in a context in which nothing is traced. */
const SUPPRESS_TRACING = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

export interface OtelContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): OtelContext;
}

/** The keeper of the context of OpenTelemetry; a program with its SDK has one. */
export interface OtelContextManager {
  active(): OtelContext;
  with<Result>(context: OtelContext, fn: () => Result): Result;
}

interface OtelGlobals {
  readonly context?: OtelContextManager;
  readonly trace?: object;
}

export function otelContextManager(): OtelContextManager | undefined {
  return otelGlobals()?.context;
}

/**
 * The tracer provider that the program has registered. An API finds only what was registered by one of its own minor
 * version or a newer one, and SDKs bring an older one than the newest.
 */
export function otelTracerProvider(): object | undefined {
  return otelGlobals()?.trace;
}

function otelGlobals(): OtelGlobals | undefined {
  return (globalThis as { [API]?: OtelGlobals })[API];
}

/** Runs `fn` where OpenTelemetry traces nothing. */
export function withoutSpans<Result>(fn: () => Result): Result {
  const manager = otelContextManager();
  return manager === undefined ? fn() : manager.with(manager.active().setValue(SUPPRESS_TRACING, true), fn);
}
