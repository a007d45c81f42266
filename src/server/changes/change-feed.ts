import type { CallFact } from '../../storage/contract/calls.ts';
import type { PackedWriter } from '../../storage/contract/packed.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { unpackFacts } from '../../storage/packed/packed-facts.ts';
import { withRoles } from '../with-roles.ts';

/** Calls of a project that were written, or asked to be deleted, together. What is below deleted calls goes unnamed. */
export interface CallChange {
  readonly kind: 'written' | 'deleted';
  readonly projectId: string;
  readonly ids: readonly string[];
}

export type ChangeListener = (change: CallChange) => void;

/**
 * Tells what was written to a storage through this process, after it can be read and in the order of the commits. Nothing
 * is kept, and nothing is done while nobody listens. What retention removes is not told.
 */
export class ChangeFeed {
  readonly #listeners = new Map<string, Set<ChangeListener>>();

  /** Listeners must not throw or take long; the answer ends it. */
  listen(projectId: string, listener: ChangeListener): () => void {
    const listeners = this.#listeners.get(projectId) ?? new Set();
    this.#listeners.set(projectId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(projectId) === listeners) this.#listeners.delete(projectId);
    };
  }

  /** The storage, whose writes are told from now on. */
  watch(storage: Storage): Storage {
    const { packed } = storage;
    return withRoles(storage, {
      calls: this.#watchedCalls(storage.calls),
      ...(packed && { packed: this.#watchedPacked(packed) }),
    });
  }

  #watchedCalls(calls: Storage['calls']): Storage['calls'] {
    return {
      write: async (facts) => {
        const written = await calls.write(facts);
        this.#tellFacts(facts);
        return written;
      },
      rename: async (projectId, id, name) => {
        await calls.rename(projectId, id, name);
        this.#tell({ kind: 'written', projectId, ids: [id] });
      },
      delete: async (projectId, ids, deletedAt) => {
        const count = await calls.delete(projectId, ids, deletedAt);
        if (count > 0) this.#tell({ kind: 'deleted', projectId, ids });
        return count;
      },
      get: (projectId, id) => calls.get(projectId, id),
      query: (plan, options) => calls.query(plan, options),
      count: (selection, limit, options) => calls.count(selection, limit, options),
    };
  }

  #watchedPacked(packed: PackedWriter): PackedWriter {
    return {
      writeCalls: async (facts) => {
        const traces = await packed.writeCalls(facts);
        if (this.#listeners.size > 0) this.#tellFacts(unpackFacts(facts));
        return traces;
      },
      createTable: (table) => packed.createTable(table),
      createFeedback: (feedback) => packed.createFeedback(feedback),
      getRowDigests: (projectId, digest) => packed.getRowDigests(projectId, digest),
    };
  }

  #tellFacts(facts: readonly CallFact[]): void {
    if (this.#listeners.size === 0) return;
    const ids = new Map<string, Set<string>>();
    for (const { project_id: projectId, id } of facts) {
      if (!this.#listeners.has(projectId)) continue;
      const known = ids.get(projectId) ?? new Set();
      ids.set(projectId, known.add(id));
    }
    for (const [projectId, written] of ids) this.#tell({ kind: 'written', projectId, ids: [...written] });
  }

  #tell(change: CallChange): void {
    for (const listener of this.#listeners.get(change.projectId) ?? []) listener(change);
  }
}
