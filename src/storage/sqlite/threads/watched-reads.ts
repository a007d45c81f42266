import { TracingError } from '../../../protocol/error.ts';
import type { SendOptions } from './channel.ts';
import { type AnswerTo, isStream, type ReadRequest, type Request } from './requests.ts';
import type { OpenedOn, Reads, StreamChannel } from './reads.ts';
import { atMost, Trouble } from '../write/trouble.ts';

/** A read that is tried again may take so long, in milliseconds. What goes well until then is well. */
const RETRY_MS = 10_000;

/** Whoever asks how reading goes waits so long at most, in milliseconds. */
const WAIT_MS = 1000;

/** Reads are given up after a minute, so that whatever waits is answered by then. */
const STUCK_MS = 90_000;

/** Sends reads on, and remembers one that failed because the database could not be read. */
export class WatchedReads implements Reads {
  readonly #reads: Reads;
  readonly #trouble: Trouble<ReadRequest>;
  #ping: { readonly since: number; readonly answer: Promise<void> } | undefined;

  constructor(reads: Reads) {
    this.#reads = reads;
    this.#trouble = new Trouble((request) => readAgain(reads, request));
  }

  send<Asked extends ReadRequest>(request: Asked, options: SendOptions): Promise<AnswerTo<Asked>> {
    return this.#watch(request, this.#reads.send(request, options));
  }

  async open<Asked extends ReadRequest>(request: Asked, options: SendOptions): Promise<OpenedOn<StreamChannel, Asked>> {
    const { result, channel } = await this.#watch(request, this.#reads.open(request, options));
    const send = <Next extends Request>(next: Next, how?: SendOptions) => this.#watch(request, channel.send(next, how));
    return { result, channel: { send } };
  }

  /** Rejects with `unavailable`, within a moment, while reading does not work. */
  async checkHealth(): Promise<void> {
    await this.#trouble.check();
    const { since, answer } = (this.#ping ??= this.#startPing());
    await atMost(WAIT_MS, answer);
    // Threads that are busy with long reads come to it later.
    if (performance.now() - since < STUCK_MS) return;
    throw new TracingError('unavailable', 'Cannot read from the database: nothing that is asked is answered');
  }

  close(): Promise<void> {
    return this.#reads.close();
  }

  #startPing(): { since: number; answer: Promise<void> } {
    const answer = this.#askOnce();
    // Whoever asks next learns it.
    answer.catch(() => undefined);
    return { since: performance.now(), answer };
  }

  async #askOnce(): Promise<void> {
    try {
      await this.send({ op: 'ping' }, {});
    } finally {
      this.#ping = undefined;
    }
  }

  async #watch<Result>(request: ReadRequest, answer: Promise<Result>): Promise<Result> {
    try {
      return await answer;
    } catch (error) {
      this.#trouble.note(error, request);
      throw error;
    }
  }
}

/** A stream may have failed at any of its chunks, so all of them are read. */
async function readAgain(reads: Reads, request: ReadRequest): Promise<void> {
  const deadlineMs = RETRY_MS;
  if (!isStream(request)) return void (await reads.send(request, { deadlineMs }));
  const startedAt = performance.now();
  const { result, channel } = await reads.open(request, { deadlineMs });
  let { stream } = result;
  while (stream !== undefined && performance.now() - startedAt < RETRY_MS) {
    ({ stream } = await channel.send({ op: 'next', stream }));
  }
  if (stream !== undefined) await channel.send({ op: 'cancel', stream });
}
