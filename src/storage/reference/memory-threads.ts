import type { ThreadPlan } from '../contract/plan.ts';
import type { ReadOptions } from '../contract/reads.ts';
import type { StoredThread, ThreadReader } from '../contract/threads.ts';
import { ThreadTally } from '../values/thread-tally.ts';
import type { VisibleCall } from './call-record.ts';

const CHUNK_ROWS = 200;

/** Threads, found in the calls at every read. */
export class MemoryThreads implements ThreadReader {
  readonly #callsOf: (projectId: string) => readonly VisibleCall[];

  constructor(callsOf: (projectId: string) => readonly VisibleCall[]) {
    this.#callsOf = callsOf;
  }

  async *query(plan: ThreadPlan, { signal }: ReadOptions = {}): AsyncGenerator<readonly StoredThread[]> {
    const tally = new ThreadTally();
    for (const { start, end } of this.#callsOf(plan.projectId)) {
      const { id, thread_id: threadId, turn_id: turnId, started_at: startedAt } = start;
      if (threadId === null || threadId === '' || turnId !== id) continue;
      if (plan.threadIds !== undefined && !plan.threadIds.includes(threadId)) continue;
      tally.add(threadId, { id, startedAt, endedAt: end?.ended_at ?? null });
    }
    const page = tally.page(plan);
    for (let index = 0; index < page.length; index += CHUNK_ROWS) {
      signal?.throwIfAborted();
      yield page.slice(index, index + CHUNK_ROWS);
    }
  }
}
