import type { MessagePort, Worker } from 'node:worker_threads';
import { builtin } from '../../host/builtin.ts';
import { clearTimeout, setTimeout } from '../../host/timers.ts';
import { RequestForm, type RequestFormOptions } from './request-form.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';
import { POSTING, type Word } from './worker-transport.ts';

export interface ThreadTransportOptions extends RequestFormOptions {
  /** Limit of one attempt, connecting included. */
  readonly timeoutMs: number;
}

/**
 * Posts through a worker thread, whose ticks nobody holds: while a test holds those of this thread, no request of Node goes
 * on in it. It never keeps the process alive.
 */
export class ThreadTransport implements Transport {
  readonly #timeoutMs: number;
  readonly #form: RequestForm;
  readonly #waiting = new Map<number, (word: Word) => void>();
  #thread: { readonly worker: Worker; readonly port: MessagePort } | undefined;
  #lastId = 0;

  constructor({ timeoutMs, ...service }: ThreadTransportOptions) {
    this.#timeoutMs = timeoutMs;
    this.#form = new RequestForm(service);
  }

  async post(request: TransportRequest): Promise<TransportAnswer> {
    const isPacked = this.#form.isWorthPacking(request.body);
    // What packs in the background waits for ticks.
    const body = isPacked ? builtin('node:zlib').gzipSync(request.body, { level: 1 }) : request.body;
    const id = ++this.#lastId;
    const { port } = (this.#thread ??= this.#start());
    const answered = this.#answerTo(id);
    port.postMessage({ ...this.#form.of(request, { isPacked }), id, body, timeoutMs: this.#timeoutMs });
    const word = await answered;
    if ('error' in word) throw new Error(word.error);
    return word;
  }

  close(): void {
    this.#thread?.port.close();
    void this.#thread?.worker.terminate();
    this.#thread = undefined;
    for (const [id, answer] of this.#waiting) answer({ id, error: 'The connection was closed' });
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

  #start() {
    const threads = builtin('node:worker_threads');
    const { port1: port, port2 } = new threads.MessageChannel();
    const answered = new Int32Array(new SharedArrayBuffer(4));
    const worker = new threads.Worker(POSTING, {
      eval: true,
      workerData: { origin: this.#form.origin, port: port2, answered },
      transferList: [port2],
      execArgv: [],
      env: threads.SHARE_ENV,
      stdin: false,
    });
    worker.on('error', () => this.close()).unref();
    // The worker sends nothing else.
    port.on('message', (word: Word) => this.#waiting.get(word.id)?.(word)).unref();
    return { worker, port };
  }
}
