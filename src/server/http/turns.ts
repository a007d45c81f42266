import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work on one request before others have their turn. */
const TURN_MS = 10;

/** Long work on one request, cut into turns between which other requests go on. */
export class Turns {
  #end = performance.now() + TURN_MS;

  /** Has this turn lasted long enough? */
  get isOver(): boolean {
    return performance.now() >= this.#end;
  }

  /** Lets the others have their turns. */
  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + TURN_MS;
  }
}
