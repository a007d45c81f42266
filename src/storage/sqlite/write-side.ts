import { TracingError } from '../../protocol/error.ts';
import type { WriteQueue } from '../storage.ts';
import type { Channel } from './channel.ts';
import type { Change, WriteRequest } from './messages.ts';
import { Trouble } from './trouble.ts';
import { requestBytes } from './write-desk.ts';

/** Bytes of requests that wait for their commit. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/** As long as clients wait for an answer, in milliseconds. */
const STUCK_MS = 10_000;

interface WriteSideOptions {
  /** @default 64 MiB */
  readonly maxQueuedBytes?: number | undefined;
  /** A writer that answers nothing for so long is not well, in milliseconds. @default 10000 */
  readonly stuckMs?: number;
}

/** The way to the writer: bounded, and opened again when its thread has ended. */
export class WriteSide {
  readonly #open: () => Channel;
  readonly #maxQueuedBytes: number;
  #channel: Channel;
  #queuedBytes = 0;
  #waitingCount = 0;
  #writtenCount = 0;
  /** Of channels that have ended. */
  #earlierGroups = 0;
  #isClosed = false;
  readonly #stuckMs: number;
  readonly #trouble = new Trouble<Change | undefined>(
    (refused) => this.#answerOf({ op: 'probe', refused }),
    (change) => (change === undefined ? 0 : requestBytes(change)),
  );
  /** When something was answered last, or nothing waited. */
  #movedAt = 0;

  constructor(open: () => Channel, { maxQueuedBytes, stuckMs }: WriteSideOptions = {}) {
    this.#open = open;
    this.#maxQueuedBytes = maxQueuedBytes ?? MAX_QUEUED_BYTES;
    this.#stuckMs = stuckMs ?? STUCK_MS;
    this.#channel = open();
  }

  get ready(): Channel['ready'] {
    return this.#channel.ready;
  }

  get queue(): WriteQueue {
    return {
      waitingCount: this.#waitingCount,
      waitingBytes: this.#queuedBytes,
      writtenCount: this.#writtenCount,
      groupCount: this.#earlierGroups + this.#channel.groupCount,
    };
  }

  async send(request: Change): Promise<unknown> {
    if (this.#isClosed) throw new TracingError('unavailable', 'Cannot use the storage: it is closed');
    const bytes = requestBytes(request);
    // One request alone is always taken, however large: the limits of the protocol bound it.
    if (this.#queuedBytes > 0 && this.#queuedBytes + bytes > this.#maxQueuedBytes) {
      throw new TracingError('rate_limited', 'Cannot take the write: too much is waiting to be written');
    }
    this.#queuedBytes += bytes;
    try {
      return await this.#answerOf(request);
    } catch (error) {
      this.#trouble.note(error, request);
      throw error;
    } finally {
      this.#queuedBytes -= bytes;
      this.#writtenCount += 1;
    }
  }

  /** Rejects with `unavailable`, within a moment, while what was refused would be refused again. */
  async checkHealth(): Promise<void> {
    if (this.#waitingCount > 0 && performance.now() - this.#movedAt > this.#stuckMs) {
      throw new TracingError('unavailable', 'Cannot write to the database: a write that was begun does not end');
    }
    if (this.#channel.isBroken && !this.#isClosed) {
      const error = new TracingError('unavailable', 'Cannot write to the database: its thread has ended');
      this.#trouble.note(error, undefined);
    }
    await this.#trouble.check();
  }

  async #answerOf(request: WriteRequest): Promise<unknown> {
    if (this.#channel.isBroken && !this.#isClosed) this.#reopen();
    if (this.#waitingCount === 0) this.#movedAt = performance.now();
    this.#waitingCount += 1;
    try {
      return await this.#channel.send(request);
    } finally {
      this.#waitingCount -= 1;
      this.#movedAt = performance.now();
    }
  }

  #reopen(): void {
    this.#earlierGroups += this.#channel.groupCount;
    this.#channel = this.#open();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#channel.close();
  }
}
