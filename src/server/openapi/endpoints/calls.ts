import { type EndpointText, PROJECT_ERRORS, QUERY_ERRORS, USER_ERROR } from '../endpoint-text.ts';

const CALL = {
  id: 'c1',
  project_id: 'acme/demo',
  op_name: 'f',
  display_name: 'first try',
  trace_id: 't1',
  parent_id: null,
  thread_id: null,
  turn_id: null,
  started_at: '2026-01-01T00:00:00Z',
  attributes: {},
  inputs: {},
  ended_at: '2026-01-01T00:00:01Z',
  exception: null,
  output: 1,
  summary: { svc: { status: 'success', trace_name: 'first try', display_name: 'first try', latency_ms: 1000 } },
  svc_user_id: 'local',
  svc_run_id: null,
  svc_run_step: null,
  deleted_at: null,
  storage_size_bytes: null,
  total_storage_size_bytes: null,
};

const RECORD_ERRORS = [
  ...PROJECT_ERRORS,
  ['invalid_id', 'an id has characters or a length that none may have'],
] as const satisfies EndpointText['errors'];

const START_ERRORS = [
  ...RECORD_ERRORS,
  ['invalid_request', 'the op name is empty or longer than `op_name_characters`'],
  ['invalid_ref', 'the op name is a reference that does not parse or names no op'],
] as const satisfies EndpointText['errors'];

/** The id of a call that the document speaks of once. */
const OTHER_ID = '0190a000-0000-7000-8000-000000000002';
const OTHER_TRACE = '0190a000-0000-7000-8000-0000000000bb';

const STRAY_RECORD = ['invalid_request', 'a record is of another project than the path'] as const satisfies readonly [
  string,
  string,
];

export const CALLS = {
  callStart: {
    area: 'Calls',
    summary: 'Records that a call has begun',
    description:
      'The first start of an id counts; a repeated one changes nothing and is answered with the stored ids. The end may have come before.',
    errors: START_ERRORS,
    request: {
      start: {
        project_id: 'acme/demo',
        id: '0190a000-0000-7000-8000-000000000001',
        op_name: 'svc:///acme/demo/op/predict:08oXX9XweooeOeodgtVvYysAVRQHcT4te3eXoWqbeCM',
        trace_id: '0190a000-0000-7000-8000-0000000000aa',
        started_at: '2026-01-01T12:00:00.000Z',
        attributes: { env: 'prod' },
        inputs: { q: 'hi' },
      },
    },
    answer: { id: '0190a000-0000-7000-8000-000000000001', trace_id: '0190a000-0000-7000-8000-0000000000aa' },
  },
  callEnd: {
    area: 'Calls',
    summary: 'Records that a call has ended',
    description:
      'The last end of an id counts, of those with the highest `summary.end_revision` where that is given. The end of a call whose start has not come is kept for it, and the call is not seen until then.',
    errors: RECORD_ERRORS,
    request: {
      end: {
        project_id: 'acme/demo',
        id: '0190a000-0000-7000-8000-000000000001',
        ended_at: '2026-01-01T12:00:01.250Z',
        output: 'hello',
        summary: {
          usage: { 'gpt-x': { requests: 1, prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 } },
          status_counts: { success: 1, error: 0 },
        },
      },
    },
    answer: {},
  },
  callUpsertBatch: {
    area: 'Calls',
    summary: 'Records many starts and ends, all or none',
    description:
      'Items come in any order and of any projects and are applied in the order of the list. One item that is refused refuses the batch; an item that is too large has its largest fields replaced.',
    errors: [['too_many_items', 'more than `batch_items` items']],
    itemErrors: START_ERRORS,
    request: {
      batch: [
        {
          mode: 'end',
          req: { end: { project_id: 'acme/demo', id: 'c1', ended_at: '2026-01-01T00:00:01Z', output: 1, summary: {} } },
        },
        {
          mode: 'start',
          req: {
            start: {
              project_id: 'acme/demo',
              id: 'c1',
              op_name: 'f',
              trace_id: 't1',
              started_at: '2026-01-01T00:00:00Z',
              attributes: {},
              inputs: {},
            },
          },
        },
      ],
    },
    answer: {
      res: [
        { id: 'c1', trace_id: '' },
        { id: 'c1', trace_id: 't1' },
      ],
    },
  },
  callsDelete: {
    area: 'Calls',
    summary: 'Deletes calls and all that they called, for good',
    description: 'Unknown ids are no error. Feedback on the calls is kept.',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_id', 'one of `call_ids` is no id'],
      ['too_many_items', 'more than `calls_per_delete` ids'],
      USER_ERROR,
    ],
    request: { project_id: 'acme/demo', call_ids: ['c1'] },
    answer: { num_deleted: 1 },
  },
  callUpdate: {
    area: 'Calls',
    summary: 'Gives a call another display name',
    description: 'The name is kept for a call whose start has not come. It beats the names of start and end.',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_id', '`call_id` is no id'],
      ['invalid_request', 'there is no `display_name`, or it is longer than `display_name_characters`'],
      USER_ERROR,
      ['call_deleted', 'the call was deleted'],
    ],
    request: { project_id: 'acme/demo', call_id: 'c1', display_name: 'first try' },
    answer: {},
  },
  callRead: {
    area: 'Calls',
    summary: 'Reads one call',
    description: '`call` is `null` for a call that is unknown, deleted, or has no start yet.',
    errors: [...PROJECT_ERRORS, ['invalid_id', '`id` is no id'], ['query_timeout', 'it took longer than `read_ms`']],
    request: { project_id: 'acme/demo', id: 'c1' },
    answer: { call: CALL },
  },
  callsQueryStats: {
    area: 'Calls',
    summary: 'Counts the calls of a query, or their bytes',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_request', 'a `limit` below 1, or a query against a rule that `reason` states'],
      ['too_many_items', 'a list of the filter has more than `filter_items` entries, or `$in` more than `in_items`'],
      ['invalid_field', 'the query names no field'],
      ['query_timeout', 'it took longer than `read_ms`'],
    ],
    request: {
      project_id: 'acme/demo',
      query: {
        $expr: {
          $and: [
            { $eq: [{ $getField: 'op_name' }, { $literal: 'f' }] },
            {
              $contains: {
                input: { $getField: 'display_name' },
                substr: { $literal: 'TRY' },
                case_insensitive: true,
              },
            },
          ],
        },
      },
    },
    answer: { count: 1, total_storage_size_bytes: null },
  },
  callsStreamQuery: {
    area: 'Calls',
    summary: 'Reads the calls of a query, one per line',
    description:
      'The stream is one snapshot. Everything is checked, and the first record found, before the status line; a later failure is a last line `{"_svc_error": …}` and a connection that breaks. With `columns` the fields that were not asked for are `null`, `attributes` and `inputs` `{}`.',
    errors: [
      ...QUERY_ERRORS,
      [
        'too_many_items',
        'more than `filter_items`, `in_items`, `sort_items`, `columns` or `expand_columns` entries in a list of that name',
      ],
      ['payload_too_large', 'a call with its expanded columns is larger than `ref_value_bytes`'],
      ['rate_limited', 'the key has `streams_per_key` streams open'],
    ],
    request: {
      project_id: 'acme/demo',
      filter: { trace_roots_only: true, op_names: ['f'] },
      sort_by: [{ field: 'summary.svc.latency_ms', direction: 'desc' }],
      limit: 50,
    },
    answer: CALL,
  },
  callsComplete: {
    area: 'Calls',
    summary: 'Records calls that have ended, start and end in one, all or none',
    description:
      'All calls are of the project in the path. Each is what its start and its end would be together: sent again it changes nothing, and a start that came before stays.',
    errors: [...PROJECT_ERRORS, ['too_many_items', 'more than `batch_items` calls']],
    itemErrors: [...START_ERRORS, STRAY_RECORD],
    request: {
      batch: [
        {
          project_id: 'acme/demo',
          id: OTHER_ID,
          op_name: 'predict',
          trace_id: OTHER_TRACE,
          started_at: '2026-01-01T12:00:00Z',
          ended_at: '2026-01-01T12:00:01.250Z',
          attributes: { env: 'prod' },
          inputs: { q: 'hi' },
          output: 'hello',
          summary: { status_counts: { success: 1, error: 0 } },
        },
      ],
    },
    answer: {},
  },
  projectCallStart: {
    area: 'Calls',
    summary: 'Records that a call of the project in the path has begun',
    description: 'The same as `/call/start`.',
    errors: [...START_ERRORS, STRAY_RECORD],
    request: {
      start: {
        project_id: 'acme/demo',
        id: OTHER_ID,
        op_name: 'predict',
        trace_id: OTHER_TRACE,
        started_at: '2026-01-01T12:00:00Z',
        attributes: {},
        inputs: { q: 'hi' },
      },
    },
    answer: { id: OTHER_ID, trace_id: OTHER_TRACE },
  },
  projectCallEnd: {
    area: 'Calls',
    summary: 'Records that a call of the project in the path has ended',
    description: 'The same as `/call/end`.',
    errors: [...RECORD_ERRORS, STRAY_RECORD],
    request: {
      end: { project_id: 'acme/demo', id: OTHER_ID, ended_at: '2026-01-01T12:00:01.250Z', output: 'hello' },
    },
    answer: {},
  },
} as const satisfies Record<string, EndpointText>;
