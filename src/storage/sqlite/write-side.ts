import { TracingError } from '../../protocol/error.ts';
import type { WriteQueue } from '../storage.ts';
import type { Channel } from './channel.ts';
import type { WriteRequest } from './messages.ts';
import { requestBytes } from './write-desk.ts';

/** Bytes of requests that wait for their commit. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

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
  #isFailing = false;

  constructor(open: () => Channel, maxQueuedBytes = MAX_QUEUED_BYTES) {
    this.#open = open;
    this.#maxQueuedBytes = maxQueuedBytes;
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

  async send(request: WriteRequest): Promise<unknown> {
    if (this.#isClosed) throw new TracingError('unavailable', 'Cannot use the storage: it is closed');
    const bytes = requestBytes(request);
    // One request alone is always taken, however large: the limits of the protocol bound it.
    if (this.#queuedBytes > 0 && this.#queuedBytes + bytes > this.#maxQueuedBytes) {
      throw new TracingError('rate_limited', 'Cannot take the write: too much is waiting to be written');
    }
    if (this.#channel.isBroken) this.#reopen();
    this.#queuedBytes += bytes;
    this.#waitingCount += 1;
    try {
      const answer = await this.#channel.send(request);
      this.#isFailing = false;
      return answer;
    } catch (error) {
      this.#isFailing = error instanceof TracingError && error.code === 'unavailable';
      throw error;
    } finally {
      this.#queuedBytes -= bytes;
      this.#waitingCount -= 1;
      this.#writtenCount += 1;
    }
  }

  /** Rejects with `unavailable` when the last write was, and writing is still not possible. */
  async checkHealth(): Promise<void> {
    if (this.#isFailing) await this.send({ op: 'probe' });
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
