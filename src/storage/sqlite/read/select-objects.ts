import type { ObjectPlan } from '../../contract/plan.ts';
import { bind, junction, raw, type Sql, sql } from '../../sql/sql.ts';
import { sqliteDialect } from './dialect.ts';
import { OBJECT_TABLES } from './object-rows.ts';

/** The keys of the versions of a plan, in its order: values would be held to be sorted. */
export function printObjectKeys(plan: ObjectPlan): Sql {
  const order = [...plan.sort.map(printSortKey), 'v.name', 'v.version_index', 'v.kind'].join(', ');
  const page = sql`LIMIT ${bind(plan.limit ?? -1)} OFFSET ${bind(plan.offset)}`;
  const where = junction(conditions(plan), 'AND');
  return sql`SELECT v.pk FROM ${raw(OBJECT_TABLES)} WHERE ${where} ORDER BY ${raw(order)} ${page}`;
}

function printSortKey({ column, isDescending }: ObjectPlan['sort'][number]): string {
  return `${column === 'object_id' ? 'v.name' : 'v.created_at'}${isDescending ? ' DESC' : ''}`;
}

function conditions(plan: ObjectPlan): Sql[] {
  const { objectIds, baseClasses, excludedBaseClasses, leafClasses } = plan;
  const isOneOf = (column: string, texts: readonly string[]) => sqliteDialect.isOneOf(raw(column), texts);
  return [
    sql`v.project = (SELECT pk FROM project WHERE name = ${sqliteDialect.bindText(plan.projectId)})`,
    raw('v.deleted_at IS NULL'),
    ...(objectIds ? [isOneOf('v.name', objectIds)] : []),
    ...(baseClasses ? [isOneOf('v.base_object_class', baseClasses)] : []),
    ...(excludedBaseClasses ? [sql`(${isOneOf('v.base_object_class', excludedBaseClasses)}) IS NOT TRUE`] : []),
    ...(leafClasses ? [isOneOf('v.leaf_object_class', leafClasses)] : []),
    ...(plan.kind ? [sql`v.kind = ${bind(plan.kind)}`] : []),
    ...(plan.latestOnly ? [raw('l.object = v.pk')] : []),
  ];
}
