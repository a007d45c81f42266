import { performance } from '../../host/clock.ts';
import { clearTimeout, setTimeout } from '../../host/timers.ts';

const FAILURES_TO_OPEN = 5;
const PROBE_INTERVAL_MS = 30_000;

/**
 * Decides whether it makes sense to send. All requests to one service share it: they wait together, and a round of
 * requests that fail together counts as one failure.
 */
export class Breaker {
  #failures = 0;
  #isOpen = false;
  #lastFailureAt = Number.NEGATIVE_INFINITY;
  #resumeAt = 0;
  #isResumeAsked = false;
  #probeAt = 0;
  readonly #sleepers = new Set<() => void>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isProbeDue(): boolean {
    return this.#isOpen && this.#now() >= this.#probeAt;
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures;
  }

  succeed(): void {
    this.#failures = 0;
    this.#isOpen = false;
    this.#resume();
  }

  /**
   * `startedAt`: when the failed request began; one that began before the last failure tells nothing new.
   * `askedMs`: the wait the service asked for.
   */
  fail(startedAt: number, ownDelayMs: (failures: number) => number, askedMs?: number): void {
    if (startedAt < this.#lastFailureAt) return;
    this.#lastFailureAt = this.#now();
    this.#failures++;
    this.#isResumeAsked = askedMs !== undefined;
    this.#resumeAt = this.#now() + (askedMs ?? ownDelayMs(this.#failures));
    if (this.#failures >= FAILURES_TO_OPEN || (askedMs ?? 0) > PROBE_INTERVAL_MS) this.open(askedMs);
  }

  /** Until a probe succeeds; a later failure of a probe calls it again. */
  open(probeAfterMs = 0): void {
    this.#isOpen = true;
    this.#probeAt = this.#now() + Math.max(probeAfterMs, PROBE_INTERVAL_MS);
    this.#resume();
  }

  /** Resolves when the next attempt is due: at once when there was no failure. */
  async pause(): Promise<void> {
    const delayMs = this.#resumeAt - this.#now();
    if (delayMs <= 0 || this.#isOpen) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        this.#sleepers.delete(finish);
        resolve();
      };
      const timer = setTimeout(finish, delayMs).unref();
      this.#sleepers.add(finish);
    });
  }

  /** Ends the pauses that we chose ourselves, because somebody waits for the result. */
  wake(): void {
    if (!this.#isResumeAsked) this.#resume();
  }

  #resume(): void {
    this.#resumeAt = 0;
    this.#isResumeAsked = false;
    for (const finish of this.#sleepers) finish();
  }
}
