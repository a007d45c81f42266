import type { MessagePort, Worker } from 'node:worker_threads';
import { builtin } from '../../host/builtin.ts';
import { performance } from '../../host/clock.ts';
import type { AgentOptions } from './network.ts';
import { packBodyNow } from './pack-body.ts';
import { startPosting, type Word } from './posting.ts';
import { RequestForm, type RequestFormOptions } from './request-form.ts';
import type { BlockingTransport, TransportAnswer, TransportRequest } from './transport.ts';

export interface WorkerTransportOptions extends RequestFormOptions {
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  /** Requests go by undici then. @default by Node's own client */
  readonly agentOptions?: AgentOptions | undefined;
}

/**
 * Posts through a worker thread while this thread waits, because no callback runs any more in an `exit` handler. A child
 * process would do too, but in packaged applications `process.execPath` is the application.
 */
export class WorkerTransport implements BlockingTransport {
  readonly #form: RequestForm;
  readonly #deadline: number;
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #words = new Map<number, Word>();
  #lastId = 0;
  /** Counts answers; this thread sleeps on it. */
  readonly #answered = new Int32Array(new SharedArrayBuffer(4));
  readonly #receive: (port: MessagePort) => { message: unknown } | undefined;

  /** Starts the thread. Throws where none can be had. */
  constructor({ deadline, agentOptions, ...service }: WorkerTransportOptions) {
    this.#form = new RequestForm(service);
    this.#deadline = deadline;
    this.#receive = builtin('node:worker_threads').receiveMessageOnPort;
    const { worker, port } = startPosting({ origin: this.#form.origin, answered: this.#answered, agentOptions });
    this.#port = port;
    this.#worker = worker;
    // Nobody is there to hear of an error: it is an answer that does not come.
    this.#worker.on('error', () => undefined).unref();
  }

  post(requests: readonly TransportRequest[]): (TransportAnswer | Error)[] {
    const ids = requests.map((request) => this.#send(request));
    return ids.map((id) => {
      const word = this.#waitFor(id);
      if (word === undefined) return new Error('No whole answer before the process ended');
      return 'error' in word ? new Error(word.error) : word;
    });
  }

  #send(request: TransportRequest): number {
    const isPacked = this.#form.isWorthPacking(request.body);
    const body = isPacked ? packBodyNow(request.body) : request.body;
    const id = ++this.#lastId;
    this.#port.postMessage({ ...this.#form.of(request, { isPacked }), id, body }, []);
    return id;
  }

  /** Words come in any order. */
  #waitFor(id: number): Word | undefined {
    for (;;) {
      const seen = Atomics.load(this.#answered, 0);
      for (let word = this.#receive(this.#port); word; word = this.#receive(this.#port)) {
        const told = word.message as Word; // The worker below sends nothing else.
        this.#words.set(told.id, told);
      }
      const word = this.#words.get(id);
      if (word !== undefined && this.#words.delete(id)) return word;
      const restMs = this.#deadline - performance.now();
      if (restMs <= 0) return undefined;
      Atomics.wait(this.#answered, 0, seen, restMs);
    }
  }

  close(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}
