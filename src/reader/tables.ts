import type {
  TableCreateRequest,
  TableCreateResponse,
  TableQueryRequest,
  TableQueryResponse,
  TableQueryStatsBatchRequest,
  TableQueryStatsBatchResponse,
  TableQueryStatsResponse,
  TableRow,
  TableUpdateRequest,
  TableUpdateResponse,
} from '../protocol/table.ts';
import type { InProject } from './calls.ts';
import { countedPages, type PagesOptions } from './pages.ts';
import type { Requester, RequestOptions } from './request.ts';

export type NewTable = InProject<TableCreateRequest['table']>;

export interface TablesApi {
  /** `/table/create`: the digest of the table and those of its rows in order. */
  create(table: NewTable, options?: RequestOptions): Promise<TableCreateResponse>;
  /** `/table/query`: rows of a table, none of one that is unknown. */
  query(
    digest: string,
    request?: Omit<InProject<TableQueryRequest>, 'digest'>,
    options?: RequestOptions,
  ): Promise<TableRow[]>;
  /** `query` in pages, each a request of its own. A table never changes, so they are its rows, each once. */
  pages(
    digest: string,
    request?: Omit<InProject<TableQueryRequest>, 'digest'>,
    options?: PagesOptions,
  ): AsyncGenerator<TableRow[], void>;
  /** `/table/update`: the digest of what the table becomes, and of each row that came or went. */
  update(
    baseDigest: string,
    updates: TableUpdateRequest['updates'],
    options?: RequestOptions & { readonly project_id?: string },
  ): Promise<TableUpdateResponse>;
  /** `/table/query_stats`: how many rows a table has, 0 where it is unknown. */
  count(digest: string, options?: RequestOptions & { readonly project_id?: string }): Promise<number>;
  /** `/table/query_stats_batch`: one entry for each of the tables that is known, in order. */
  stats(
    digests: readonly string[],
    options?: RequestOptions & Omit<InProject<TableQueryStatsBatchRequest>, 'digests'>,
  ): Promise<TableQueryStatsBatchResponse['tables']>;
}

export function createTableReader(requester: Requester, projectOf: (given: string | undefined) => string): TablesApi {
  const query: TablesApi['query'] = async (digest, request = {}, { signal } = {}) => {
    const body = { ...request, project_id: projectOf(request.project_id), digest };
    const sent = { method: 'POST', path: '/table/query', body, signal } as const;
    return ((await requester.sendForJson(sent)) as TableQueryResponse).rows;
  };

  return {
    query,
    pages: (digest, request = {}, { signal, ...options } = {}) =>
      countedPages((page) => query(digest, { ...request, ...page }, { signal }), request, options),
    async create(table, { signal } = {}) {
      const body = { table: { ...table, project_id: projectOf(table.project_id) } };
      const sent = { method: 'POST', path: '/table/create', body, signal } as const;
      return (await requester.sendForJson(sent)) as TableCreateResponse;
    },
    async update(baseDigest, updates, { signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id), base_digest: baseDigest, updates };
      const sent = { method: 'POST', path: '/table/update', body, signal } as const;
      return (await requester.sendForJson(sent)) as TableUpdateResponse;
    },
    async count(digest, { signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id), digest };
      const sent = { method: 'POST', path: '/table/query_stats', body, signal } as const;
      return ((await requester.sendForJson(sent)) as TableQueryStatsResponse).count;
    },
    async stats(digests, { signal, ...request } = {}) {
      const body = { ...request, project_id: projectOf(request.project_id), digests };
      const sent = { method: 'POST', path: '/table/query_stats_batch', body, signal } as const;
      return ((await requester.sendForJson(sent)) as TableQueryStatsBatchResponse).tables;
    },
  };
}
