import type { EndItem, StartItem, UpsertBatchResponse } from '../protocol/batch.ts';
import type {
  Call,
  CallEnd,
  CallReadRequest,
  CallReadResponse,
  CallsDeleteResponse,
  CallsQueryStatsRequest,
  CallsQueryStatsResponse,
  CallsStreamQueryRequest,
  CallStart,
  CallStartResponse,
} from '../protocol/call.ts';
import { callPages } from './call-pages.ts';
import { readJsonLines } from './json-lines.ts';
import { newId } from './new-id.ts';
import type { PagesOptions } from './pages.ts';
import type { OutgoingRequest, Requester, RequestOptions } from './request.ts';

/** A request or record whose project may be left to the reader. */
export type InProject<T extends { project_id: string }> = Omit<T, 'project_id'> & { readonly project_id?: string };

export type NewCallStart = InProject<CallStart>;
export type NewCallEnd = InProject<CallEnd>;
export type NewBatchItem =
  | { readonly mode: StartItem['mode']; readonly req: { readonly start: NewCallStart } }
  | { readonly mode: EndItem['mode']; readonly req: { readonly end: NewCallEnd } };

export interface CallsApi {
  /** `/call/start`: the stored ids. */
  start(start: NewCallStart, options?: RequestOptions): Promise<CallStartResponse>;
  /** `/call/end`. */
  end(end: NewCallEnd, options?: RequestOptions): Promise<void>;
  /** `/call/upsert_batch`: starts and ends in any order, all or none; the stored ids in order. */
  write(items: readonly NewBatchItem[], options?: RequestOptions): Promise<UpsertBatchResponse['res']>;
  /** `/call/read`: `undefined` when the call is unknown, not started yet, or deleted. */
  get(id: string, options?: RequestOptions & Omit<InProject<CallReadRequest>, 'id'>): Promise<Call | undefined>;
  /** `/calls/stream_query`: calls as they arrive. A stream that breaks throws `broken_stream` instead of ending. */
  query(request?: InProject<CallsStreamQueryRequest>, options?: RequestOptions): AsyncGenerator<Call, void>;
  /**
   * `query` in pages, each a request of its own: a snapshot of its moment, between which the walk may pause. In the
   * order of `started_at` or `id`, which is the usual one, each page begins after the last call of the one before: what
   * comes or goes meanwhile neither repeats nor hides a call. In any other order pages are counted, and may shift.
   */
  pages(request?: InProject<CallsStreamQueryRequest>, options?: PagesOptions): AsyncGenerator<Call[], void>;
  /** `/calls/query_stats`. */
  stats(request?: InProject<CallsQueryStatsRequest>, options?: RequestOptions): Promise<CallsQueryStatsResponse>;
  /** `/call/update`; an empty name clears it. */
  rename(id: string, displayName: string, options?: RequestOptions & { readonly project_id?: string }): Promise<void>;
  /**
   * `/calls/delete`: the calls with all their descendants; how many became deleted. Fewer when the request was repeated:
   * what an attempt without an answer had deleted is not counted again.
   */
  delete(ids: readonly string[], options?: RequestOptions & { readonly project_id?: string }): Promise<number>;
}

type ProjectOf = (given: string | undefined) => string;

export function createCallReader(requester: Requester, projectOf: ProjectOf): CallsApi {
  const inProject = <T extends { readonly project_id?: string }>(value: T) => ({
    ...value,
    project_id: projectOf(value.project_id),
  });

  async function* query(
    request: InProject<CallsStreamQueryRequest> = {},
    { signal }: RequestOptions = {},
  ): AsyncGenerator<Call, void> {
    const body = inProject(request);
    const response = await requester.send({
      ...read('/calls/stream_query', body, { signal }),
      accept: 'application/jsonl',
    });
    // The service validates what it stores, so a line is a call.
    yield* readJsonLines(response, { signal, json: requester.json }) as AsyncGenerator<Call, void>;
  }

  return {
    query,
    async start(start, options) {
      const answer = await requester.sendForJson(post('/call/start', { start: inProject(withId(start)) }, options));
      return answer as CallStartResponse;
    },
    async end(end, options) {
      await requester.sendForJson(post('/call/end', { end: inProject(end) }, options));
    },
    async write(items, options) {
      const batch = items.map(({ mode, req }) =>
        'start' in req
          ? { mode, req: { start: inProject(withId(req.start)) } }
          : { mode, req: { end: inProject(req.end) } },
      );
      const answer = await requester.sendForJson(post('/call/upsert_batch', { batch }, options));
      return (answer as UpsertBatchResponse).res;
    },
    async get(id, { signal, ...request } = {}) {
      const body = { ...inProject(request), id };
      const answer = await requester.sendForJson(read('/call/read', body, { signal }));
      return (answer as CallReadResponse).call ?? undefined;
    },
    pages: (request = {}, { signal, ...options } = {}) =>
      callPages((page) => query(page, { signal }), request, options),
    async stats(request = {}, options) {
      const answer = await requester.sendForJson(read('/calls/query_stats', inProject(request), options));
      return answer as CallsQueryStatsResponse;
    },
    async rename(id, displayName, { signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id), call_id: id, display_name: displayName };
      await requester.sendForJson(post('/call/update', body, { signal }));
    },
    async delete(ids, { signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id), call_ids: ids };
      const answer = await requester.sendForJson(post('/calls/delete', body, { signal }));
      return (answer as CallsDeleteResponse).num_deleted;
    },
  };
}

/** Sent twice, a start without an id would begin two calls. */
function withId(start: NewCallStart): NewCallStart {
  return { ...start, id: start.id ?? newId() };
}

function read(path: string, body: unknown, options?: RequestOptions): OutgoingRequest {
  return { ...post(path, body, options), isRead: true };
}

function post(path: string, body: unknown, options: RequestOptions = {}): OutgoingRequest {
  return { method: 'POST', path, body, signal: options.signal };
}
