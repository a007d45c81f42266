import { type ImportTarget, importOrphans } from './ingest/import-orphaned-segments.ts';
import { loggedStack } from './http/logged-error.ts';

/** How often the spool is looked at while the service runs, in milliseconds. */
const INTERVAL_MS = 2000;

/** Imports what is left in the spool, now and as long as the service runs. */
export class SpoolWatch {
  readonly #target: ImportTarget;
  #round: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(target: ImportTarget) {
    this.#target = target;
  }

  /** Starts the first round and resolves when it is over. It never rejects: a failure is logged and tried again. */
  start(): Promise<void> {
    this.#round = this.#import();
    return this.#round;
  }

  /** Waits for the round that runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  async #import(): Promise<void> {
    try {
      await importOrphans(this.#target);
    } catch (error) {
      this.#target.logger.error({ stack: loggedStack(error) }, 'spool import failed');
    }
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.start(), INTERVAL_MS);
    this.#timer.unref();
  }
}
