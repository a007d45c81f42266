// docs/decisions/0023-requests-by-node-http.md says why.
import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { builtin } from '../../host/builtin.ts';
import { areTicksHeld } from '../../host/ticks.ts';
import { clearTimeout, setTimeout } from '../../host/timers.ts';
import { REQUESTS_AT_ONCE } from '../queue/lanes.ts';
import { answerHeaders } from './answer-headers.ts';
import { nativeRequest } from './native-request.ts';
import { packBody } from './pack-body.ts';
import { MAX_ANSWER_BYTES, RequestForm, type RequestFormOptions } from './request-form.ts';
import { ThreadTransport } from './thread-transport.ts';
import type { Transport, TransportAnswer, TransportRequest } from './transport.ts';

export interface HttpTransportOptions extends RequestFormOptions {
  /** Limit of one attempt, connecting included. */
  readonly timeoutMs: number;
  /** Makes a request that no tracing of the program sees. @default makes it */
  readonly untraced?: <T>(make: () => T) => T;
}

/** Servers close connections that nobody uses, some after 5 seconds, and would reset what comes at that moment. */
const IDLE_MS = 4000;

/** Posts over kept connections that never keep the process alive. `node:http` is loaded at the first request. */
export class HttpTransport implements Transport {
  readonly #timeoutMs: number;
  readonly #form: RequestForm;
  readonly #untraced: <T>(make: () => T) => T;
  readonly #elsewhere: ThreadTransport;
  #agent: Agent | undefined;

  constructor({ timeoutMs, untraced = (make) => make(), ...service }: HttpTransportOptions) {
    this.#timeoutMs = timeoutMs;
    this.#untraced = untraced;
    this.#form = new RequestForm(service);
    this.#elsewhere = new ThreadTransport({ timeoutMs, ...service });
  }

  async post(request: TransportRequest): Promise<TransportAnswer> {
    if (await areTicksHeld()) return this.#elsewhere.post(request);
    const isPacked = this.#form.isWorthPacking(request.body);
    const body = isPacked ? await packBody(request.body) : request.body;
    const { path, headers } = this.#form.of(request, { isPacked });
    const agent = (this.#agent ??= openAgent(this.#form.protocol));
    const options = { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } };
    return this.#untraced(() => this.#exchange(path, options, body));
  }

  close(): void {
    this.#agent?.destroy();
    this.#elsewhere.close();
  }

  /** One request and its whole answer, in time. */
  #exchange(path: string, options: RequestOptions, body: Uint8Array): Promise<TransportAnswer> {
    return new Promise((resolve, reject) => {
      const outgoing = nativeRequest(this.#form.protocol)(this.#form.origin + path, options);
      const giveUp = (message: string) => {
        const error = new Error(message);
        reject(error);
        outgoing.destroy(error);
      };
      const timer = setTimeout(() => giveUp(`No whole answer within ${this.#timeoutMs} ms`), this.#timeoutMs).unref();
      outgoing.on('socket', neverHoldsProcess);
      outgoing.on('response', (incoming) => {
        collect(incoming, { resolve, reject, giveUp });
        // Who answers before all was read may never read the rest, and the connection would be waited for.
        incoming.on('end', () => outgoing.writableFinished || outgoing.destroy());
      });
      outgoing.on('error', reject);
      outgoing.on('close', () => {
        clearTimeout(timer);
        reject(new Error('The connection was closed before the answer was whole'));
      });
      outgoing.end(body);
    });
  }
}

interface Outcome {
  readonly resolve: (answer: TransportAnswer) => void;
  readonly reject: (error: Error) => void;
  /** Ends the connection, too. */
  readonly giveUp: (message: string) => void;
}

function collect(incoming: IncomingMessage, { resolve, reject, giveUp }: Outcome): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  incoming.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) giveUp('The answer is too long to be one of a trace service');
    else chunks.push(chunk);
  });
  incoming.on('error', reject);
  incoming.on('end', () => {
    const { statusCode: status = 0, headers } = incoming;
    resolve({ status, headers: answerHeaders(headers), body: Buffer.concat(chunks).toString() });
  });
}

function openAgent(protocol: 'http' | 'https'): Agent {
  const { Agent: Agents } = builtin(`node:${protocol}`);
  return new Agents({ keepAlive: true, maxSockets: REQUESTS_AT_ONCE, timeout: IDLE_MS });
}

/** Node references a socket while a request is under way, which would keep a finished program alive. */
function neverHoldsProcess(socket: Socket): void {
  socket.unref();
  socket.ref = () => socket;
}
