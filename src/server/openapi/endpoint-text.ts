import type { ErrorCode } from '../../protocol/error.ts';

/** The areas of the service, in the order of the interface document. */
export const AREAS = {
  Calls: 'What programs did: record, change, read, count and delete calls.',
  Costs: 'Prices of models, from which calls are told what they cost.',
  Feedback: 'What people and programs say about calls and objects.',
  Files: 'Bytes, stored once under their digest.',
  Objects: 'Versions of objects and ops.',
  OpenTelemetry: 'Spans of other libraries, which become calls.',
  Page: 'What the page of the service reads: no part of the interface, it may change with every version.',
  References: 'What references name.',
  Service: 'What the service says about itself.',
  Tables: 'Ordered rows, stored once under their digests.',
  Threads: 'Conversations, made of the turns that calls record.',
} as const;

export type Area = keyof typeof AREAS;

/** The text on an endpoint beyond its schema. Texts may have `code` in them. */
export interface EndpointText {
  readonly area: Area;
  /** A few words that end without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** Errors that are not common to all endpoints, each with its occasion. */
  readonly errors?: readonly (readonly [code: ErrorCode, when: string])[];
  /** Errors of single items of a batch: their status is 422, and `detail` names the items. */
  readonly itemErrors?: EndpointText['errors'];
  /** Errors that all endpoints with a body have but this one. */
  readonly withoutErrors?: readonly ErrorCode[];
  readonly request?: Readonly<Record<string, unknown>>;
  /** Of a stream one line, of events the data of one; undefined where the answer is bytes. */
  readonly answer: unknown;
}

export const PROJECT_ERRORS = [
  ['invalid_project_id', '`project_id` is not `<entity>/<project>`'],
] as const satisfies EndpointText['errors'];

export const QUERY_ERRORS = [
  ...PROJECT_ERRORS,
  [
    'invalid_request',
    'a negative `limit` or `offset`, an empty `$and` or `$or`, a date that is none, or a query that is too deep or too large',
  ],
  ['invalid_field', 'the query, the sort order or a column names no field'],
  ['query_timeout', 'the first record took longer than `read_ms`'],
] as const satisfies EndpointText['errors'];

export const USER_ERROR = [
  'user_id_not_allowed',
  '`svc_user_id` names another user than that of the key',
] as const satisfies readonly [ErrorCode, string];
