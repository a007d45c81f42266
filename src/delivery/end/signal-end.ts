import { builtin } from '../../host/builtin.ts';
import { setImmediate } from '../../host/timers.ts';
import type { Flushable } from './flushable.ts';

const SIGNAL_MS = 1000;

/** Signals that end a process that does not say otherwise. The last one exists on Windows only. */
const SIGNALS: readonly NodeJS.Signals[] = [
  'SIGTERM',
  'SIGINT',
  'SIGHUP',
  ...(process.platform === 'win32' ? (['SIGBREAK'] as const) : []),
];

/** Signals to the first process of a container have no effect unless it handles them. */
const IMMORTAL_PID = 1;

/** Returns a function that takes the handlers away. */
export function deliverAtSignals(delivery: Flushable): () => void {
  const end = new SignalEnd(delivery);
  return () => end.stop();
}

/** Everything is on disk first; then, if the application has no handler of its own, it is delivered, and the signal does what it does. */
class SignalEnd {
  readonly #delivery: Flushable;
  readonly #handlers: ReadonlyMap<NodeJS.Signals, () => void>;
  #isDying = false;
  #isStopped = false;

  constructor(delivery: Flushable) {
    this.#delivery = delivery;
    this.#handlers = new Map(SIGNALS.map((signal) => [signal, () => this.#handle(signal)]));
    for (const signal of SIGNALS) this.#listen(signal);
  }

  stop(): void {
    this.#isStopped = true;
    for (const signal of SIGNALS) this.#ignore(signal);
  }

  #handle(signal: NodeJS.Signals): void {
    // Libraries compare the number of handlers with their own, so ours must not be seen while they run.
    this.#ignore(signal);
    if (process.listenerCount(signal) > 0 || process.pid === IMMORTAL_PID) return this.#goOn(signal);
    // Somebody who asks twice does not want to wait, and still loses nothing.
    if (this.#isDying) this.#die(signal);
    else void this.#dieDelivered(signal);
  }

  /** The program decides, or the kernel, which lets the process live. */
  #goOn(signal: NodeJS.Signals): void {
    // Others may mean something else, such as a new configuration.
    this.#delivery.spoolNow({ isEnding: signal === 'SIGTERM' });
    setImmediate(() => this.#listen(signal)).unref();
  }

  async #dieDelivered(signal: NodeJS.Signals): Promise<void> {
    this.#isDying = true;
    this.#listen(signal);
    // Whoever sends a signal may soon send one that cannot be handled, while code of the program makes the output of a stream.
    this.#delivery.spoolNow({ isEnding: true });
    this.#delivery.endAbandoned();
    this.#delivery.spoolNow({ isEnding: true });
    await this.#delivery.flush({ timeoutMs: SIGNAL_MS });
    this.#isDying = false;
    this.#die(signal);
  }

  #die(signal: NodeJS.Signals): void {
    // With no handler of ours left the signal has its default effect.
    this.stop();
    this.#delivery.end({ deliverMs: 0 });
    killSelf(signal);
  }

  #listen(signal: NodeJS.Signals): void {
    if (this.#isStopped) return;
    this.#ignore(signal);
    const handler = this.#handlers.get(signal);
    if (handler) process.prependListener(signal, handler);
  }

  #ignore(signal: NodeJS.Signals): void {
    const handler = this.#handlers.get(signal);
    if (handler) process.off(signal, handler);
  }
}

function killSelf(signal: NodeJS.Signals): void {
  try {
    process.kill(process.pid, signal);
  } catch {
    // Windows knows some signals only as events: what the system would do is to end the process.
    process.exit(128 + (builtin('node:os').constants.signals[signal] ?? 0));
  }
}
