import type { Limits } from '../../../protocol/limits.ts';
import type { QueryObject, SortItem } from '../../../protocol/query.ts';
import { evaluate } from '../../../storage/values/evaluate.ts';
import { startPatience } from '../../../storage/values/patience.ts';
import type { Condition, RecordField, SortKey } from '../../../storage/contract/plan.ts';
import type { RecordValues } from '../../../storage/values/record-values.ts';
import { sortRecords } from '../../../storage/values/sort-records.ts';
import type { ReadOptions } from '../../../storage/contract/reads.ts';
import { parseExpression } from './parse-expression.ts';
import { planRecordSort } from './plan-sort.ts';
import { notNegative } from './not-negative.ts';

/** The part of a request that says which records of a small table it wants. */
export interface RecordsRequest {
  readonly query?: QueryObject | null;
  readonly sort_by?: readonly SortItem[] | null;
  readonly limit?: number | null;
  readonly offset?: number | null;
}

/** A kind of record that is few enough to be selected here rather than by an engine. */
export interface RecordKind<Item> {
  readonly parseField: (path: string) => RecordField;
  readonly valuesOf: (item: Item) => RecordValues;
}

export interface RecordPlan {
  readonly condition: Condition<RecordField> | undefined;
  readonly sort: readonly SortKey<RecordField>[];
  readonly offset: number;
  /** Absent: all. */
  readonly limit: number | undefined;
}

/** Records come in the order of their creation unless the request says otherwise. */
const CREATED_AT: SortKey<RecordField> = { field: { kind: 'time', column: 'created_at' }, isDescending: false };
const ID: RecordField = { kind: 'text', column: 'id' };

/** Decides what a request means, before anything is read. */
export function planRecords(
  request: RecordsRequest,
  { parseField }: Pick<RecordKind<never>, 'parseField'>,
  limits: Limits,
): RecordPlan {
  return {
    condition: request.query ? parseExpression(request.query.$expr, parseField, limits) : undefined,
    sort: planRecordSort(request.sort_by ?? [], { parseField, first: CREATED_AT, id: ID }, limits),
    offset: notNegative('offset', request.offset) ?? 0,
    limit: notNegative('limit', request.limit),
  };
}

/** The records a plan selects, in its order. Rejects with `query_timeout` when that takes too long. */
export async function selectRecords<Item>(
  items: readonly Item[],
  plan: RecordPlan,
  { valuesOf }: RecordKind<Item>,
  options: ReadOptions,
): Promise<Item[]> {
  const { sort, offset, limit } = plan;
  const matching = await matchingRecords(items, plan, valuesOf, options);
  return sortRecords(matching, sort, valuesOf).slice(offset, limit === undefined ? undefined : offset + limit);
}

async function matchingRecords<Item>(
  items: readonly Item[],
  { condition }: RecordPlan,
  valuesOf: RecordKind<Item>['valuesOf'],
  options: ReadOptions,
): Promise<readonly Item[]> {
  if (condition === undefined) return items;
  const { check, rest } = startPatience(options);
  const matching: Item[] = [];
  for (const item of items) {
    if (evaluate(condition, valuesOf(item), check) === true) matching.push(item);
    await rest();
  }
  return matching;
}
