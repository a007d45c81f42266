import type {
  CostCreateRequest,
  CostCreateResponse,
  CostQueryRequest,
  CostQueryResponse,
  CostRecord,
} from '../protocol/cost.ts';
import type { InProject } from './calls.ts';
import type { Requester, RequestOptions } from './request.ts';

export interface CostsApi {
  /** `/cost/create`: prices of one token by model; pairs of the new id and its model. */
  create(
    costs: CostCreateRequest['costs'],
    options?: RequestOptions & { readonly project_id?: string },
  ): Promise<CostCreateResponse['ids']>;
  /** `/cost/query`: prices of the project, oldest first unless `sort_by` says otherwise. */
  query(request?: InProject<CostQueryRequest>, options?: RequestOptions): Promise<CostRecord[]>;
  /** `/cost/purge`: removes prices for good; ids that are not there do no harm. */
  purge(ids: readonly string[], options?: RequestOptions & { readonly project_id?: string }): Promise<void>;
}

export function createCostReader(requester: Requester, projectOf: (given: string | undefined) => string): CostsApi {
  return {
    async create(costs, { signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id), costs };
      const answer = await requester.sendForJson({ method: 'POST', path: '/cost/create', body, signal });
      return (answer as CostCreateResponse).ids;
    },
    async query(request = {}, { signal } = {}) {
      const body = { ...request, project_id: projectOf(request.project_id) };
      const answer = await requester.sendForJson({ method: 'POST', path: '/cost/query', body, signal });
      return (answer as CostQueryResponse).results;
    },
    async purge(ids, { signal, project_id } = {}) {
      const body = { project_id: projectOf(project_id), query: idsQuery(ids) };
      await requester.sendForJson({ method: 'POST', path: '/cost/purge', body, signal });
    },
  };
}

/** The query that names records by their ids. */
export function idsQuery(ids: readonly string[]): { $expr: { $in: [{ $getField: string }, { $literal: string }[]] } } {
  return { $expr: { $in: [{ $getField: 'id' }, ids.map((id) => ({ $literal: id }))] } };
}
