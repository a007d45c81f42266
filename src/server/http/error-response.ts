import { type ErrorBody, type ErrorCode, TracingError, type ValidationDetail } from '../../protocol/error.ts';

/** An answer that is not 2xx, complete but for the request id in its headers. */
export interface ErrorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

/** The only place where the body of an error is made. */
export function toErrorResponse(error: unknown, requestId: string): ErrorResponse {
  const known = toTracingError(error);
  const { allow, retryAfterSeconds = 1, ...extra } = known.extra;
  return {
    status: known.status,
    headers: headersOf(known.code, { allow, retryAfterSeconds }),
    body: { reason: known.message, error_code: known.code, request_id: requestId, ...detailOf(known), ...extra },
  };
}

/** Clients of the vendor read the details of every 422; what names no field of its own is about the body. */
function detailOf({ status, code, message }: TracingError): { detail?: readonly ValidationDetail[] } {
  return status === 422 ? { detail: [{ loc: ['body'], msg: message, type: code }] } : {};
}

/** Errors of the framework and the runtime in our words; whatever we did not expect tells nothing of our insides. */
export function toTracingError(error: unknown): TracingError {
  if (error instanceof TracingError && error.status !== 0) return error;
  const [code, message] = translate(error instanceof Error && 'code' in error ? String(error.code) : '');
  return new TracingError(code, message, { cause: error });
}

const FRAMEWORK_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['invalid_request', 'Cannot read the address: it is not percent-encoded UTF-8'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Cannot read the body: its content type is malformed'],
  FST_ERR_MAX_PARAM_LENGTH: ['unknown_path', 'No such path'],
  HPE_HEADER_OVERFLOW: ['payload_too_large', 'Cannot read the request: its headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['unavailable', 'The request did not arrive in time'],
  ERR_STREAM_PREMATURE_CLOSE: ['invalid_request', 'The client broke off'],
};

function translate(code: string): readonly [ErrorCode, string] {
  const known = FRAMEWORK_ERRORS[code];
  if (known) return known;
  // The HTTP parser names what it stumbled over.
  if (code.startsWith('HPE_')) return ['invalid_request', 'Cannot read the request: it is not HTTP'];
  return ['internal_error', 'The service failed to answer the request'];
}

/** Parts of an error that travel in headers. */
interface HeaderValues {
  readonly allow: unknown;
  readonly retryAfterSeconds: unknown;
}

function headersOf(code: ErrorCode, { allow, retryAfterSeconds }: HeaderValues): Record<string, string> {
  switch (code) {
    case 'unauthenticated':
      return { 'www-authenticate': 'Basic realm="svc"' };
    case 'method_not_allowed':
      return { allow: String(allow) };
    case 'rate_limited':
    case 'unavailable':
      return { 'retry-after': String(retryAfterSeconds) };
    default:
      return {};
  }
}
