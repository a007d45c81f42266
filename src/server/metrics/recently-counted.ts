import type { CostTally } from './cost-tally.ts';

/** Ends are sent again when an answer is lost, and spans come late: about so many numbers are remembered. */
const REMEMBERED = 20_000;

/** Usage that was counted not long ago, by keys; the oldest is forgotten first. */
export class RecentlyCounted {
  readonly #calls = new Map<string, boolean>();
  readonly #traces = new Map<string, CostTally>();
  #tracesSize = 0;

  /** Is nothing more to be done about a call? */
  hasCall(key: string): boolean {
    return this.#calls.has(key);
  }

  /** Was a call counted by itself, and not with another? */
  wasCounted(key: string): boolean {
    return this.#calls.get(key) === true;
  }

  traceOf(key: string): CostTally | undefined {
    return this.#traces.get(key);
  }

  addCall(key: string, isCounted: boolean): void {
    this.#calls.set(key, isCounted);
    for (const [oldest] of this.#calls) {
      if (this.#calls.size <= REMEMBERED) return;
      this.#calls.delete(oldest);
    }
  }

  addTrace(key: string, tally: CostTally): void {
    this.#forgetTrace(key);
    this.#traces.set(key, tally);
    this.#tracesSize += tally.size;
    for (const [oldest] of this.#traces) {
      if (this.#tracesSize <= REMEMBERED) return;
      this.#forgetTrace(oldest);
    }
  }

  #forgetTrace(key: string): void {
    this.#tracesSize -= this.#traces.get(key)?.size ?? 0;
    this.#traces.delete(key);
  }
}
