import { TracingError } from '../protocol/error.ts';
import { errorOfAnswer } from './error-of-answer.ts';
import { pauseBeforeRetry } from './retry.ts';

export interface RequestOptions {
  /** Ends the request, the pause before a retry, or the stream; what was awaited rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface OutgoingRequest extends RequestOptions {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sending it twice does no harm, so it is repeated when that can help. */
  readonly isRead: boolean;
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
  /** Resolves with the decoded JSON body of the answer. */
  sendForJson(request: OutgoingRequest): Promise<unknown>;
}

export interface RequesterOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly fetch?: typeof fetch;
  readonly json?: JsonCodec;
  readonly retries?: number;
  readonly retryDelayMs?: number;
}

const DEFAULT_RETRIES = 3;
const DEFAULT_RETRY_DELAY_MS = 250;

export function createRequester(options: RequesterOptions): Requester {
  const { retries = DEFAULT_RETRIES, retryDelayMs = DEFAULT_RETRY_DELAY_MS, json = JSON } = options;

  async function attempt(request: OutgoingRequest): Promise<Response> {
    const response = await transmit({ ...options, json }, request);
    if (response.ok) return response;
    throw await errorOfAnswer(response, request.path);
  }

  async function send(request: OutgoingRequest): Promise<Response> {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(request);
      } catch (error) {
        const isLast = !request.isRead || attempts > retries;
        if (isLast || !(error instanceof TracingError) || !error.isRetryable) throw error;
        await pauseBeforeRetry({ attempts, retryDelayMs, error, signal: request.signal });
      }
    }
  }

  return {
    json,
    send,
    async sendForJson(request) {
      return readJson(await send(request), request, json);
    },
  };
}

async function transmit(
  options: RequesterOptions & Pick<Requester, 'json'>,
  request: OutgoingRequest,
): Promise<Response> {
  // A bare call: browsers refuse `fetch` as a method of another object.
  const { fetch: send = globalThis.fetch } = options;
  const address = `${options.url.replace(/\/+$/, '')}${request.path}`;
  try {
    return await send(address, {
      method: request.method,
      headers: {
        authorization: `Bearer ${options.apiKey}`,
        accept: request.accept ?? 'application/json',
        ...request.headers,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(request.body !== undefined && { body: options.json.stringify(request.body) }),
      ...(request.signal && { signal: request.signal }),
    });
  } catch (error) {
    request.signal?.throwIfAborted();
    throw networkError(`Cannot reach ${address}`, error);
  }
}

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
