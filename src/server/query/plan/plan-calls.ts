import type { CallFilter } from '../../../protocol/call.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { QueryObject, SortItem } from '../../../protocol/query.ts';
import type { CallPlan, CallSelection } from '../../../storage/contract/plan.ts';
import { parseField } from './field-path.ts';
import { parseExpression } from './parse-expression.ts';
import { planBodies } from './plan-columns.ts';
import { planFilter } from './plan-filter.ts';
import { planSort } from './plan-sort.ts';
import { notNegative } from './not-negative.ts';

/** The part of a request that says which calls it means. */
export interface SelectionRequest {
  readonly project_id: string;
  readonly filter?: CallFilter | null | undefined;
  readonly query?: QueryObject | null | undefined;
}

/** The part of a request that says which calls it wants, in which order and how much of them. */
export interface CallsRequest extends SelectionRequest {
  readonly sort_by?: readonly SortItem[] | null | undefined;
  readonly limit?: number | null | undefined;
  readonly offset?: number | null | undefined;
  readonly columns?: readonly string[] | null | undefined;
}

/**
 * Decides what a request for calls means, so that engines only have to carry it out. Throws
 * `validation_error`, `invalid_field`, `invalid_request` or `too_many_items`.
 */
export function planCalls(request: CallsRequest, limits: Limits): CallPlan {
  const limit = notNegative('limit', request.limit);
  return {
    ...planSelection(request, limits),
    sort: planSort(request.sort_by ?? [], limits),
    ...(limit === undefined ? {} : { limit }),
    offset: notNegative('offset', request.offset) ?? 0,
    bodies: planBodies(request.columns ?? [], limits),
  };
}

/** Decides which calls a request means. */
export function planSelection(request: SelectionRequest, limits: Limits): CallSelection {
  const { project_id: projectId, query } = request;
  const filter = planFilter(request.filter ?? {}, projectId, limits);
  if (query === null || query === undefined) return { projectId, filter };
  return { projectId, filter, condition: parseExpression(query.$expr, parseField, limits) };
}

/** `limit` or `offset`, which null leaves out. */
