import { compareCodePoints } from '../../protocol/values/canonical-json.ts';
import type { ObjectPlan, ObjectSortKey } from '../contract/plan.ts';
import type { StoredObject } from '../contract/objects.ts';

/** Does a plan want this version? */
export function isWanted(object: StoredObject, plan: ObjectPlan): boolean {
  const { base_object_class: base, leaf_object_class: leaf } = object;
  return (
    object.project_id === plan.projectId &&
    object.deleted_at === null &&
    (plan.objectIds?.includes(object.object_id) ?? true) &&
    (plan.baseClasses === undefined || (base !== null && plan.baseClasses.includes(base))) &&
    !(base !== null && (plan.excludedBaseClasses?.includes(base) ?? false)) &&
    (plan.leafClasses === undefined || (leaf !== null && plan.leafClasses.includes(leaf))) &&
    (plan.kind === undefined || object.kind === plan.kind) &&
    (object.is_latest || !plan.latestOnly)
  );
}

/** The order of a plan; what it leaves open is ordered by name, number and kind. */
export function compareObjects(a: StoredObject, b: StoredObject, sort: readonly ObjectSortKey[]): number {
  for (const { column, isDescending } of sort) {
    const order = column === 'object_id' ? compareCodePoints(a.object_id, b.object_id) : a.created_at - b.created_at;
    if (order !== 0) return isDescending ? -order : order;
  }
  return (
    compareCodePoints(a.object_id, b.object_id) ||
    a.version_index - b.version_index ||
    compareCodePoints(a.kind, b.kind)
  );
}
