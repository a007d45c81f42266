import { clearTimeout, setTimeout } from '../../host/timers.ts';
import { answerHeaders } from './answer-headers.ts';
import { MAX_ANSWER_BYTES, RequestForm, type RequestFormOptions } from './request-form.ts';
import type { Dispatcher } from './network.ts';
import { packBody } from './pack-body.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';

export interface DispatcherTransportOptions extends RequestFormOptions {
  readonly dispatcher: Dispatcher;
  /** Limit of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  /** Makes a request that no tracing of the program sees. @default makes it */
  readonly untraced?: <T>(make: () => T) => T;
}

/**
 * Posts with a dispatcher of the program, which says what connections are like: whether one keeps the process alive, too.
 */
export class DispatcherTransport implements Transport {
  readonly #form: RequestForm;
  readonly #dispatcher: Dispatcher;
  readonly #timeoutMs: number;
  readonly #untraced: <T>(make: () => T) => T;
  readonly #underway = new Set<(message: string) => void>();

  constructor({ dispatcher, timeoutMs, untraced = (make) => make(), ...service }: DispatcherTransportOptions) {
    this.#form = new RequestForm(service);
    this.#dispatcher = dispatcher;
    this.#timeoutMs = timeoutMs;
    this.#untraced = untraced;
  }

  async post(request: TransportRequest): Promise<TransportAnswer> {
    const isPacked = this.#form.isWorthPacking(request.body);
    const body = isPacked ? await packBody(request.body) : request.body;
    const { path, headers } = this.#form.of(request, { isPacked });
    const abort = new AbortController();
    const giveUp = (message: string) => abort.abort(new Error(message));
    const timer = setTimeout(() => giveUp(`No whole answer within ${this.#timeoutMs} ms`), this.#timeoutMs).unref();
    this.#underway.add(giveUp);
    try {
      const answer = await this.#untraced(() =>
        this.#dispatcher.request({
          origin: this.#form.origin,
          path,
          method: 'POST',
          headers: { ...headers },
          body,
          signal: abort.signal,
          headersTimeout: this.#timeoutMs,
          bodyTimeout: this.#timeoutMs,
        }),
      );
      return { status: answer.statusCode, headers: answerHeaders(answer.headers), body: await textOf(answer.body) };
    } finally {
      clearTimeout(timer);
      this.#underway.delete(giveUp);
    }
  }

  /** The dispatcher is the program's, and stays open. */
  close(): void {
    for (const giveUp of this.#underway) giveUp('The connection was closed');
  }
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new Error('The answer is too long to be one of a trace service');
  }
  return Buffer.concat(chunks).toString();
}
