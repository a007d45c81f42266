import { type TSchema, Type } from '@sinclair/typebox';
import { EmptyResponse } from './call.ts';
import type { Endpoint } from './endpoints.ts';
import { CallChange } from './page/call-change.ts';
import * as row from './page/call-row.ts';
import { CallsExportRequest, ExportedCall } from './page/calls-export.ts';
import { EditorOpenRequest, EditorOpenResponse } from './page/editor.ts';
import * as differences from './page/calls-differences.ts';
import * as stats from './page/calls-stats.ts';
import * as client from './page/client.ts';
import * as project from './page/project.ts';
import * as retention from './page/retention.ts';
import * as run from './page/run.ts';
import * as session from './page/session.ts';
import { SKELETON_TYPE } from './page/skeleton.ts';
import { TraceSkeletonRequest } from './page/trace.ts';
import * as view from './page/view.ts';

export interface PageEndpoint extends Endpoint {
  /** Type of an answer that is no JSON. */
  readonly contentType?: string;
}

/** Endpoints for the page besides the interface document. They may grow with every version; `/docs` marks them. */
export const PAGE = {
  pageSessionStart: post('/x/session', 'Session Start', session.SessionRequest, session.Session),
  pageSession: { method: 'GET', path: '/x/session', name: 'Session Read', response: session.Session },
  pageSessionEnd: post('/x/session/end', 'Session End', session.SessionEndRequest, EmptyResponse),
  pageSessionToken: post(
    '/x/session/token',
    'Session Token Create',
    session.SessionTokenRequest,
    session.SessionTokenResponse,
  ),
  pageProjects: post('/x/projects', 'Projects Read', project.ProjectsRequest, project.ProjectsResponse),
  pageCallRows: post('/x/calls/rows', 'Call Rows Query', row.CallRowsRequest, row.CallRowsResponse),
  pageCallRow: post('/x/calls/row', 'Call Rows Read', row.CallRowRequest, row.CallRowResponse),
  pageCallsStats: post('/x/calls/stats', 'Calls Stats', stats.CallsStatsRequest, stats.CallsStatsResponse),
  pageCallsDifferences: post(
    '/x/calls/differences',
    'Calls Differences',
    differences.CallsDifferencesRequest,
    differences.CallsDifferencesResponse,
  ),
  pageCallsExport: {
    ...post('/x/calls/export', 'Calls Export', CallsExportRequest, ExportedCall),
    isStream: true,
  },
  pageCallsChanges: {
    method: 'GET',
    path: '/x/calls/changes',
    name: 'Calls Changes',
    response: CallChange,
    contentType: 'text/event-stream',
  },
  pageTraceSkeleton: {
    ...post('/x/trace/skeleton', 'Trace Skeleton', TraceSkeletonRequest, Type.Unknown()),
    contentType: SKELETON_TYPE,
  },
  pageTraceHtml: {
    method: 'GET',
    path: '/x/trace/html',
    name: 'Trace Html',
    response: Type.Unknown(),
    contentType: 'text/html; charset=utf-8',
  },
  pageViewsList: post('/x/views/list', 'Views List', view.ViewsListRequest, view.ViewsListResponse),
  pageViewSave: post('/x/views/save', 'View Save', view.ViewSaveRequest, view.ViewSaveResponse),
  pageViewDelete: post('/x/views/delete', 'View Delete', view.ViewDeleteRequest, EmptyResponse),
  pageClients: post('/x/clients', 'Clients Read', client.ClientsRequest, client.ClientsResponse),
  pageRetention: post('/x/retention', 'Retention Read', retention.RetentionRequest, retention.RetentionResponse),
  pageEditorOpen: post('/x/editor/open', 'Editor Open', EditorOpenRequest, EditorOpenResponse),
  pageRunsList: post('/x/runs/list', 'Runs List', run.RunsListRequest, run.RunsListResponse),
} as const satisfies Record<string, PageEndpoint>;

export type PageName = keyof typeof PAGE;

function post<Req extends TSchema, Res extends TSchema>(path: string, name: string, request: Req, response: Res) {
  return { method: 'POST', path, name, request, response } as const;
}
