import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { ObjectFilter, ObjsQueryRequest } from '../../../protocol/object.ts';
import type { SortItem } from '../../../protocol/query.ts';
import type { ObjectPlan, ObjectSortKey } from '../../../storage/contract/plan.ts';
import { notNegative } from './not-negative.ts';

/** Decides what a request for objects means. Throws `invalid_field`, `invalid_request` or `too_many_items`. */
export function planObjects(request: ObjsQueryRequest, limits: Limits): ObjectPlan {
  const filter = request.filter ?? {};
  const listOf = (name: ListName) => nonEmptyList(filter, name, limits);
  const limit = notNegative('limit', request.limit);
  const objectIds = listOf('object_ids');
  const baseClasses = listOf('base_object_classes');
  const excludedBaseClasses = listOf('exclude_base_object_classes');
  const leafClasses = listOf('leaf_object_classes');
  return {
    projectId: request.project_id,
    ...(objectIds && { objectIds }),
    ...(baseClasses && { baseClasses }),
    ...(excludedBaseClasses && { excludedBaseClasses }),
    ...(leafClasses && { leafClasses }),
    ...(typeof filter.is_op === 'boolean' && { kind: filter.is_op ? 'op' : 'object' }),
    latestOnly: filter.latest_only === true,
    sort: planSort(request.sort_by ?? [], limits),
    ...(limit !== undefined && { limit }),
    offset: notNegative('offset', request.offset) ?? 0,
    metadataOnly: request.metadata_only === true,
  };
}

type ListName = Exclude<keyof ObjectFilter, 'is_op' | 'latest_only'>;

function nonEmptyList(filter: ObjectFilter, name: ListName, { filter_items: max }: Limits): string[] | undefined {
  const list = filter[name] ?? [];
  if (list.length > max) {
    throw new TracingError('too_many_items', `Cannot filter by ${name}: it has more than ${max} entries`);
  }
  return list.length === 0 ? undefined : [...new Set(list)];
}

function planSort(items: readonly SortItem[], { sort_items: max }: Limits): ObjectSortKey[] {
  if (items.length > max) throw new TracingError('too_many_items', `Cannot sort: there are more than ${max} fields`);
  if (items.length === 0) return [{ column: 'created_at', isDescending: false }];
  return items.map(({ field, direction }, index) => ({
    column: sortColumn(field, index),
    isDescending: direction === 'desc',
  }));
}

function sortColumn(field: string, index: number): ObjectSortKey['column'] {
  if (field === 'object_id' || field === 'created_at') return field;
  const msg = 'Input should be "object_id" or "created_at"';
  throw new TracingError('invalid_field', `Cannot sort objects by "${field.slice(0, 200)}"`, {
    extra: { detail: [{ loc: ['body', 'sort_by', index, 'field'], msg, type: 'invalid_field' }] },
  });
}
