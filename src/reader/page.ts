import type { CallRow, CallRowsRequest, CallRowsResponse } from '../protocol/page/call-row.ts';
import type { CallsDifferencesRequest, CallsDifferencesResponse } from '../protocol/page/calls-differences.ts';
import type { CallsExportRequest } from '../protocol/page/calls-export.ts';
import type { CallsStatsRequest, CallsStatsResponse } from '../protocol/page/calls-stats.ts';
import type { ClientEntry, ClientsRequest } from '../protocol/page/client.ts';
import { decodeSkeleton } from '../protocol/page/decode-skeleton.ts';
import type { EditorOpenRequest, EditorOpenResponse } from '../protocol/page/editor.ts';
import { PAGE_HEADER } from '../protocol/page/page-header.ts';
import type { ProjectSummary } from '../protocol/page/project.ts';
import type { KeptPolicy } from '../protocol/page/retention.ts';
import type { RunsListRequest, RunsListResponse } from '../protocol/page/run.ts';
import type { Session, SessionRequest, SessionTokenResponse } from '../protocol/page/session.ts';
import { SKELETON_TYPE, type TraceSkeleton } from '../protocol/page/skeleton.ts';
import type { View, ViewSaveRequest } from '../protocol/page/view.ts';
import type { InProject } from './calls.ts';
import { type CallChange, type ChangesOptions, readChanges } from './changes.ts';
import type { Requester, RequestOptions } from './request.ts';

/** Reads of pages and command lines besides the records themselves. */
export interface PageApi {
  readonly session: SessionApi;
  readonly views: ViewsApi;
  /** Projects that have calls, the one that was used last first. */
  projects(options?: RequestOptions): Promise<ProjectSummary[]>;
  /** One page of a list of calls; `next_cursor` asks for the next one. */
  rows(request?: InProject<CallRowsRequest>, options?: RequestOptions): Promise<CallRowsResponse>;
  /** The rows of calls by their ids, without those that are not there. */
  row(
    ids: readonly string[],
    request?: InProject<{ project_id: string }>,
    options?: RequestOptions,
  ): Promise<CallRow[]>;
  /** The sums of the calls of a selection. */
  stats(request?: InProject<CallsStatsRequest>, options?: RequestOptions): Promise<CallsStatsResponse>;
  /** Traits that calls of a selection have more or less often than others, beyond what chance brings about. */
  differences(
    request?: InProject<CallsDifferencesRequest>,
    options?: RequestOptions,
  ): Promise<CallsDifferencesResponse>;
  /** A whole trace without its contents. */
  skeleton(
    traceId: string,
    request?: InProject<{ project_id: string }>,
    options?: RequestOptions,
  ): Promise<TraceSkeleton>;
  /** The answer whose body is a whole trace as one HTML file, which needs no service. Rejects with `not_found`. */
  html(traceId: string, request?: InProject<{ project_id: string }>, options?: RequestOptions): Promise<Response>;
  /** The changes of a project as they happen, until the loop is left or the signal aborts. */
  changes(request?: InProject<{ project_id: string }>, options?: ChangesOptions): AsyncIterable<CallChange>;
  /** The answer whose body has every call of a selection, as lines of JSON or as a table. */
  export(request: InProject<CallsExportRequest>, options?: RequestOptions): Promise<Response>;
  /** Programs that have sent calls since the service started. */
  clients(request?: ClientsRequest, options?: RequestOptions): Promise<ClientEntry[]>;
  /**
   * Opens a file in the editor that the service was given, on its machine: as a call names it (`attributes.svc.code_file`), or by its
   * whole path, with which it resolves. Rejects with `not_found` where no folder of its sources has it, with `forbidden` where it opens
   * no files.
   */
  openFile(place: EditorOpenRequest, options?: RequestOptions): Promise<string>;
  /** A page of the runs of processes with the sums of their calls, the newest first; `next_cursor` asks for the next one. */
  runs(request?: InProject<RunsListRequest>, options?: RequestOptions): Promise<RunsListResponse>;
  /** How long and how much is kept; `null` where each service has its own rule. */
  retention(options?: RequestOptions): Promise<KeptPolicy | null>;
}

/** Logging in with a browser. */
export interface SessionApi {
  /** Changes a token or a key for a session, whose cookie the browser keeps. */
  start(request: SessionRequest, options?: RequestOptions): Promise<Session>;
  read(options?: RequestOptions): Promise<Session>;
  end(options?: RequestOptions): Promise<void>;
  /** Makes the token of a link that logs in once, by key. */
  createToken(options?: RequestOptions): Promise<SessionTokenResponse>;
}

/** Saved views of the lists of a project. */
export interface ViewsApi {
  list(request?: InProject<{ project_id: string }>, options?: RequestOptions): Promise<View[]>;
  /** With the id of a view in its place, else as a new one. */
  save(
    view: ViewSaveRequest['view'],
    request?: InProject<{ project_id: string }>,
    options?: RequestOptions,
  ): Promise<View>;
  delete(id: string, request?: InProject<{ project_id: string }>, options?: RequestOptions): Promise<void>;
}

export function createPageReader(requester: Requester, projectOf: (given: string | undefined) => string): PageApi {
  const post = async (path: string, body: object, options?: RequestOptions): Promise<unknown> =>
    await requester.sendForJson({ method: 'POST', path, body, headers: OF_PAGE, ...options });
  const within = <T extends { readonly project_id?: string | undefined }>(request: T) => ({
    ...request,
    project_id: projectOf(request.project_id),
  });
  // What the service answers was made by the schemas that the types come from.
  return {
    session: sessionApi(requester, post),
    views: {
      list: async (request = {}, options) =>
        ((await post('/x/views/list', within(request), options)) as { views: View[] }).views,
      save: async (view, request = {}, options) =>
        ((await post('/x/views/save', { ...within(request), view }, options)) as { view: View }).view,
      delete: async (id, request = {}, options) => {
        await post('/x/views/delete', { ...within(request), id }, options);
      },
    },
    projects: async (options) => ((await post('/x/projects', {}, options)) as { projects: ProjectSummary[] }).projects,
    rows: async (request = {}, options) => (await post('/x/calls/rows', within(request), options)) as CallRowsResponse,
    row: async (ids, request = {}, options) =>
      ((await post('/x/calls/row', { ...within(request), ids }, options)) as { rows: CallRow[] }).rows,
    stats: async (request = {}, options) =>
      (await post('/x/calls/stats', within(request), options)) as CallsStatsResponse,
    differences: async (request = {}, options) =>
      (await post('/x/calls/differences', within(request), options)) as CallsDifferencesResponse,
    skeleton: async (trace_id, request = {}, options) => {
      const body = { ...within(request), trace_id };
      const asked = {
        method: 'POST',
        path: '/x/trace/skeleton',
        body,
        headers: OF_PAGE,
        accept: SKELETON_TYPE,
      } as const;
      return await requester.sendFor({ ...asked, ...options }, async (answer) =>
        decodeSkeleton(new Uint8Array(await answer.arrayBuffer())),
      );
    },
    html: async (trace_id, request = {}, options) => {
      const asked = new URLSearchParams({ ...within(request), trace_id });
      return await requester.send({
        method: 'GET',
        path: `/x/trace/html?${asked.toString()}`,
        accept: 'text/html',
        ...options,
      });
    },
    changes: (request = {}, options = {}) => readChanges(requester, projectOf(request.project_id), options),
    export: async (request, options) =>
      await requester.send({
        method: 'POST',
        path: '/x/calls/export',
        body: within(request),
        headers: OF_PAGE,
        accept: '*/*',
        ...options,
      }),
    clients: async (request = {}, options) =>
      ((await post('/x/clients', request, options)) as { clients: ClientEntry[] }).clients,
    openFile: async (place, options) => ((await post('/x/editor/open', place, options)) as EditorOpenResponse).file,
    runs: async (request = {}, options) => (await post('/x/runs/list', within(request), options)) as RunsListResponse,
    retention: async (options) => ((await post('/x/retention', {}, options)) as { policy: KeptPolicy | null }).policy,
  };
}

/** Does no harm beside a key. */
const OF_PAGE = { [PAGE_HEADER]: '1' };

function sessionApi(
  requester: Requester,
  post: (path: string, body: object, options?: RequestOptions) => Promise<unknown>,
): SessionApi {
  return {
    start: async (request, options) => (await post('/x/session', request, options)) as Session,
    read: async (options) =>
      (await requester.sendForJson({ method: 'GET', path: '/x/session', ...options })) as Session,
    end: async (options) => {
      await post('/x/session/end', {}, options);
    },
    createToken: async (options) => (await post('/x/session/token', {}, options)) as SessionTokenResponse,
  };
}
