import { canonicalJson, type JsonValue } from '../../../protocol/values/canonical-json.ts';
import type { ObjectVersion, ObjsQueryRequest } from '../../../protocol/object.ts';
import type { ObjectPlan } from '../../../storage/contract/plan.ts';
import type { StoredObject } from '../../../storage/contract/objects.ts';
import { microsOf } from './http-records.ts';

/** The request that a service plans as this plan. */
export function toObjectsRequest(plan: ObjectPlan): ObjsQueryRequest {
  const { objectIds, baseClasses, excludedBaseClasses, leafClasses, kind } = plan;
  return {
    project_id: plan.projectId,
    filter: {
      object_ids: listOrNull(objectIds),
      base_object_classes: listOrNull(baseClasses),
      exclude_base_object_classes: listOrNull(excludedBaseClasses),
      leaf_object_classes: listOrNull(leafClasses),
      is_op: kind === undefined ? null : kind === 'op',
      latest_only: plan.latestOnly,
    },
    sort_by: plan.sort.map(({ column, isDescending }) => ({
      field: column,
      direction: isDescending ? 'desc' : 'asc',
    })),
    limit: plan.limit ?? null,
    offset: plan.offset,
    metadata_only: plan.metadataOnly,
    include_storage_size: true,
  };
}

/** A version as a storage gives it. */
export function toStoredObject(object: ObjectVersion, isMetadataOnly: boolean): StoredObject {
  return {
    ...object,
    // There are two kinds, and the value was read from JSON.
    kind: object.kind === 'op' ? 'op' : 'object',
    val: isMetadataOnly ? null : canonicalJson(object.val as JsonValue),
    created_at: microsOf(object.created_at),
    deleted_at: null,
    is_latest: object.is_latest === 1,
    size_bytes: object.size_bytes ?? Number.NaN,
  };
}

function listOrNull(list: readonly string[] | undefined): string[] | null {
  return list ? [...list] : null;
}
