import { nextTick } from '../host/ticks.ts';
import type { FlushResult } from '../delivery/queue/ledger.ts';
import { clock } from '../tracing/record/clock.ts';
import type { InvocationService } from '../tracing/record/tracer.ts';
import type { ServerlessHost } from './serverless.ts';

/** The longest that the promise of a handler waits for delivery. */
const LONGEST_DELAY_MS = 2000;

/** The client as the end of an invocation sees it. */
export interface Outbox {
  /** How many records there were so far. */
  readonly recorded: number;
  /** Is there a service, and none that is known to take nothing? */
  readonly isReachable: boolean;
  /** Never rejects. */
  flush(options: { readonly timeoutMs?: number }): Promise<FlushResult>;
  /** Writes what waits in memory to disk, synchronously. */
  spool(): void;
  /** The platform refused to wait. */
  reportRefusal(cause: unknown): void;
}

/**
 * Delivers what a serverless platform would otherwise stop the process with. A platform that offers to wait is handed
 * the flush; one that freezes the process with its answer makes the answer wait for it, unless that is known to be in vain.
 */
export class InvocationEnds implements InvocationService {
  readonly #host: ServerlessHost;
  readonly #outbox: Outbox;
  /** One flush for all calls that end in this turn, and whether it settled everything. */
  #flush: Promise<boolean> | undefined;
  /** Does the platform wait for it? */
  #isHandedOver = false;
  /** The last answer waited in vain: the next ones do not, until everything has gone through. */
  #isTooSlow = false;

  constructor(host: ServerlessHost, outbox: Outbox) {
    this.#host = host;
    this.#outbox = outbox;
  }

  ended(): void {
    // In a process that was stopped the monotonic clock may have stood still, as in a virtual machine.
    clock.checkNext();
    this.#flush ??= this.#flushAfterTurn();
    this.#isHandedOver ||= this.#handOver(this.#flush);
  }

  delay(): Promise<void> | undefined {
    if (!this.#host.isFreezing || this.#isHandedOver || this.#flush === undefined) return undefined;
    if (this.#isTooSlow || !this.#outbox.isReachable) {
      this.#outbox.spool();
      return undefined;
    }
    return this.#waitFor(this.#flush);
  }

  async #waitFor(flush: Promise<boolean>): Promise<void> {
    this.#isTooSlow = !(await flush);
  }

  #handOver(flush: Promise<unknown>): boolean {
    try {
      const waitUntil = this.#host.waitUntil();
      waitUntil?.(flush);
      return waitUntil !== undefined;
    } catch (cause) {
      this.#outbox.reportRefusal(cause);
      return false;
    }
  }

  #flushAfterTurn(): Promise<boolean> {
    return new Promise((resolve) => {
      nextTick(() => {
        const limit = this.#isHandedOver ? {} : { timeoutMs: LONGEST_DELAY_MS };
        this.#flush = undefined;
        this.#isHandedOver = false;
        resolve(this.#settle(limit));
      });
    });
  }

  async #settle(limit: { readonly timeoutMs?: number }): Promise<boolean> {
    const { recorded } = this.#outbox;
    const { sent, spooled, dropped } = await this.#outbox.flush(limit);
    const isSettled = sent + spooled + dropped >= recorded;
    if (isSettled) this.#isTooSlow = false;
    return isSettled;
  }
}
