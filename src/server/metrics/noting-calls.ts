import type { CallPlan, CallSelection } from '../../storage/contract/plan.ts';
import type { CallFact, StoredCall, WrittenCall } from '../../storage/contract/calls.ts';
import type { ReadOptions } from '../../storage/contract/reads.ts';
import type { Storage } from '../../storage/contract/storage.ts';

type Calls = Storage['calls'];

export interface NoteListeners {
  readonly onWritten: (facts: readonly CallFact[]) => void;
  /** Of a batch that was refused, of which an engine without `atomicBatches` may have kept a part. @default none */
  readonly onRefused?: ((facts: readonly CallFact[]) => void) | undefined;
  /** Of calls that were renamed or deleted. @default none */
  readonly onChanged?: (projectId: string, ids: readonly string[]) => void;
}

/** Calls of a storage that tells what was written, when it was. */
export class NotingCalls implements Calls {
  readonly #calls: Calls;
  readonly #listeners: NoteListeners;

  constructor(calls: Calls, listeners: NoteListeners) {
    this.#calls = calls;
    this.#listeners = listeners;
  }

  async write(facts: readonly CallFact[]): Promise<WrittenCall[]> {
    try {
      const written = await this.#calls.write(facts);
      this.#listeners.onWritten(facts);
      return written;
    } catch (error) {
      this.#listeners.onRefused?.(facts);
      throw error;
    }
  }

  async rename(projectId: string, callId: string, displayName: string): Promise<void> {
    await this.#calls.rename(projectId, callId, displayName);
    this.#listeners.onChanged?.(projectId, [callId]);
  }

  async delete(projectId: string, callIds: readonly string[], deletedAt: number): Promise<number> {
    const count = await this.#calls.delete(projectId, callIds, deletedAt);
    this.#listeners.onChanged?.(projectId, callIds);
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
