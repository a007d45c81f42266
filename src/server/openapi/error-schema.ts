import { ERROR_CODES, type ErrorCode } from '../../protocol/error.ts';
import type { JsonSchema } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };

/** Codes that travel; the others never leave a process. */
export const WIRE_CODES = (Object.keys(ERROR_CODES) as ErrorCode[]).filter((code) => ERROR_CODES[code].status !== 0);

const DETAIL: JsonSchema = {
  type: 'object',
  properties: {
    loc: {
      description: 'Path to the field, from `body` on.',
      type: 'array',
      items: { type: ['string', 'integer'] },
    },
    msg: { description: 'What is wrong with it, for people.', ...text },
    type: { description: 'What is wrong with it, for programs, such as `missing` or `int_type`.', ...text },
  },
  required: ['loc', 'msg', 'type'],
};

/** The one shape of every answer that is not 200. */
export const ERROR_SCHEMA: JsonSchema = {
  description: 'Every answer that is not 200.',
  type: 'object',
  properties: {
    reason: { description: 'What went wrong, for people. It may change.', ...text },
    error_code: { description: 'What went wrong, for programs. It is stable.', ...text, enum: WIRE_CODES },
    request_id: { description: 'The `svc-request-id` of the answer; the log of the service has it.', ...text },
    detail: { description: 'With 422: what is wrong in which fields, 100 at most.', type: 'array', items: DETAIL },
    deleted_at: { description: 'With `object_deleted`: when.', ...text, format: 'date-time' },
    actual_digest: { description: 'With `digest_mismatch`: the digest of the content.', ...text },
    missing_object_digests: {
      description: 'With `not_found` of references: the digests of the versions that never were.',
      type: 'array',
      items: text,
    },
    status: { description: 'With `unavailable` of `/health`.', ...text, const: 'unavailable' },
  },
  required: ['reason', 'error_code', 'request_id'],
};
