import type { PageName } from '../../../protocol/page-endpoints.ts';
import { PACKAGE_VERSION } from '../../../protocol/version.ts';
import { type EndpointText, PROJECT_ERRORS, QUERY_ERRORS } from '../endpoint-text.ts';

const PROJECT = { project_id: 'acme/demo' };
const TIME = '2026-01-01T00:00:00Z';

const ROW = {
  id: 'call-1',
  trace_id: 'trace-1',
  parent_id: null,
  thread_id: null,
  op: 'answer',
  op_name: 'answer',
  name: 'answer',
  kind: 'other',
  state: 'success',
  error: null,
  error_type: null,
  started_at: TIME,
  ended_at: '2026-01-01T00:00:01Z',
  latency_ms: 1000,
  input: 'Why?',
  output: 'Because',
  tokens: 120,
  tokens_in: 100,
  tokens_out: 20,
  tokens_cached: 0,
  cost: 0.003,
  unpriced_models: [],
  model: 'm-1',
  models: ['m-1'],
  feedback: 0,
};

const SESSION = {
  user_id: 'local',
  entities: null,
  version: PACKAGE_VERSION,
  url: 'http://127.0.0.1:7717',
  started_at: TIME,
  opens_files: false,
};

const VIEW = {
  id: '0199c8f0-7a3b-7000-8a00-000000000001',
  name: 'Slow refunds',
  query: 'q=op%3Arefund+latency%3E2s',
  columns: ['op', 'latency'],
  created_at: TIME,
  updated_at: TIME,
  user_id: 'local',
};

const CURSOR_ERROR = ['invalid_request', '`cursor` comes from no answer to such a request'] as const;
const NO_VIEW = ['not_found', 'the project has no such view'] as const;

export const PAGE_TEXTS = {
  pageSessionStart: {
    area: 'Page',
    summary: 'Logs a browser in; the answer has a cookie',
    description:
      'Needs neither key nor session. The cookie counts for paths below `/x`, and there for requests that the page itself sends: all but GET carry `x-spoor-page: 1`.',
    errors: [
      ['invalid_request', 'not exactly one of `token` and `api_key`'],
      ['unauthenticated', 'the token was used, or is too old; the key is unknown'],
    ],
    request: { token: 'one-time-token' },
    answer: SESSION,
  },
  pageSession: { area: 'Page', summary: 'Says whose session or key it is', answer: SESSION },
  pageSessionEnd: {
    area: 'Page',
    summary: 'Logs a browser out, with a session or without',
    request: {},
    answer: {},
  },
  pageSessionToken: {
    area: 'Page',
    summary: 'Makes a token that logs a browser in, once; by key only',
    request: {},
    answer: { token: 'one-time-token', expires_at: '2026-01-01T00:15:00Z' },
  },
  pageProjects: {
    area: 'Page',
    summary: 'Lists the projects that have calls and that the key may use',
    request: {},
    answer: { projects: [{ project_id: 'acme/demo', calls: 2, errors: 0, last_started_at: TIME }] },
  },
  pageCallRows: {
    area: 'Page',
    summary: 'Reads calls in short, page by page, the newest first where no order is named',
    description: 'A page has 200 calls where no `limit` is named, and 1,000 at most.',
    errors: [...QUERY_ERRORS, CURSOR_ERROR],
    request: { ...PROJECT, roots_only: true, limit: 1 },
    answer: { rows: [ROW], next_cursor: null },
  },
  pageCallRow: {
    area: 'Page',
    summary: 'Reads calls in short by their ids; unknown ones are left out',
    errors: [...PROJECT_ERRORS, ['too_many_items', 'more than 1,000 ids']],
    request: { ...PROJECT, ids: ['call-1'] },
    answer: { rows: [ROW] },
  },
  pageCallsStats: {
    area: 'Page',
    summary: 'Adds up the calls of a selection: counts, latencies, tokens, money, calls over time and values of fields',
    errors: [
      ...QUERY_ERRORS,
      ['invalid_request', 'not 1 to 200 `buckets`'],
      ['too_many_items', 'more than 20 `facets`'],
    ],
    request: { ...PROJECT, histogram: { buckets: 2 }, facets: [{ field: 'op', limit: 1 }] },
    answer: {
      count: 2,
      errors: 1,
      running: 0,
      never_ended: 0,
      latency_ms: { p50: 1000, p95: 1000, p99: 1000 },
      tokens: { input: 100, output: 20, cache_read: 0, cache_write: 0, reasoning: 0, total: 120 },
      cost: 0.003,
      unpriced_models: [],
      models: [{ model: 'm-1', calls: 1, tokens: 120, cost: 0.003 }],
      first_started_at: TIME,
      last_started_at: '2026-01-01T00:00:02Z',
      histogram: { from: TIME, to: '2026-01-01T00:00:03Z', bucket_ms: 1500, counts: [1, 1], errors: [0, 1] },
      facets: [{ field: 'op', values: [{ value: 'answer', count: 2 }], other: 0, distinct: 1 }],
    },
  },
  pageCallsDifferences: {
    area: 'Page',
    summary:
      'Tells what the calls of a selection have more or less often than others: fields, ranked by how much their shares differ',
    description:
      'The others are those that `against` means, without those of the selection; where it is absent all of the same time. Of more than 5,000 calls on a side as many are looked at, chosen by chance, and inputs or attributes of more than 16 KiB are not looked into. Told is what chance would bring about less often than once in a hundred answers, and is 2 of 100 calls or more. Calls of one trace count as what they have in common.',
    errors: [...QUERY_ERRORS, ['invalid_request', 'not 1 to 100 as `limit`']],
    request: { ...PROJECT, where: 'status:error' },
    answer: {
      selection: { calls: 71, looked_at: 71, traces: 71 },
      rest: { calls: 18_133, looked_at: 5000, traces: 2100 },
      differences: [
        {
          field: 'attr.region',
          relation: 'is',
          value: 'eu-3',
          where: 'attr.region:eu-3',
          calls: 64,
          share: 0.901,
          rest_calls: 1250,
          rest_share: 0.25,
          lift: 3.6,
          p: 1e-20,
          same: [],
        },
      ],
      compared: 240,
      left_out: ['status', 'error'],
    },
  },
  pageCallsExport: {
    area: 'Page',
    summary: 'Sends all calls of a selection in short, as lines of JSON or CSV, the newest first',
    errors: [...QUERY_ERRORS],
    request: { ...PROJECT, format: 'jsonl' },
    answer: ROW,
  },
  pageCallsChanges: {
    area: 'Page',
    summary: 'Tells of calls that change, as server-sent events',
    description:
      'Events are `hello` with a cursor, `call` with a call in short, `gone` with ids, `feedback` with the ids of calls that got or lost some, and `missed` with the number of changes that are kept no more. Each has an id from which a reader goes on when it comes back; the last 16,384 changes of a project are kept for that. A reader who is slow is told what it missed.',
    errors: [
      ['invalid_request', 'not one `project_id` in the query string'],
      ...PROJECT_ERRORS,
      ['rate_limited', 'more than 32 streams of the key'],
    ],
    answer: { cursor: 'TxA9ukQr.0' },
  },
  pageTraceSkeleton: {
    area: 'Page',
    summary: 'Reads a whole trace without its contents, in columns of at most 40 bytes a call beside texts',
    description: '`reader.page.skeleton` reads the bytes. A trace that nobody knows has no calls.',
    errors: PROJECT_ERRORS,
    request: { ...PROJECT, trace_id: 'trace-1' },
    answer: undefined,
  },
  pageTraceHtml: {
    area: 'Page',
    summary: 'Sends a whole trace as one HTML file with its viewer, which asks for nothing when it is opened',
    description:
      'Stored files of more than 8 MiB, and those beyond 64 MiB together, are left out and counted. Secrets are as they were stored: masked.',
    errors: [
      ['invalid_request', 'not one `project_id` and one `trace_id` in the query string'],
      ...PROJECT_ERRORS,
      ['not_found', 'the trace is unknown'],
    ],
    answer: undefined,
  },
  pageViewsList: {
    area: 'Page',
    summary: 'Lists the saved views of a project, which all of its users share',
    errors: PROJECT_ERRORS,
    request: PROJECT,
    answer: { views: [VIEW] },
  },
  pageViewSave: {
    area: 'Page',
    summary: 'Saves a view under a new id, or in the place of the one that `id` names',
    errors: [
      ...PROJECT_ERRORS,
      [
        'invalid_request',
        'a name that is not 1 to 200 characters, a query of more than 16,384, or more than 100 columns',
      ],
      ['too_many_items', 'the project has 1,000 views'],
      NO_VIEW,
    ],
    request: { ...PROJECT, view: { name: VIEW.name, query: VIEW.query, columns: VIEW.columns } },
    answer: { view: VIEW },
  },
  pageViewDelete: {
    area: 'Page',
    summary: 'Deletes a view, for good',
    errors: [...PROJECT_ERRORS, NO_VIEW],
    request: { ...PROJECT, id: VIEW.id },
    answer: {},
  },
  pageClients: {
    area: 'Page',
    summary: 'Lists the programs that have sent calls since the service started',
    errors: PROJECT_ERRORS,
    request: PROJECT,
    answer: {
      clients: [
        {
          id: 'c-1',
          name: 'spoor-typescript',
          version: PACKAGE_VERSION,
          address: '127.0.0.1',
          host: 'build-7',
          pid: 4711,
          first_seen_at: TIME,
          last_seen_at: TIME,
          is_connected: true,
          received_starts: 2,
          received_ends: 2,
          missing: 0,
          last_error: null,
        },
      ],
    },
  },
  pageRetention: {
    area: 'Page',
    summary: 'Tells how long and how much is kept',
    errors: [],
    request: {},
    answer: {
      policy: { all: { days: 30, bytes: null }, projects: { 'acme/demo': { days: 90, bytes: 20_000_000_000 } } },
    },
  },
  pageEditorOpen: {
    area: 'Page',
    summary: 'Opens a line of a file in the editor that the service was given, for who sits at its machine',
    description:
      'A file is named as a call names it (`attributes.svc.code_file`) or by its whole path, and is opened where it lies below one of `sourceRoots`. The answer comes when the editor runs, or has ended well.',
    errors: [
      [
        'forbidden',
        'the service has no editor, can be reached from elsewhere, was asked from elsewhere, or the key is not one for all entities',
      ],
      ['not_found', 'no folder of `sourceRoots` has the file'],
      ['invalid_request', 'several of them have it'],
      ['rate_limited', 'the editor was started 30 times within a minute'],
      ['unavailable', 'the editor cannot be started, or fails at once'],
    ],
    request: { file: 'src/tools.ts', line: 88 },
    answer: { file: '/home/ada/app/src/tools.ts' },
  },
  pageRunsList: {
    area: 'Page',
    summary: 'Lists runs of processes, each with the sums of its calls, the one that began last first',
    description:
      'Calls belong to the run that the header `svc-run` of the request names which brought them. Sums are null where they cannot be made within a second. A run of which no call is left is not listed, unless sums are not asked for or not known: a page may have fewer runs than `limit` and a cursor all the same.',
    errors: [
      ...PROJECT_ERRORS,
      ['invalid_request', 'a limit below 0, or a cursor that no answer had'],
      ['too_many_items', 'more ids than a filter may have'],
    ],
    request: { ...PROJECT, entry_op: 'answer', limit: 20 },
    answer: {
      runs: [
        {
          id: 'p0f3c9a1b2c3d4e5f',
          entry_op: 'answer',
          started_at: TIME,
          first_call_at: TIME,
          last_seen_at: TIME,
          duration_ms: 2310,
          pid: 4711,
          host: 'build-7',
          version: PACKAGE_VERSION,
          commit: '9f2c3d4e5f60718293a4b5c6d7e8f90123456789',
          is_dirty: false,
          calls: 4,
          errors: 0,
          running: 0,
          never_ended: 0,
          tokens: 812,
          cost: 0.0102,
          unpriced_models: [],
        },
      ],
      next_cursor: null,
    },
  },
} as const satisfies Record<PageName, EndpointText>;
