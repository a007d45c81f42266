import { clearTimeout, setTimeout } from './timers.ts';

/** How long `stored()` of an object or a call, and `feedback()`, keep a process alive: as long as `flush()` waits. */
export const STORED_MS = 10_000;
/** Node takes no longer ones. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Settles as `work`, and keeps the process alive until then, but no longer than `limitMs`, from when it is awaited: what nobody
 * waits for holds nothing. Connections and timers of the recording half hold no process, so who awaits something of them would
 * be told by Node that nothing is left which could settle it.
 */
export function keepingAlive<T>(work: Promise<T>, limitMs: number = LONGEST_MS): Promise<T> {
  return HoldingPromise.of(work, limitMs);
}

/** Waiters of a promise of another class than the usual one come to its `then`, those that use `await` too. */
class HoldingPromise<T> extends Promise<T> {
  #limitMs = LONGEST_MS;
  #isHolding = false;

  static of<T>(work: Promise<T>, limitMs: number): HoldingPromise<T> {
    const holding = new HoldingPromise<T>((resolve, reject) => void work.then(resolve, reject));
    holding.#limitMs = limitMs;
    return holding;
  }

  /** Class of promises made of one by `then`: they hold nothing by themselves. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- as every promise
  override then<Result1 = T, Result2 = never>(
    onFulfilled?: ((value: T) => Result1 | PromiseLike<Result1>) | null,
    onRejected?: ((reason: unknown) => Result2 | PromiseLike<Result2>) | null,
  ): Promise<Result1 | Result2> {
    this.#hold();
    return super.then(onFulfilled, onRejected);
  }

  #hold(): void {
    if (this.#isHolding) return;
    this.#isHolding = true;
    const timer = setTimeout(() => undefined, this.#limitMs);
    const letGo = () => clearTimeout(timer);
    void super.then(letGo, letGo);
  }
}
