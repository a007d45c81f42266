import type { CallPlan, CallSelection } from '../../storage/contract/plan.ts';
import type { CallFact, StoredCall, WrittenCall } from '../../storage/contract/calls.ts';
import type { ReadOptions } from '../../storage/contract/reads.ts';
import type { Storage } from '../../storage/contract/storage.ts';

type Calls = Storage['calls'];

/** Calls of a storage that tells what was written, when it was. */
export class NotingCalls implements Calls {
  readonly #calls: Calls;
  readonly #onWritten: (facts: readonly CallFact[]) => void;
  readonly #onChanged: (projectId: string, ids: readonly string[]) => void;

  /** `onChanged` is told of calls that were renamed or deleted. */
  constructor(
    calls: Calls,
    onWritten: (facts: readonly CallFact[]) => void,
    onChanged: (projectId: string, ids: readonly string[]) => void = () => undefined,
  ) {
    this.#calls = calls;
    this.#onWritten = onWritten;
    this.#onChanged = onChanged;
  }

  async write(facts: readonly CallFact[]): Promise<WrittenCall[]> {
    const written = await this.#calls.write(facts);
    this.#onWritten(facts);
    return written;
  }

  async rename(projectId: string, callId: string, displayName: string): Promise<void> {
    await this.#calls.rename(projectId, callId, displayName);
    this.#onChanged(projectId, [callId]);
  }

  async delete(projectId: string, callIds: readonly string[], deletedAt: number): Promise<number> {
    const count = await this.#calls.delete(projectId, callIds, deletedAt);
    this.#onChanged(projectId, callIds);
    return count;
  }

  async get(projectId: string, id: string): Promise<StoredCall | undefined> {
    return await this.#calls.get(projectId, id);
  }

  query(plan: CallPlan, options?: ReadOptions): AsyncIterable<readonly StoredCall[]> {
    return this.#calls.query(plan, options);
  }

  async count(selection: CallSelection, limit?: number, options?: ReadOptions): Promise<number> {
    return await this.#calls.count(selection, limit, options);
  }
}

/** The storage with other calls; it may be an instance of a class, whose methods want to be called on it. */
export function withCalls(storage: Storage, calls: Calls): Storage {
  const {
    capabilities,
    objects,
    files,
    costs,
    feedback,
    tables,
    threads,
    views,
    overviews,
    packed,
    retention,
    writeQueue,
  } = storage;
  return {
    capabilities,
    calls,
    objects,
    files,
    costs,
    feedback,
    tables,
    threads,
    views,
    ...(overviews && { overviews }),
    ...(packed && { packed }),
    ...(retention && { retention }),
    ...(writeQueue && { writeQueue: () => writeQueue.call(storage) }),
    checkHealth: async () => await storage.checkHealth(),
    close: async () => await storage.close(),
  };
}
