import type { MessagePort, Worker } from 'node:worker_threads';
import { builtin } from '../../host/builtin.ts';
import { performance } from '../../host/clock.ts';
import { MAX_ANSWER_BYTES, RequestForm, type RequestFormOptions } from './request-form.ts';
import type { BlockingTransport, TransportAnswer, TransportRequest } from './transport.ts';

export interface WorkerTransportOptions extends RequestFormOptions {
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
}

/** What the worker answers with, and which request. */
export type Word = { readonly id: number } & (TransportAnswer | { readonly error: string });

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
  constructor({ deadline, ...service }: WorkerTransportOptions) {
    const threads = builtin('node:worker_threads');
    this.#form = new RequestForm(service);
    this.#deadline = deadline;
    const { port1, port2 } = new threads.MessageChannel();
    this.#port = port1;
    this.#receive = threads.receiveMessageOnPort;
    this.#worker = new threads.Worker(POSTING, {
      eval: true,
      workerData: { origin: this.#form.origin, port: port2, answered: this.#answered },
      transferList: [port2],
      // Neither preloaded modules nor options of the application have anything to do in it.
      execArgv: [],
      env: threads.SHARE_ENV,
      stdin: false,
    });
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
    const body = isPacked ? gzipNow(request.body) : request.body;
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

/**
 * The worker, as text: in an application that a bundler made into one file there is no file of ours to start it from. It
 * posts what it is told and hands back what comes; everything else is decided by the thread that waits.
 */
export const POSTING = `
const { origin, port, answered } = require('node:worker_threads').workerData;
const { Agent, request } = require(origin.startsWith('https:') ? 'node:https' : 'node:http');
const timers = require('node:timers');
const agent = new Agent({ keepAlive: true });
port.on('message', ({ id, path, headers, body, timeoutMs }) => {
  const answer = (word) => {
    port.postMessage({ id, ...word });
    Atomics.add(answered, 0, 1);
    Atomics.notify(answered, 0);
  };
  const fail = ({ message, code }) => answer({ error: message || code });
  const read = (incoming, outgoing) => {
    const chunks = [];
    let size = 0;
    incoming.on('data', (chunk) => {
      chunks.push(chunk);
      if ((size += chunk.length) > ${MAX_ANSWER_BYTES}) outgoing.destroy(new Error('The answer is too long'));
    });
    incoming.on('error', fail);
    incoming.on('end', () => {
      const { statusCode: status, headers } = incoming;
      answer({ status, headers: { ...headers }, body: Buffer.concat(chunks).toString() });
    });
  };
  try {
    const options = { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } };
    const outgoing = request(origin + path, options);
    outgoing.on('response', (incoming) => read(incoming, outgoing));
    outgoing.on('error', fail);
    if (timeoutMs) {
      const giveUp = () => outgoing.destroy(new Error('No whole answer in time'));
      const timer = timers.setTimeout(giveUp, timeoutMs).unref();
      outgoing.on('close', () => timers.clearTimeout(timer));
    }
    outgoing.end(body);
  } catch (error) {
    fail(error);
  }
});
`;

function gzipNow(body: Uint8Array): Uint8Array {
  return builtin('node:zlib').gzipSync(body, { level: 1 });
}
