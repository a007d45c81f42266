import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { SortItem } from '../../../protocol/query.ts';
import type { TableQueryRequest } from '../../../protocol/table.ts';
import type { RowSortKey, TablePlan } from '../../../storage/contract/plan.ts';
import { checkPath, splitPath } from './field-path.ts';
import { notNegative } from './not-negative.ts';

/** Decides what a request for rows means. Throws `invalid_request` or `too_many_items`. */
export function planTable(request: TableQueryRequest, limits: Limits): TablePlan {
  const limit = notNegative('limit', request.limit);
  const rowDigests = request.filter?.row_digests ?? [];
  const items = request.sort_by ?? [];
  checkCount('filter by row_digests', rowDigests.length, limits.filter_items);
  checkCount('sort', items.length, limits.sort_items);
  return {
    projectId: request.project_id,
    digest: request.digest,
    ...(rowDigests.length === 0 ? {} : { rowDigests }),
    sort: items.map(({ field, direction }) => planRowSort({ field: checkPath(field, limits), direction })),
    ...(limit === undefined ? {} : { limit }),
    offset: notNegative('offset', request.offset) ?? 0,
  };
}

function checkCount(action: string, count: number, max: number): void {
  if (count > max) throw new TracingError('too_many_items', `Cannot ${action}: there are more than ${max} entries`);
}

function planRowSort({ field, direction }: SortItem): RowSortKey {
  const path = splitPath(field);
  if (!path.includes('')) return { path, isDescending: direction === 'desc' };
  throw new TracingError('invalid_request', `Cannot sort by "${field.slice(0, 200)}": a part of the path is empty`);
}
