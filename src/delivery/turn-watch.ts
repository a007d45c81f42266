import { performance } from '../host/clock.ts';
import { clearImmediate, setImmediate } from '../host/timers.ts';

/** A turn of the event loop may be long, and a program that awaits nothing slow has few of them. */
const MAX_WAIT_MS = 10;
const MAX_WAIT_BYTES = 256 * 1024;
/** Reading the clock for every record would cost a noticeable part of recording it. */
const RECORDS_PER_CLOCK_READ = 32;

/**
 * Calls back at the end of each turn of the event loop in which something was recorded, and within a long one every few
 * milliseconds.
 */
export class TurnWatch {
  readonly #onTurn: () => void;
  #immediate: NodeJS.Immediate | undefined;
  #startedAt = 0;
  #records = 0;
  #bytes = 0;

  constructor(onTurn: () => void) {
    this.#onTurn = onTurn;
  }

  record(bytes: number): void {
    if (this.#immediate === undefined) this.#begin();
    this.#bytes += bytes;
    this.#records++;
    const isLate = this.#records % RECORDS_PER_CLOCK_READ === 0 && performance.now() - this.#startedAt > MAX_WAIT_MS;
    if (isLate || this.#bytes > MAX_WAIT_BYTES) this.#end();
  }

  close(): void {
    clearImmediate(this.#immediate);
    this.#immediate = undefined;
  }

  /** The process is not kept alive for it: its end writes what is left. */
  #begin(): void {
    this.#startedAt = performance.now();
    this.#immediate = setImmediate(() => this.#end()).unref();
  }

  #end(): void {
    this.close();
    this.#records = 0;
    this.#bytes = 0;
    this.#onTurn();
  }
}
