import { clearImmediate, clearTimeout, setImmediate, setTimeout } from '../../host/timers.ts';

const FIRST_FLUSH_MS = 50;
const FLUSH_INTERVAL_MS = 200;

/** Says when to send. Its timers never keep the process alive: `exit.ts` takes care of the end. */
export class FlushTimer {
  readonly #onDue: () => void;
  readonly #onFull: () => void;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #intervalMs = FIRST_FLUSH_MS;

  /** `onDue`: send all there is. `onFull`: send full batches. */
  constructor({ onDue, onFull }: { onDue: () => void; onFull: () => void }) {
    this.#onDue = onDue;
    this.#onFull = onFull;
  }

  /** Something waits: send it in a while. */
  later(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#intervalMs = FLUSH_INTERVAL_MS;
      this.#onDue();
    }, this.#intervalMs).unref();
  }

  /** A batch is full: send it in the next turn, not in the caller's. */
  soon(): void {
    this.#immediate ??= setImmediate(() => {
      this.#immediate = undefined;
      this.#onFull();
    }).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
  }
}
