import { registry } from './registry.ts';

/** Where `@opentelemetry/api` 1.x keeps itself, and under which name its SDK keeps that nothing is to be traced. */
const API = Symbol.for('opentelemetry.js.api.1');
const SUPPRESSED = Symbol.for('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

interface Context {
  setValue(key: symbol, value: unknown): Context;
}

interface ContextManager {
  active(): Context;
  with<Result>(context: Context, fn: () => Result): Result;
}

/** Runs `fn` below no call and no span: what this package does itself is no work of the program. */
export function untraced<Result>(fn: () => Result): Result {
  const manager = (globalThis as { [API]?: { readonly context?: ContextManager } })[API]?.context;
  return registry.context.exit(() =>
    manager === undefined ? fn() : manager.with(manager.active().setValue(SUPPRESSED, true), fn),
  );
}
