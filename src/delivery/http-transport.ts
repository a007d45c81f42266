import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Dispatcher, Pool } from 'undici';
import { untraced } from '../protocol/open-telemetry.ts';
import { REQUESTS_AT_ONCE } from './lanes.ts';
import { MAX_ANSWER_BYTES, RequestForm, type RequestFormOptions } from './request-form.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';

export interface HttpTransportOptions extends RequestFormOptions {
  /** Limit of one attempt, connecting included. */
  readonly timeoutMs: number;
}

/**
 * Posts over kept connections that never keep the process alive. The HTTP client is loaded at the first request,
 * and only the part that is needed: all of undici stops the event loop for 50 ms and more.
 */
export class HttpTransport implements Transport {
  readonly #timeoutMs: number;
  readonly #form: RequestForm;
  #pool: Promise<Pool> | undefined;

  constructor({ timeoutMs, ...service }: HttpTransportOptions) {
    this.#timeoutMs = timeoutMs;
    this.#form = new RequestForm(service);
  }

  async post(request: TransportRequest): Promise<TransportAnswer> {
    const isPacked = this.#form.isWorthPacking(request.body);
    const [pool, body] = await Promise.all([this.#open(), isPacked ? gzip(request.body) : request.body]);
    const { path, headers } = this.#form.of(request, { isPacked });
    return exchange(pool, { method: 'POST', path, headers, body }, this.#timeoutMs);
  }

  close(): void {
    // Destroying fails only where the pool failed to load, which its users have seen.
    this.#pool?.then((pool) => pool.destroy()).catch(() => undefined);
  }

  /** A failure is not the last word: the process may be out of file handles. */
  async #open(): Promise<Pool> {
    this.#pool ??= openPool(this.#form.origin);
    try {
      return await this.#pool;
    } catch (error) {
      this.#pool = undefined;
      throw error;
    }
  }
}

/** One request and its whole answer, within `timeoutMs`. */
async function exchange(pool: Pool, request: Dispatcher.DispatchOptions, timeoutMs: number): Promise<TransportAnswer> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<TransportAnswer>((resolve, reject) => {
      const collector = new AnswerCollector(resolve, reject);
      timer = setTimeout(() => collector.abort(new Error(`No whole answer within ${timeoutMs} ms`)), timeoutMs).unref();
      // A span of each delivery would be delivered in its turn.
      untraced(() => pool.dispatch(request, collector));
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Undici calls these as the request goes on. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #resolve: (answer: TransportAnswer) => void;
  readonly #reject: (error: Error) => void;
  readonly #chunks: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #aborted: Error | undefined;
  #status = 0;
  #headers: TransportAnswer['headers'] = {};
  #size = 0;

  constructor(resolve: (answer: TransportAnswer) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
  }

  abort(reason: Error): void {
    this.#aborted = reason;
    this.#reject(reason);
    this.#controller?.abort(reason);
  }

  /** Late when all connections were busy: then nobody waits any more. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) controller.abort(this.#aborted);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = flatten(headers);
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > MAX_ANSWER_BYTES)
      return this.abort(new Error('The answer is too long to be one of a trace service'));
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#resolve({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks).toString() });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#reject(error);
  }
}

async function openPool(origin: string): Promise<Pool> {
  const [{ default: Pool }, { default: buildConnector }] = await Promise.all([
    import('undici/lib/dispatcher/pool.js'),
    import('undici/lib/core/connect.js'),
  ]);
  const connect = buildConnector({});
  return new Pool(origin, {
    connections: REQUESTS_AT_ONCE,
    connect: (options, callback) => {
      // The connector returns its socket before it is connected; its type does not say so.
      const socket: unknown = connect(options, callback);
      neverHoldsProcess(socket as Socket);
    },
  });
}

/** Undici references a socket while a request is under way, which would keep a finished program alive. */
function neverHoldsProcess(socket: Socket): void {
  socket.unref();
  socket.ref = () => socket;
}

async function gzip(body: Uint8Array): Promise<Uint8Array> {
  const { gzip: compress } = process.getBuiltinModule('node:zlib');
  return new Promise((resolve, reject) => {
    compress(body, { level: 1 }, (error, result) => (error ? reject(error) : resolve(result)));
  });
}

function flatten(headers: IncomingHttpHeaders): TransportAnswer['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}
