import type { ThreadPlan } from '../contract/plan.ts';
import type { ReadOptions } from '../contract/reads.ts';
import type { StoredThread, ThreadReader } from '../contract/threads.ts';
import { chunksOf, pageOfThreads } from '../values/pages.ts';
import type { VisibleCall } from '../values/call-record.ts';

/** Threads, found in the calls at every read. */
export class MemoryThreads implements ThreadReader {
  readonly #callsOf: (projectId: string) => readonly VisibleCall[];

  constructor(callsOf: (projectId: string) => readonly VisibleCall[]) {
    this.#callsOf = callsOf;
  }

  async *query(plan: ThreadPlan, options: ReadOptions = {}): AsyncGenerator<readonly StoredThread[]> {
    for (const chunk of chunksOf(pageOfThreads(this.#callsOf(plan.projectId), plan, options))) {
      options.signal?.throwIfAborted();
      yield chunk;
    }
  }
}
