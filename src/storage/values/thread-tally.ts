import { compareCodePoints } from '../../protocol/values/canonical-json.ts';
import type { ThreadColumn, ThreadPlan, ThreadSortKey } from '../contract/plan.ts';
import { quantileMs } from './overviews/quantile.ts';
import type { StoredThread } from '../contract/threads.ts';

/** The members of a turn that its thread needs; times in microseconds. */
export interface Turn {
  readonly id: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** Adds up the turns of threads, in whatever order they come, for all engines that do so themselves. */
export class ThreadTally {
  readonly #threads = new Map<string, Sum>();

  add(threadId: string, turn: Turn): void {
    const updatedAt = turn.endedAt ?? turn.startedAt;
    const sum = this.#threads.get(threadId) ?? { first: turn, last: turn, updatedAt, count: 0, durations: [] };
    this.#threads.set(threadId, sum);
    sum.count += 1;
    if (isEarlier(turn, sum.first)) sum.first = turn;
    if (updatedAt > sum.updatedAt || (updatedAt === sum.updatedAt && turn.id > sum.last.id)) {
      sum.last = turn;
      sum.updatedAt = updatedAt;
    }
    if (turn.endedAt !== null) sum.durations.push(Math.max(0, turn.endedAt - turn.startedAt));
  }

  /** The threads that a plan asks for, in its order. */
  page(plan: ThreadPlan): StoredThread[] {
    const threads = [...this.#threads].map(([id, sum]) => storedThread(id, sum)).filter((thread) => isIn(plan, thread));
    threads.sort((left, right) => compareThreads(plan.sort, left, right));
    return threads.slice(plan.offset, plan.limit === undefined ? undefined : plan.offset + plan.limit);
  }
}

interface Sum {
  first: Turn;
  last: Turn;
  updatedAt: number;
  count: number;
  /** Microseconds of the turns that have ended. */
  readonly durations: number[];
}

/** Ids are ASCII, where the order of JavaScript is the one of code points. */
function isEarlier(turn: Turn, first: Turn): boolean {
  return turn.startedAt < first.startedAt || (turn.startedAt === first.startedAt && turn.id < first.id);
}

function storedThread(id: string, { first, last, updatedAt, count, durations }: Sum): StoredThread {
  durations.sort((left, right) => left - right);
  return {
    thread_id: id,
    turn_count: count,
    start_time: first.startedAt,
    last_updated: updatedAt,
    first_turn_id: first.id,
    last_turn_id: last.id,
    p50_turn_duration_ms: quantileMs(durations, 50),
    p99_turn_duration_ms: quantileMs(durations, 99),
  };
}

function isIn({ startedAfter, updatedBefore }: ThreadPlan, thread: StoredThread): boolean {
  return (
    (startedAfter === undefined || thread.start_time > startedAfter) &&
    (updatedBefore === undefined || thread.last_updated < updatedBefore)
  );
}

function compareThreads(keys: readonly ThreadSortKey[], left: StoredThread, right: StoredThread): number {
  for (const { column, isDescending } of keys) {
    const order = compareColumn(column, isDescending, left, right);
    if (order !== 0) return order;
  }
  return 0;
}

/** Nulls come last in both directions. */
function compareColumn(column: ThreadColumn, isDescending: boolean, left: StoredThread, right: StoredThread): number {
  const direction = isDescending ? -1 : 1;
  if (column === 'thread_id') return direction * compareCodePoints(left.thread_id, right.thread_id);
  const a = left[column];
  const b = right[column];
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return direction * (a - b);
}
