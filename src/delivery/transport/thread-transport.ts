import { areTicksHeld } from '../../host/ticks.ts';
import { clearTimeout, setTimeout } from '../../host/timers.ts';
import type { AgentOptions } from './network.ts';
import { packBody, packBodyNow } from './pack-body.ts';
import { type PostingThread, startPosting, type Word } from './posting.ts';
import { RequestForm, type RequestFormOptions } from './request-form.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';

export interface ThreadTransportOptions extends RequestFormOptions {
  /** Limit of one attempt, connecting included. */
  readonly timeoutMs: number;
  /** Requests go by undici then. @default by Node's own client */
  readonly agentOptions?: AgentOptions | undefined;
}

/**
 * Posts through a worker thread, whose ticks nobody holds: while a test holds those of this thread, no request of Node goes
 * on in it. It never keeps the process alive.
 */
export class ThreadTransport implements Transport {
  readonly #timeoutMs: number;
  readonly #form: RequestForm;
  readonly #waiting = new Map<number, (word: Word) => void>();
  readonly #agentOptions: AgentOptions | undefined;
  #thread: PostingThread | undefined;
  #lastId = 0;

  constructor({ timeoutMs, agentOptions, ...service }: ThreadTransportOptions) {
    this.#timeoutMs = timeoutMs;
    this.#agentOptions = agentOptions;
    this.#form = new RequestForm(service);
  }

  async post(request: TransportRequest): Promise<TransportAnswer> {
    const isPacked = this.#form.isWorthPacking(request.body);
    const body = isPacked ? await packOutsideOfTicks(request.body) : request.body;
    const id = ++this.#lastId;
    const { port } = (this.#thread ??= this.#start());
    const answered = this.#answerTo(id);
    port.postMessage({ ...this.#form.of(request, { isPacked }), id, body, timeoutMs: this.#timeoutMs });
    const word = await answered;
    if ('error' in word) throw new Error(word.error);
    return word;
  }

  close(): void {
    this.#fail('The connection was closed');
  }

  /** Whoever waits gets this; the next request starts another thread. */
  #fail(error: string): void {
    this.#thread?.port.close();
    void this.#thread?.worker.terminate();
    this.#thread = undefined;
    for (const [id, answer] of this.#waiting) answer({ id, error });
  }

  #answerTo(id: number): Promise<Word> {
    return new Promise((resolve) => {
      const answer = (word: Word) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(word);
      };
      const error = `No whole answer within ${this.#timeoutMs} ms`;
      const timer = setTimeout(() => answer({ id, error }), this.#timeoutMs).unref();
      this.#waiting.set(id, answer);
    });
  }

  #start(): PostingThread {
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const thread = startPosting({ origin: this.#form.origin, answered, agentOptions: this.#agentOptions });
    thread.worker.on('error', ({ message }) => this.#fail(message)).unref();
    // The worker sends nothing else.
    thread.port.on('message', (word: Word) => this.#waiting.get(word.id)?.(word)).unref();
    return thread;
  }
}

/** Packing in the background waits for ticks. */
async function packOutsideOfTicks(body: Uint8Array): Promise<Uint8Array> {
  return (await areTicksHeld()) ? packBodyNow(body) : await packBody(body);
}
