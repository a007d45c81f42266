import {
  ACTIVE_SPAN,
  type OtelContext,
  otelContextManager,
  type OtelContextManager,
} from '../../protocol/process/open-telemetry.ts';

/** Answers the span that is to be seen as running in place of `span`. */
type Show = (span: object | undefined) => object | undefined;

/**
 * Lets OpenTelemetry see calls as running spans: the context manager of the program answers its own context, with
 * another span in it where a call is further in. Everything else stays its own.
 */
export class ContextSharing {
  readonly #show: Show;
  #manager: OtelContextManager | undefined;
  #stop: (() => void) | undefined;

  constructor(show: Show) {
    this.#show = show;
  }

  /** Covers the context manager that is registered now: programs may register one after us, or another one. */
  share(): void {
    const manager = otelContextManager();
    if (manager === this.#manager) return;
    this.stop();
    this.#manager = manager;
    if (manager !== undefined) this.#cover(manager);
  }

  stop(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#manager = undefined;
  }

  /** The span that OpenTelemetry itself takes for the running one. */
  activeSpan(): object | undefined {
    const manager = otelContextManager();
    return manager && spanIn(this.#originals.get(manager)?.() ?? manager.active());
  }

  readonly #originals = new WeakMap<OtelContextManager, () => OtelContext>();

  #cover(manager: OtelContextManager): void {
    const original = manager.active.bind(manager);
    const active = (): OtelContext => {
      const context = original();
      const span = spanIn(context);
      const shown = this.#show(span);
      return shown === span ? context : context.setValue(ACTIVE_SPAN, shown);
    };
    const own = Object.getOwnPropertyDescriptor(manager, 'active');
    if (!Reflect.defineProperty(manager, 'active', { value: active, configurable: true, writable: true })) return;
    this.#originals.set(manager, original);
    this.#stop = () => {
      this.#originals.delete(manager);
      // Somebody else may have covered it since.
      if (manager.active !== active) return;
      if (own === undefined) Reflect.deleteProperty(manager, 'active');
      else Object.defineProperty(manager, 'active', own);
    };
  }
}

function spanIn(context: OtelContext): object | undefined {
  return context.getValue(ACTIVE_SPAN) as object | undefined;
}
