import type { PostName } from '../../src/server/routes/route.ts';

export const PROJECT = 'acme/demo';
export const AT = '2026-01-01T00:00:00Z';
const START = { project_id: PROJECT, id: 'c1', op_name: 'f', trace_id: 't', started_at: AT };
const END = { project_id: PROJECT, id: 'c1', ended_at: AT, output: 1 };
const FEEDBACK = { project_id: PROJECT, svc_ref: `svc:///${PROJECT}/call/c1`, feedback_type: 'own', payload: {} };
const PRICE = { prompt_token_cost: 1, completion_token_cost: 1 };
const QUERY = { $expr: { $eq: [{ $getField: 'id' }, { $literal: 'x' }] } };

/** A right body for each endpoint, with one item in each list. */
export const RIGHT: Readonly<Record<PostName, Record<string, unknown>>> = {
  callStart: { start: START },
  callEnd: { end: END },
  callUpsertBatch: { batch: [{ mode: 'start', req: { start: START } }] },
  callsDelete: { project_id: PROJECT, call_ids: ['c1'] },
  callUpdate: { project_id: PROJECT, call_id: 'c1', display_name: 'n' },
  callRead: { project_id: PROJECT, id: 'c1' },
  callsQueryStats: { project_id: PROJECT, query: QUERY, filter: { op_names: ['f'] }, expand_columns: ['inputs.a'] },
  callsStreamQuery: {
    project_id: PROJECT,
    query: QUERY,
    filter: { call_ids: ['c1'] },
    sort_by: [{ field: 'id', direction: 'asc' }],
    columns: ['id'],
  },
  costCreate: { project_id: PROJECT, costs: { m: PRICE } },
  costQuery: { project_id: PROJECT, query: QUERY, fields: ['id'] },
  costPurge: { project_id: PROJECT, query: QUERY },
  feedbackCreate: FEEDBACK,
  feedbackQuery: { project_id: PROJECT, query: QUERY, fields: ['id'] },
  feedbackPurge: { project_id: PROJECT, query: QUERY },
  feedbackReplace: { ...FEEDBACK, feedback_id: 'f1' },
  feedbackBatchCreate: { batch: [FEEDBACK] },
  fileCreate: { project_id: PROJECT, name: 'n', content: 'AAAA' },
  fileContent: { project_id: PROJECT, digest: 'd' },
  filesQueryStats: { project_id: PROJECT },
  objCreate: { obj: { project_id: PROJECT, object_id: 'o', val: {} } },
  objRead: { project_id: PROJECT, object_id: 'o', digest: 'd' },
  objsQuery: {
    project_id: PROJECT,
    filter: { object_ids: ['o'] },
    sort_by: [{ field: 'object_id', direction: 'asc' }],
  },
  objDelete: { project_id: PROJECT, object_id: 'o', digests: ['d'] },
  otelExportTraces: {
    resourceSpans: [
      {
        resource: { attributes: [] },
        scopeSpans: [
          { spans: [{ traceId: '1'.repeat(32), spanId: '2'.repeat(16), name: 's', startTimeUnixNano: '1' }] },
        ],
      },
    ],
  },
  refsReadBatch: { refs: [`svc:///${PROJECT}/call/c1`] },
  tableCreate: { table: { project_id: PROJECT, rows: [{ a: 1 }] } },
  tableUpdate: { project_id: PROJECT, base_digest: 'd', updates: [{ append: { row: { a: 1 } } }] },
  tableQuery: { project_id: PROJECT, digest: 'd', filter: { row_digests: ['r'] } },
  tableQueryStats: { project_id: PROJECT, digest: 'd' },
  tableQueryStatsBatch: { project_id: PROJECT, digests: ['d'] },
  threadsStreamQuery: { project_id: PROJECT, filter: { thread_ids: ['t'] } },
  callsComplete: { batch: [{ ...START, ended_at: AT }] },
  projectCallStart: { start: START },
  projectCallEnd: { end: END },
};
