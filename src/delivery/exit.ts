import { performance } from '../host/clock.ts';
import { setImmediate } from '../host/timers.ts';

/** What the end of a process asks of a delivery. */
export interface Flushable {
  /** Is anything in memory? */
  hasUnsettled(): boolean;
  /** Does anything of this process wait on disk, or is anything on its way from there? */
  hasSpooled(): boolean;
  /** `withLeftOvers`: what ended programs left, too. */
  flush(options: { readonly timeoutMs: number; readonly withLeftOvers?: boolean }): Promise<unknown>;
  /** Writes what waits in memory to disk. */
  spoolNow(): void;
  /** The last thing a process does: writes to disk what is left, and sends it for at most `deliverMs`. */
  end(options: { readonly deliverMs: number }): void;
}

const NATURAL_END_MS = 2000;
const EXIT_MS = 2000;
const SIGNAL_MS = 1000;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Delivers what is left when the process ends, without changing how it ends: same exit code, same signal, and the
 * application's own handlers decide where there are any. Returns a function that takes the handlers away.
 */
export function deliverAtExit(delivery: Flushable): () => void {
  const naturalEnd = new NaturalEnd(delivery);
  const onBeforeExit = () => naturalEnd.flush();
  const onExit = () => delivery.end({ deliverMs: Math.min(naturalEnd.restMs ?? EXIT_MS, exitRestMs()) });
  process.on('beforeExit', onBeforeExit);
  // Also the way of `process.exit()` and of an uncaught error.
  process.on('exit', onExit);
  const stopSignals = SIGNALS.map((signal) => deliverAtSignal(signal, delivery));
  return () => {
    process.off('beforeExit', onBeforeExit);
    process.off('exit', onExit);
    for (const stop of stopSignals) stop();
  };
}

/** A client that is shutting down and its successor may both have something to deliver, in the same time. */
let exitDeadline: number | undefined;

function exitRestMs(): number {
  exitDeadline ??= performance.now() + EXIT_MS;
  return Math.max(0, exitDeadline - performance.now());
}

/**
 * `beforeExit` comes again after each flush, because waiting for it was work; one that delivered nothing is not
 * repeated, and the `exit` handler writes the rest to disk.
 */
class NaturalEnd {
  readonly #delivery: Flushable;
  #deadline: number | undefined;

  constructor(delivery: Flushable) {
    this.#delivery = delivery;
  }

  /** What is left of the time for a natural end; `undefined` while it has not begun or was enough. */
  get restMs(): number | undefined {
    return this.#deadline === undefined ? undefined : Math.max(0, this.#deadline - performance.now());
  }

  flush(): void {
    if (isDone(this.#delivery)) return;
    this.#deadline ??= performance.now() + NATURAL_END_MS;
    const timeoutMs = this.#deadline - performance.now();
    if (timeoutMs > 0) void this.#flush(timeoutMs);
  }

  async #flush(timeoutMs: number): Promise<void> {
    const before = stateOf(this.#delivery);
    await this.#delivery.flush({ timeoutMs, withLeftOvers: true });
    if (isDone(this.#delivery)) this.#deadline = undefined;
    else if (stateOf(this.#delivery) === before) this.#deadline = 0;
  }
}

function isDone(delivery: Flushable): boolean {
  return !delivery.hasUnsettled() && !delivery.hasSpooled();
}

function stateOf(delivery: Flushable): string {
  return `${delivery.hasUnsettled()} ${delivery.hasSpooled()}`;
}

function deliverAtSignal(signal: NodeJS.Signals, delivery: Flushable): () => void {
  const die = () => {
    // With no handler of ours left the signal has its default effect.
    process.off(signal, die);
    delivery.end({ deliverMs: 0 });
    process.kill(process.pid, signal);
  };
  const dieDelivered = async () => {
    // Somebody who asks twice does not want to wait, and still loses nothing.
    process.on(signal, die);
    await delivery.flush({ timeoutMs: SIGNAL_MS });
    die();
  };
  const onSignal = () => {
    // Libraries compare the number of handlers with their own, so ours must not be seen while they run.
    process.off(signal, onSignal);
    if (process.listenerCount(signal) === 0) return void dieDelivered();
    delivery.spoolNow();
    setImmediate(() => process.prependListener(signal, onSignal)).unref();
  };
  process.prependListener(signal, onSignal);
  return () => process.off(signal, onSignal);
}
