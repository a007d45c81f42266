import { TracingError } from '../../../protocol/error.ts';
import type { Channel, SendOptions } from './channel.ts';
import type { ConnectionOptions } from '../connection.ts';
import { type Endpoint, openEndpoint } from './endpoints.ts';
import { type Answer, errorOf } from './messages.ts';
import { type AnswerTo, answerTo, isWrite, type Request } from './requests.ts';
import type { Recovery } from '../upkeep/recovery.ts';

/** An endpoint in the thread of the caller: a database in memory is small and short-lived, and open at once. */
export class LocalChannel implements Channel {
  readonly ready: Promise<Recovery>;
  readonly pendingCount = 0;
  readonly #endpoint: Endpoint;
  #isClosed = false;
  #nextId = 1;
  #groupCount = 0;
  #answer: Answer | undefined;

  constructor(options: ConnectionOptions) {
    const { endpoint, recovery } = openEndpoint('both', options, (answer) => {
      this.#answer = answer;
    });
    this.#endpoint = endpoint;
    this.ready = Promise.resolve(recovery);
  }

  get groupCount(): number {
    return this.#groupCount;
  }

  get isBroken(): boolean {
    return this.#isClosed;
  }

  async send<Asked extends Request>(request: Asked, { deadlineMs }: SendOptions = {}): Promise<AnswerTo<Asked>> {
    if (this.#isClosed) throw new TracingError('unavailable', 'Cannot use the storage: it is closed');
    const id = this.#nextId++;
    const startedAt = performance.now();
    this.#endpoint.receive({ id, request });
    // Each write is a group of its own here.
    if (isWrite(request)) this.#groupCount += 1;
    const answer = this.#answer;
    if (answer !== undefined && 'error' in answer) throw errorOf(answer.error);
    if (deadlineMs !== undefined && performance.now() - startedAt > deadlineMs) this.#refuseLate(id, deadlineMs);
    return answerTo(request, answer?.result);
  }

  /** Nothing can interrupt this thread: what took too long is known afterwards. A stream has the number of its request. */
  #refuseLate(id: number, deadlineMs: number): never {
    this.#endpoint.receive({ id: this.#nextId++, request: { op: 'cancel', stream: id } });
    throw new TracingError('query_timeout', `Cannot finish the read: it took longer than ${deadlineMs} ms`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#endpoint.close();
  }
}
