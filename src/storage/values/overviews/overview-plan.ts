import type { AggregatePlan, OutlinePlan, TracePlan } from '../../contract/overviews.ts';
import type { CallSelection, ComparisonOperator, Condition, Field, SortKey } from '../../contract/plan.ts';

const STARTED_AT: Field = { kind: 'time', column: 'started_at' };
const ID: Field = { kind: 'text', column: 'id' };

/** The calls of a plan that started in its time, as one selection. */
export function selectionOfTimes(plan: AggregatePlan): CallSelection {
  const { projectId, filter, condition, startedAfter, startedBefore } = plan;
  const parts = [
    ...(startedAfter === undefined ? [] : [compare('gte', STARTED_AT, startedAfter)]),
    ...(startedBefore === undefined ? [] : [compare('lt', STARTED_AT, startedBefore)]),
  ];
  return { projectId, filter, ...withParts(condition, parts) };
}

/** The calls of a plan behind the one where it begins, as one selection. Throws a `TypeError` for another order. */
export function selectionOfRest(plan: OutlinePlan): CallSelection {
  const { projectId, filter, condition, after } = plan;
  if (after === undefined) return { projectId, filter, ...(condition && { condition }) };
  const isDescending = directionOf(plan.sort);
  const atOrBehind = compare(isDescending ? 'lte' : 'gte', STARTED_AT, after.startedAt);
  // A condition on the time alone is one that an index serves.
  const isBehind = compare(isDescending ? 'lt' : 'gt', ID, after.id);
  const isElsewhere = compare(isDescending ? 'lt' : 'gt', STARTED_AT, after.startedAt);
  const behind: Condition = { kind: 'or', conditions: [isElsewhere, isBehind] };
  return { projectId, filter, ...withParts(condition, [atOrBehind, behind]) };
}

/** The calls of a trace in its order. */
export function outlinePlanOf({ projectId, traceId }: TracePlan): OutlinePlan {
  const sort = [STARTED_AT, ID].map((field) => ({ field, isDescending: false }));
  return { projectId, filter: { traceIds: [traceId] }, sort, offset: 0, hasPreviews: false };
}

function directionOf(sort: readonly SortKey[]): boolean {
  const [time, id, ...more] = sort;
  const isInOrder = time?.field.kind === 'time' && time.field.column === 'started_at';
  const isUnique = id?.field.kind === 'text' && id.field.column === 'id' && id.isDescending === time?.isDescending;
  if (!isInOrder || !isUnique || more.length > 0) {
    throw new TypeError('A plan can begin behind a call only in the order of started_at and id');
  }
  return time.isDescending;
}

function compare(operator: ComparisonOperator, left: Field, value: number | string): Condition {
  return { kind: 'compare', operator, left, right: { kind: 'literal', value } };
}

function withParts(condition: Condition | undefined, parts: readonly Condition[]): { condition?: Condition } {
  if (parts.length === 0) return condition ? { condition } : {};
  return { condition: { kind: 'and', conditions: [...parts, ...(condition ? [condition] : [])] } };
}
