import { TracingError } from '../../protocol/error.ts';

/** How many may wait for their turn, and how long. */
interface LineOptions {
  readonly maxWaiting: number;
  readonly waitMs: number;
}

/** Work that is done one after the other, in the order in which it came. */
export class WaitingLine {
  readonly #options: LineOptions;
  readonly #waiting = new Set<() => void>();
  #isBusy = false;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /**
   * Does the work when it is its turn. Rejects with `rate_limited` where too many wait, or after too long a wait, and with
   * the reason of the signal when nobody waits for it any more; work that has begun goes on.
   */
  async run<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#isBusy) await this.#turn(signal);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#callNext();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    const { maxWaiting, waitMs } = this.#options;
    if (this.#waiting.size >= maxWaiting) throw busy();
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#waiting.delete(onTurn);
      };
      const onTurn = () => {
        stopWaiting();
        resolve();
      };
      const giveUp = (error: unknown) => {
        stopWaiting();
        reject(error);
      };
      const onAbort = () => giveUp(signal?.reason);
      const timer = setTimeout(() => giveUp(busy()), waitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.add(onTurn);
    });
  }

  /** The next one finds the line busy already: nobody comes between. */
  #callNext(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#isBusy = false;
    else next();
  }
}

function busy(): TracingError {
  const extra = { retryAfterSeconds: 5 };
  return new TracingError('rate_limited', 'Cannot read the body now: too many large ones wait', { extra });
}
