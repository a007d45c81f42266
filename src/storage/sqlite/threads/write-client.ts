import { TracingError } from '../../../protocol/error.ts';
import type { WriteQueue } from '../../contract/storage.ts';
import type { Channel } from './channel.ts';
import type { AnswerTo, Change, WriteRequest } from './requests.ts';
import { joinRefusals, NOTHING_REFUSED, type Refusal, refusalOf, sendableRefusal } from '../write/refusal.ts';
import { isUnavailable, Trouble } from '../write/trouble.ts';
import { requestBytes } from './write-endpoint.ts';

/** Bytes of requests that wait for their commit. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;

/** After so many writes that went well, what was refused before asks for no more room than they do. */
const ENOUGH_GOOD = 100;

/** As long as clients wait for an answer, in milliseconds. */
const STUCK_MS = 10_000;

interface WriteSideOptions {
  /** @default 64 MiB */
  readonly maxQueuedBytes?: number | undefined;
  /** A writer that answers nothing for so long is not well, in milliseconds. @default 10000 */
  readonly stuckMs?: number;
}

/** The way to the writer: bounded, and opened again when its thread has ended. */
export class WriteClient {
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
  readonly #trouble = new Trouble<Refusal>(
    (refused) => this.#answerOf({ op: 'probe', refused: sendableRefusal(refused) }),
    joinRefusals,
  );
  /** Writes that went well since one was refused. */
  #goodCount = 0;
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

  async send<Asked extends Change>(request: Asked): Promise<AnswerTo<Asked>> {
    if (this.#isClosed) throw new TracingError('unavailable', 'Cannot use the storage: it is closed');
    const bytes = requestBytes(request);
    // One request alone is always taken, however large: the limits of the protocol bound it.
    if (this.#queuedBytes > 0 && this.#queuedBytes + bytes > this.#maxQueuedBytes) {
      throw new TracingError('rate_limited', 'Cannot take the write: too much is waiting to be written');
    }
    this.#queuedBytes += bytes;
    try {
      const result = await this.#answerOf(request);
      this.#noteGood();
      return result;
    } catch (error) {
      this.#noteBad(error, request, bytes);
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
      this.#trouble.note(error, NOTHING_REFUSED);
    }
    await this.#trouble.check();
  }

  /** One that was too large for a disk that has room for all others is not what the service is measured by. */
  #noteGood(): void {
    this.#goodCount += 1;
    if (this.#goodCount === ENOUGH_GOOD) this.#trouble.ease((refused) => ({ ...refused, roomBytes: 0 }));
  }

  #noteBad(error: unknown, request: Change, bytes: number): void {
    if (!isUnavailable(error)) return;
    this.#goodCount = 0;
    this.#trouble.note(error, refusalOf(request, bytes));
  }

  async #answerOf<Asked extends WriteRequest>(request: Asked): Promise<AnswerTo<Asked>> {
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
