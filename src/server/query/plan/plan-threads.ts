import { parseDateTimeOfAnyYear } from '../../../protocol/values/date-time.ts';
import { TracingError } from '../../../protocol/error.ts';
import type { Limits } from '../../../protocol/limits.ts';
import type { SortItem } from '../../../protocol/query.ts';
import type { ThreadsStreamQueryRequest } from '../../../protocol/thread.ts';
import type { ThreadColumn, ThreadPlan, ThreadSortKey } from '../../../storage/contract/plan.ts';
import { notNegative } from './not-negative.ts';

const COLUMNS: readonly string[] = [
  'thread_id',
  'turn_count',
  'start_time',
  'last_updated',
  'p50_turn_duration_ms',
  'p99_turn_duration_ms',
] satisfies ThreadColumn[];

/** Decides what a request for threads means. Throws `invalid_field`, `invalid_request` or `too_many_items`. */
export function planThreads(request: ThreadsStreamQueryRequest, limits: Limits): ThreadPlan {
  const { after_datetime: after, before_datetime: before, thread_ids: threadIds } = request.filter ?? {};
  const limit = notNegative('limit', request.limit);
  const plan: { -readonly [key in keyof ThreadPlan]: ThreadPlan[key] } = {
    projectId: request.project_id,
    sort: planSort(request.sort_by ?? [], limits),
    offset: notNegative('offset', request.offset) ?? 0,
  };
  if (limit !== undefined) plan.limit = limit;
  if (typeof after === 'string') plan.startedAfter = instant(after);
  if (typeof before === 'string') plan.updatedBefore = instant(before);
  if (threadIds && threadIds.length > 0) plan.threadIds = checkedIds(threadIds, limits);
  return plan;
}

function checkedIds(ids: readonly string[], limits: Limits): readonly string[] {
  if (ids.length <= limits.filter_items) return [...new Set(ids)];
  throw new TracingError(
    'too_many_items',
    `Cannot filter by thread_ids: it has more than ${limits.filter_items} entries`,
  );
}

/** Those that were updated last come first; where `thread_id` is not among the fields, it decides last. */
function planSort(items: readonly SortItem[], limits: Limits): ThreadSortKey[] {
  if (items.length > limits.sort_items) {
    throw new TracingError('too_many_items', `Cannot sort: there are more than ${limits.sort_items} fields`);
  }
  const keys: ThreadSortKey[] =
    items.length === 0 ? [{ column: 'last_updated', isDescending: true }] : items.map(planItem);
  if (keys.some(({ column }) => column === 'thread_id')) return keys;
  return [...keys, { column: 'thread_id', isDescending: false }];
}

function planItem({ field, direction }: SortItem): ThreadSortKey {
  if (isColumn(field)) return { column: field, isDescending: direction === 'desc' };
  throw new TracingError('invalid_field', `Cannot sort by "${field.slice(0, 200)}": want ${COLUMNS.join(', ')}`);
}

function isColumn(field: string): field is ThreadColumn {
  return COLUMNS.includes(field);
}

function instant(text: string): number {
  const micros = parseDateTimeOfAnyYear(text);
  if (micros === undefined) throw new RangeError(`Cannot read "${text}" as a date-time: it was not validated`);
  return micros;
}
