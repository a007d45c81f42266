import { performance } from '../../host/clock.ts';
import { nextTick } from '../../host/ticks.ts';

/** A turn may be long, and a program that awaits nothing slow has few of them. */
const MAX_WAIT_MS = 10;
const MAX_WAIT_BYTES = 256 * 1024;
/** Reading the clock for every record would cost a noticeable part of recording it. */
const RECORDS_PER_CLOCK_READ = 32;

/**
 * Calls back when each piece of work in which something was recorded has come to its end, promises included, and within a
 * long one every few milliseconds. Not in the next turn of the event loop, before which the program may sleep for long.
 */
export class TurnWatch {
  readonly #onTurn: () => void;
  #isOpen = false;
  #isClosed = false;
  #startedAt = 0;
  #records = 0;
  #bytes = 0;

  constructor(onTurn: () => void) {
    this.#onTurn = onTurn;
  }

  record(bytes: number): void {
    if (!this.#isOpen) this.#begin();
    this.#bytes += bytes;
    this.#records++;
    const isLate = this.#records % RECORDS_PER_CLOCK_READ === 0 && performance.now() - this.#startedAt > MAX_WAIT_MS;
    if (isLate || this.#bytes > MAX_WAIT_BYTES) this.#end();
  }

  close(): void {
    this.#isClosed = true;
  }

  #begin(): void {
    this.#isOpen = true;
    this.#startedAt = performance.now();
    // It keeps no process alive, and no thread is ended between the work and this but by force.
    nextTick(() => this.#end());
  }

  #end(): void {
    if (!this.#isOpen || this.#isClosed) return;
    this.#isOpen = false;
    this.#records = 0;
    this.#bytes = 0;
    this.#onTurn();
  }
}
