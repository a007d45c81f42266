import { ERROR_CODES, type ErrorCode, parseRetryAfter, TracingError } from '../protocol/error.ts';

/**
 * The error that an answer outside 2xx stands for. `extra` has the keys its body adds (`request_id`, `detail`,
 * `deleted_at`, …), and `retryAfterMs` when the service asked for a pause.
 */
export async function errorOfAnswer(response: Response, path: string, now: number): Promise<TracingError> {
  const body = await readBody(response);
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), now);
  const pause = retryAfterMs === undefined ? {} : { retryAfterMs };
  const { reason, error_code: code, ...rest } = body;
  if (isErrorCode(code) && typeof reason === 'string') {
    return new TracingError(code, reason, { extra: { ...rest, ...pause } });
  }
  // Something between us and the service answered: a proxy, or a server that is no trace service.
  const where = response.url || path;
  const message = `Cannot use the answer of ${where}: status ${response.status} without an error of a trace service; check the address`;
  return new TracingError(codeOfStatus(response.status), message, { extra: { ...pause, httpStatus: response.status } });
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

async function readBody(response: Response): Promise<Record<string, unknown>> {
  try {
    const value: unknown = await response.json();
    // A JSON object has string keys.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // No JSON, or cut: the status alone has to say what happened.
    return {};
  }
}

function codeOfStatus(status: number): ErrorCode {
  switch (status) {
    case 401:
      return 'unauthenticated';
    case 403:
      return 'forbidden';
    case 404:
      return 'unknown_path';
    case 405:
      return 'method_not_allowed';
    case 413:
      return 'payload_too_large';
    case 415:
      return 'unsupported_media_type';
    case 408:
    case 502:
    case 503:
    case 504:
      return 'unavailable';
    case 429:
      return 'rate_limited';
    default:
      return status >= 500 ? 'internal_error' : 'invalid_request';
  }
}
