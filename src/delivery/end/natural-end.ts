import { performance } from '../../host/clock.ts';
import { holdBackBeforeExit } from './before-exit.ts';
import type { Flushable } from './flushable.ts';

const NATURAL_END_MS = 2000;

/**
 * Delivers when nothing is left to do, before the program is told: its handlers of `beforeExit` run as often as without
 * us, and what they record goes the way of an exit. Delivering is work, so each time it has come to an end Node finds again
 * that nothing is left to do; what delivered nothing is not repeated, and the `exit` handler writes the rest to disk.
 */
export class NaturalEnd {
  readonly #delivery: Flushable;
  readonly #letGo: () => void;
  #deadline: number | undefined;
  /** When the program was told, though not all was delivered. */
  #givenUpAt: number | undefined;

  constructor(delivery: Flushable) {
    this.#delivery = delivery;
    this.#letGo = holdBackBeforeExit(() => this.#begin());
  }

  /** The rest of the time for a natural end; `undefined` while it has not begun or was enough. */
  get restMs(): number | undefined {
    const deadline = this.#hasGoneOn ? undefined : this.#deadline;
    return deadline === undefined ? undefined : Math.max(0, deadline - performance.now());
  }

  stop(): void {
    this.#letGo();
  }

  /** True when there is something to wait for. */
  #begin(): boolean {
    // What waits for an answer of the service, or a handler of the program, may go on reading what would be abandoned else.
    if (isDone(this.#delivery) && process.listenerCount('beforeExit') === 0) this.#delivery.endAbandoned();
    if (isDone(this.#delivery)) return false;
    const now = performance.now();
    if (this.#hasGoneOn) {
      this.#givenUpAt = undefined;
      this.#deadline = undefined;
    }
    this.#deadline ??= now + NATURAL_END_MS;
    const timeoutMs = this.#deadline - now;
    if (timeoutMs <= 0) {
      this.#givenUpAt ??= now;
      return false;
    }
    void this.#flush(timeoutMs);
    return true;
  }

  /** A program that has gone on for as long as it was held up gets the time anew: the service may be there again. */
  get #hasGoneOn(): boolean {
    return this.#givenUpAt !== undefined && performance.now() - this.#givenUpAt >= NATURAL_END_MS;
  }

  async #flush(timeoutMs: number): Promise<void> {
    const before = stateOf(this.#delivery);
    await this.#delivery.flush({ timeoutMs, withOrphans: true });
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
