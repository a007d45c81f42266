import { compareCodePoints } from '../../protocol/values/canonical-json.ts';
import type { StoredFeedback } from '../contract/feedback.ts';
import type { StoredObject } from '../contract/objects.ts';
import type { FeedbackPlan, ObjectPlan, TablePlan, ThreadPlan } from '../contract/plan.ts';
import type { ListOptions, ReadOptions } from '../contract/reads.ts';
import type { StoredRow } from '../contract/tables.ts';
import type { StoredThread } from '../contract/threads.ts';
import type { VisibleCall } from './call-record.ts';
import { evaluate } from './evaluate.ts';
import { columnsOfFeedback } from './feedback-values.ts';
import { boundedList } from './list-bound.ts';
import { compareObjects, isWanted } from './match-objects.ts';
import { startPatience } from './patience.ts';
import { sortRecords } from './sort-records.ts';
import { sortRows } from './sort-rows.ts';
import { ThreadTally } from './thread-tally.ts';

/** The feedback of its project that a plan selects, whatever its page. */
export async function selectFeedback(
  all: readonly StoredFeedback[],
  { condition }: FeedbackPlan,
  options: ReadOptions = {},
): Promise<StoredFeedback[]> {
  if (condition === undefined) return [...all];
  const { check, rest } = startPatience(options);
  const selected: StoredFeedback[] = [];
  for (const one of all) {
    if (evaluate(condition, columnsOfFeedback(one), check) === true) selected.push(one);
    await rest();
  }
  return selected;
}

/** The page of a plan among the feedback of its project. */
export async function pageOfFeedback(
  all: readonly StoredFeedback[],
  plan: FeedbackPlan,
  options: ListOptions = {},
): Promise<StoredFeedback[]> {
  const page = pageOf(sortRecords(await selectFeedback(all, plan, options), plan.sort, columnsOfFeedback), plan);
  return boundedList(page, ({ payload }) => payload, options.maxCharacters);
}

/** Order of lists that are read whole: oldest first, of one time by id. */
export function byAge(left: Aged, right: Aged): number {
  return left.created_at - right.created_at || compareCodePoints(left.id, right.id);
}

type Aged = Pick<StoredFeedback, 'created_at' | 'id'>;

/** The page of a plan among versions of objects. */
export function pageOfObjects(
  all: readonly StoredObject[],
  plan: ObjectPlan,
  options: ListOptions = {},
): StoredObject[] {
  const wanted = all.filter(inTime(options, (object) => isWanted(object, plan)));
  const page = pageOf(
    wanted.sort((a, b) => compareObjects(a, b, plan.sort)),
    plan,
  );
  return boundedList(page, ({ val }) => val, options.maxCharacters);
}

/** The page of a plan among the rows of its table, which come in their order. */
export function pageOfRows(all: readonly StoredRow[], plan: TablePlan, options: ReadOptions = {}): StoredRow[] {
  const wanted = plan.rowDigests && new Set(plan.rowDigests);
  const kept = all.filter(inTime(options, ({ digest }) => wanted === undefined || wanted.has(digest)));
  const placed = kept.map(({ original_index: position, val }) => ({ position, val }));
  return pageOf(
    sortRows(placed, plan.sort).flatMap((position) => all[position] ?? []),
    plan,
  );
}

/** The page of a plan among the threads of the calls of its project. */
export function pageOfThreads(
  calls: readonly VisibleCall[],
  plan: ThreadPlan,
  options: ReadOptions = {},
): StoredThread[] {
  const { check } = startPatience(options);
  const tally = new ThreadTally();
  for (const { start, end } of calls) {
    check();
    const { id, thread_id: threadId, turn_id: turnId, started_at: startedAt } = start;
    if (threadId === null || threadId === '' || turnId !== id) continue;
    if (plan.threadIds !== undefined && !plan.threadIds.includes(threadId)) continue;
    tally.add(threadId, { id, startedAt, endedAt: end?.ended_at ?? null });
  }
  return tally.page(plan);
}

/** Whether a record is selected, as long as the read may go on. */
function inTime<T>(options: ReadOptions, isSelected: (record: T) => boolean): (record: T) => boolean {
  const { check } = startPatience(options);
  return (record) => {
    check();
    return isSelected(record);
  };
}

/** The records of a page, of all in their order. */
export function pageOf<T>(
  records: readonly T[],
  { offset, limit }: { offset: number; limit?: number | undefined },
): T[] {
  return records.slice(offset, limit === undefined ? undefined : offset + limit);
}

/** Records in chunks of bounded size, as reads give them. */
export function* chunksOf<T>(records: readonly T[], size = 200): Generator<readonly T[]> {
  for (let index = 0; index < records.length; index += size) yield records.slice(index, index + size);
}
