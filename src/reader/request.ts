import { TracingError } from '../protocol/error.ts';
import { PAGE_HEADER } from '../protocol/page/page-header.ts';
import { errorOfAnswer } from './error-of-answer.ts';
import { newId, newReadId } from './new-id.ts';
import { type Clock, pauseBeforeRetry, SYSTEM_CLOCK } from './retry.ts';

export interface RequestOptions {
  /** Ends the request, the pause before a retry, or the stream; what was awaited rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface OutgoingRequest extends RequestOptions {
  readonly method: 'GET' | 'POST';
  /** It changes nothing, so that no service has to know it again where it is sent twice. */
  readonly isRead?: true;
  readonly path: string;
  readonly body?: unknown;
  /** Sent instead of a body of JSON. */
  readonly form?: FormData;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reads and writes JSON text. */
export interface JsonCodec {
  readonly parse: (text: string) => unknown;
  readonly stringify: (value: unknown) => string;
}

export interface Requester {
  readonly json: JsonCodec;
  /** Resolves with a 2xx answer whose body is not read yet; everything else is thrown. */
  send(request: OutgoingRequest): Promise<Response>;
  /** Resolves with what `read` makes of the answer; an answer that breaks off is asked for again. */
  sendFor<T>(request: OutgoingRequest, read: (answer: Response) => Promise<T>): Promise<T>;
  /** Resolves with the decoded JSON body of the answer. */
  sendForJson(request: OutgoingRequest): Promise<unknown>;
}

export interface RequesterOptions {
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly fetch?: typeof fetch;
  readonly json?: JsonCodec;
  readonly retries?: number;
  readonly retryDelayMs?: number;
  /** @default SYSTEM_CLOCK */
  readonly clock?: Clock;
}

const DEFAULT_RETRIES = 3;
const DEFAULT_RETRY_DELAY_MS = 250;

export function createRequester(options: RequesterOptions): Requester {
  const {
    retries = DEFAULT_RETRIES,
    retryDelayMs = DEFAULT_RETRY_DELAY_MS,
    json = JSON,
    clock = SYSTEM_CLOCK,
  } = options;

  async function attempt(request: OutgoingRequest, retryId: string): Promise<Response> {
    const response = await transmit({ ...options, json }, request, retryId);
    if (response.ok) return response;
    throw await errorOfAnswer(response, request.path, clock.now());
  }

  async function sendFor<T>(request: OutgoingRequest, read: (answer: Response) => Promise<T>): Promise<T> {
    // By it the service knows a request that it has carried out already.
    const retryId = request.isRead ? newReadId() : newId();
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await read(await attempt(request, retryId));
      } catch (error) {
        if (attempts > retries || !isWorthRepeating(error)) throw error;
        await pauseBeforeRetry({ attempts, retryDelayMs, error, signal: request.signal, clock });
      }
    }
  }

  return {
    json,
    sendFor,
    send: (request) => sendFor(request, async (answer) => answer),
    sendForJson: (request) => sendFor(request, (answer) => readJson(answer, request, json)),
  };
}

function isWorthRepeating(error: unknown): error is TracingError {
  return error instanceof TracingError && error.isRetryable;
}

async function transmit(
  options: RequesterOptions & Pick<Requester, 'json'>,
  request: OutgoingRequest,
  retryId: string,
): Promise<Response> {
  // A bare call: browsers refuse `fetch` as a method of another object.
  const { fetch: send = globalThis.fetch } = options;
  const address = addressOf(options, request.path);
  try {
    return await send(address, {
      method: request.method,
      headers: {
        ...(options.apiKey === undefined ? OF_PAGE : { authorization: `Bearer ${options.apiKey}` }),
        accept: request.accept ?? 'application/json',
        'svc-retry-id': retryId,
        ...request.headers,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(request.body !== undefined && { body: options.json.stringify(request.body) }),
      ...(request.form && { body: request.form }),
      ...(request.signal && { signal: request.signal }),
    });
  } catch (error) {
    request.signal?.throwIfAborted();
    throw networkError(`Cannot reach ${address}`, error);
  }
}

/** Who has no key has the session of a page, which counts below `/x` only. */
function addressOf({ url, apiKey }: RequesterOptions, path: string): string {
  const place = apiKey === undefined && !path.startsWith('/x/') ? '/x/api' : '';
  return `${url.replace(/\/+$/, '')}${place}${path}`;
}

const OF_PAGE = { [PAGE_HEADER]: '1' };

async function readJson(response: Response, request: OutgoingRequest, json: JsonCodec): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    request.signal?.throwIfAborted();
    throw networkError(`Cannot read the answer of ${request.path}`, error);
  });
  try {
    return json.parse(text);
  } catch (error) {
    throw new TracingError('invalid_json', `Cannot read the answer of ${request.path}: it is not JSON`, {
      cause: error,
    });
  }
}

function networkError(action: string, cause: unknown): TracingError {
  return new TracingError('network_error', `${action}: ${reasonOf(cause)}`, { cause });
}

/** `fetch` says only "fetch failed"; what happened is in its cause, and the cause of several addresses has no text. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  return cause.message || code || error.message;
}
