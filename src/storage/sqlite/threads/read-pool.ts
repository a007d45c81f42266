import { TracingError } from '../../../protocol/error.ts';
import type { SendOptions } from './channel.ts';
import type { ConnectionOptions } from '../connection.ts';
import { type AnswerTo, answerTo, type ReadRequest } from './requests.ts';
import type { OpenedOn } from './reads.ts';
import { type Pending, ThreadChannel } from './thread-channel.ts';

const MAX_THREADS = 2;

/** Threads that read. The second starts when the first is busy; one that is stuck or has ended is replaced. */
export class ReadPool {
  readonly #options: ConnectionOptions;
  #channels: ThreadChannel[] = [];
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  send<Asked extends ReadRequest>(request: Asked, options: SendOptions): Promise<AnswerTo<Asked>> {
    return this.open(request, options).then(({ result }) => result);
  }

  /** The answer, and the channel on which a stream goes on. */
  open<Asked extends ReadRequest>(request: Asked, options: SendOptions): Promise<OpenedOn<ThreadChannel, Asked>> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return reject(new TracingError('unavailable', 'Cannot use the storage: it is closed'));
      const onAnswer = (result: unknown, channel: ThreadChannel) =>
        resolve({ result: answerTo(request, result), channel });
      this.#freest().transfer({ request, options, resolve: onAnswer, reject, isDropped: false });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // Those that were given up are waited for too: a process must not end while one is inside SQLite.
    await Promise.all(this.#channels.map((channel) => channel.close()));
  }

  #freest(): ThreadChannel {
    const usable = this.#channels.filter((channel) => !channel.isBroken);
    const [freest] = usable.toSorted((left, right) => left.pendingCount - right.pendingCount);
    if (freest !== undefined && (freest.pendingCount === 0 || usable.length === MAX_THREADS)) return freest;
    const channel = new ThreadChannel({ role: 'read', options: this.#options }, (waiting) => this.#moveAll(waiting));
    this.#channels = [...this.#channels.filter(({ hasEnded }) => !hasEnded), channel];
    return channel;
  }

  /** Streams have their place in the thread that was given up; everything else can begin again. */
  #moveAll(waiting: readonly Pending[]): void {
    for (const pending of waiting) {
      const { op } = pending.request;
      if (op !== 'next' && op !== 'cancel') this.#freest().transfer(pending);
      else pending.reject(new TracingError('unavailable', 'Cannot go on with the read: its thread was given up'));
    }
  }
}
