import { type EndpointText, PROJECT_ERRORS } from '../endpoint-text.ts';

const DIGEST = 'qUiQTy8PR5uPgZdpSzAYSw0u0cHNKh7AX4XSmaGSpEc';

export const FILES = {
  fileCreate: {
    area: 'Files',
    summary: 'Stores a file; answers its digest',
    description:
      'A form has a part `project_id`, a part `file` whose file name is the name, and maybe a part `expected_digest`. The same bytes are stored once, under their first name.',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_request', '`content` is no base64, or the form is malformed'],
      ['digest_mismatch', 'the bytes have another digest than `expected_digest`; `actual_digest` has it'],
      [
        'payload_too_large',
        'more than `file_bytes` in a form, `file_json_bytes` as base64, or `file_request_bytes` in all',
      ],
    ],
    request: { project_id: 'acme/demo', name: 'obj.py', content: 'aGVsbG8gd29ybGQK' },
    answer: { digest: DIGEST },
  },
  fileContent: {
    area: 'Files',
    summary: 'Reads a file',
    description:
      'The answer is the bytes. It is base64 in JSON for an `Accept` that names `application/json` and neither `application/octet-stream` nor `*/*`.',
    errors: [...PROJECT_ERRORS, ['not_found', 'there is no such file']],
    request: { project_id: 'acme/demo', digest: DIGEST },
    answer: { content: 'aGVsbG8gd29ybGQK' },
  },
  filesQueryStats: {
    area: 'Files',
    summary: 'How many bytes the files of a project take',
    errors: PROJECT_ERRORS,
    request: { project_id: 'acme/demo' },
    answer: { total_size_bytes: 12 },
  },
} as const satisfies Record<string, EndpointText>;
