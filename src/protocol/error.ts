/**
 * Every error code on the wire with its HTTP status and whether sending the same request again can help,
 * and the few codes that never leave a process (`status` 0).
 */
export const ERROR_CODES = {
  invalid_json: { status: 400, isRetryable: false },
  invalid_request: { status: 400, isRetryable: false },
  invalid_ref: { status: 400, isRetryable: false },
  invalid_project_id: { status: 400, isRetryable: false },
  invalid_id: { status: 400, isRetryable: false },
  invalid_object_id: { status: 400, isRetryable: false },
  too_many_items: { status: 400, isRetryable: false },
  user_id_not_allowed: { status: 400, isRetryable: false },
  unauthenticated: { status: 401, isRetryable: false },
  forbidden: { status: 403, isRetryable: false },
  not_found: { status: 404, isRetryable: false },
  unknown_path: { status: 404, isRetryable: false },
  object_deleted: { status: 404, isRetryable: false },
  call_deleted: { status: 404, isRetryable: false },
  method_not_allowed: { status: 405, isRetryable: false },
  digest_mismatch: { status: 409, isRetryable: false },
  payload_too_large: { status: 413, isRetryable: false },
  unsupported_media_type: { status: 415, isRetryable: false },
  validation_error: { status: 422, isRetryable: false },
  invalid_field: { status: 422, isRetryable: false },
  rate_limited: { status: 429, isRetryable: true },
  internal_error: { status: 500, isRetryable: true },
  unavailable: { status: 503, isRetryable: true },
  query_timeout: { status: 504, isRetryable: true },
  broken_stream: { status: 0, isRetryable: true },
  invalid_configuration: { status: 0, isRetryable: false },
  network_error: { status: 0, isRetryable: true },
} as const satisfies Record<string, { status: number; isRetryable: boolean }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** One entry of the `detail` array of a 422 answer. */
export interface ValidationDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** Body of every answer that is not 2xx. Some codes add keys, such as `deleted_at` or `actual_digest`. */
export interface ErrorBody {
  readonly reason: string;
  readonly error_code: ErrorCode;
  readonly request_id: string;
  readonly detail?: readonly ValidationDetail[];
  readonly [extra: string]: unknown;
}

export interface TracingErrorOptions extends ErrorOptions {
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly field?: string;
}

/** Base of every error we throw. `code` is stable within a major version; `message` is for people. */
export class TracingError extends Error {
  override readonly name: string = 'TracingError';
  readonly code: ErrorCode;
  /** Keys added to the error body on the wire, such as `deleted_at`. */
  readonly extra: Readonly<Record<string, unknown>>;
  /** The field of the record that is at fault, where it is one. */
  readonly field: string | undefined;

  constructor(code: ErrorCode, message: string, options?: TracingErrorOptions) {
    super(message, options);
    this.code = code;
    this.extra = options?.extra ?? {};
    this.field = options?.field;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  get isRetryable(): boolean {
    return ERROR_CODES[this.code].isRetryable;
  }
}

/**
 * Milliseconds from `now` to what a `Retry-After` header says, in seconds or as a date; `undefined` when it says
 * nothing usable.
 */
export function parseRetryAfter(text: string | null | undefined, now: number): number | undefined {
  const asked = askedMs(text?.trim() ?? '', now);
  return asked === undefined ? undefined : Math.max(0, asked);
}

function askedMs(text: string, now: number): number | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // What begins with the name of a day: `Date.parse` makes a date of nearly everything, such as "-5".
  const date = /^[a-z]{3,9},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date - now;
}
