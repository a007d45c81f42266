import type { ErrorCode } from '../../protocol/error.ts';

type ErrorText = readonly [code: ErrorCode, when: string];

/** Errors that any request can be answered with. */
export const COMMON_ERRORS: readonly ErrorText[] = [
  ['invalid_request', 'the dialect is unknown, or what was sent is malformed'],
  ['unauthenticated', 'the key is missing, malformed or unknown'],
  ['forbidden', 'the key may not use the entity, or the `Host` is not this machine'],
  ['rate_limited', 'too many requests, or the write queue is full; nothing was applied'],
  ['internal_error', 'a mistake of ours; the log has the cause'],
  ['unavailable', 'shutting down, or the storage cannot be reached or written'],
];

/** Errors that any request with a body can be answered with. */
export const POST_ERRORS: readonly ErrorText[] = [
  ['invalid_json', 'the body is not JSON in UTF-8'],
  [
    'payload_too_large',
    'the body is larger than `request_bytes`, nested deeper than `body_depth`, or takes more memory than `body_memory_bytes`',
  ],
  ['unsupported_media_type', 'the content type or encoding cannot be read'],
  ['validation_error', 'the body breaks its schema; `detail` has the fields'],
];
