import type { TSchema } from '@sinclair/typebox';
import * as batch from './batch.ts';
import * as call from './call.ts';
import * as cost from './cost.ts';
import * as feedback from './feedback.ts';
import * as file from './file.ts';
import * as object from './object.ts';
import * as otel from './otel.ts';
import * as refBatch from './ref-batch.ts';
import * as service from './service.ts';
import * as table from './table.ts';
import * as thread from './thread.ts';

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** With the names of its variable parts in braces. */
  readonly path: string;
  readonly name: string;
  readonly request?: TSchema;
  /** Schema of the whole answer, or of one line when `isStream`. */
  readonly response: TSchema;
  readonly isStream?: true;
}

/** The endpoints of the interface document, in its order. */
export const ENDPOINTS = {
  callStart: post('/call/start', 'Call Start', call.CallStartRequest, call.CallStartResponse),
  callEnd: post('/call/end', 'Call End', call.CallEndRequest, call.EmptyResponse),
  callUpsertBatch: post('/call/upsert_batch', 'Call Start Batch', batch.UpsertBatchRequest, batch.UpsertBatchResponse),
  callsDelete: post('/calls/delete', 'Calls Delete', call.CallsDeleteRequest, call.CallsDeleteResponse),
  callUpdate: post('/call/update', 'Call Update', call.CallUpdateRequest, call.EmptyResponse),
  callRead: post('/call/read', 'Call Read', call.CallReadRequest, call.CallReadResponse),
  callsQueryStats: post(
    '/calls/query_stats',
    'Calls Query Stats',
    call.CallsQueryStatsRequest,
    call.CallsQueryStatsResponse,
  ),
  callsStreamQuery: {
    ...post('/calls/stream_query', 'Calls Query Stream', call.CallsStreamQueryRequest, call.Call),
    isStream: true,
  },
  costCreate: post('/cost/create', 'Cost Create', cost.CostCreateRequest, cost.CostCreateResponse),
  costQuery: post('/cost/query', 'Cost Query', cost.CostQueryRequest, cost.CostQueryResponse),
  costPurge: post('/cost/purge', 'Cost Purge', cost.CostPurgeRequest, call.EmptyResponse),
  feedbackCreate: post(
    '/feedback/create',
    'Feedback Create',
    feedback.FeedbackCreateRequest,
    feedback.FeedbackCreateResponse,
  ),
  feedbackQuery: post(
    '/feedback/query',
    'Feedback Query',
    feedback.FeedbackQueryRequest,
    feedback.FeedbackQueryResponse,
  ),
  feedbackPurge: post('/feedback/purge', 'Feedback Purge', feedback.FeedbackPurgeRequest, call.EmptyResponse),
  feedbackReplace: post(
    '/feedback/replace',
    'Feedback Replace',
    feedback.FeedbackReplaceRequest,
    feedback.FeedbackCreateResponse,
  ),
  fileCreate: post('/file/create', 'File Create', file.FileCreateRequest, file.FileCreateResponse),
  fileContent: post('/file/content', 'File Content', file.FileContentRequest, file.FileContentResponse),
  filesQueryStats: post('/files/query_stats', 'Files Stats', file.FilesQueryStatsRequest, file.FilesQueryStatsResponse),
  objCreate: post('/obj/create', 'Obj Create', object.ObjCreateRequest, object.ObjCreateResponse),
  objRead: post('/obj/read', 'Obj Read', object.ObjReadRequest, object.ObjReadResponse),
  objsQuery: post('/objs/query', 'Objs Query', object.ObjsQueryRequest, object.ObjsQueryResponse),
  objDelete: post('/obj/delete', 'Obj Delete', object.ObjDeleteRequest, object.ObjDeleteResponse),
  otelExportTraces: post('/otel/v1/traces', 'Export Trace', otel.ExportTraceRequest, otel.ExportTraceResponse),
  refsReadBatch: post(
    '/refs/read_batch',
    'Refs Read Batch',
    refBatch.RefsReadBatchRequest,
    refBatch.RefsReadBatchResponse,
  ),
  health: get('/health', 'Read Root', service.HealthResponse),
  version: get('/version', 'Read Version', service.VersionResponse),
  geolocate: get('/geolocate', 'Get Caller Location', service.GeolocateResponse),
  serverInfo: get('/server_info', 'Server Info', service.ServerInfoResponse),
  tableCreate: post('/table/create', 'Table Create', table.TableCreateRequest, table.TableCreateResponse),
  tableUpdate: post('/table/update', 'Table Update', table.TableUpdateRequest, table.TableUpdateResponse),
  tableQuery: post('/table/query', 'Table Query', table.TableQueryRequest, table.TableQueryResponse),
  tableQueryStats: post(
    '/table/query_stats',
    'Table Query Stats',
    table.TableQueryStatsRequest,
    table.TableQueryStatsResponse,
  ),
  tableQueryStatsBatch: post(
    '/table/query_stats_batch',
    'Table Query Stats Batch',
    table.TableQueryStatsBatchRequest,
    table.TableQueryStatsBatchResponse,
  ),
  threadsStreamQuery: {
    ...post('/threads/stream_query', 'Threads Query Stream', thread.ThreadsStreamQueryRequest, thread.Thread),
    isStream: true,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** Endpoints that the interface document does not have, and newer clients of the vendor cannot do without. */
export const ADDITIONS = {
  callsComplete: post(
    '/v2/{entity}/{project}/calls/complete',
    'Calls Complete',
    batch.CallsCompleteRequest,
    call.EmptyResponse,
  ),
  projectCallStart: post(
    '/v2/{entity}/{project}/call/start',
    'Project Call Start',
    call.CallStartRequest,
    call.CallStartResponse,
  ),
  projectCallEnd: post('/v2/{entity}/{project}/call/end', 'Project Call End', call.CallEndRequest, call.EmptyResponse),
  feedbackBatchCreate: post(
    '/feedback/batch/create',
    'Feedback Batch Create',
    feedback.FeedbackBatchCreateRequest,
    feedback.FeedbackBatchCreateResponse,
  ),
} as const satisfies Record<string, Endpoint>;

/** All that is served. */
export const SERVED = { ...ENDPOINTS, ...ADDITIONS };

export type ServedName = keyof typeof SERVED;

function post<Req extends TSchema, Res extends TSchema>(path: string, name: string, request: Req, response: Res) {
  return { method: 'POST', path, name, request, response } as const;
}

function get<Res extends TSchema>(path: string, name: string, response: Res) {
  return { method: 'GET', path, name, response } as const;
}
