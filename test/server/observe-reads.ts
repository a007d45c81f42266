import type { CallPlan } from '../../src/storage/contract/plan.ts';
import type { CallReader, StoredCall } from '../../src/storage/contract/calls.ts';
import type { Storage } from '../../src/storage/contract/storage.ts';

export interface ReadObserver {
  onQuery?(plan: CallPlan): void;
  onChunk?(chunk: readonly StoredCall[]): void;
}

/** The same storage; the observer hears of every query of calls and of every chunk that was taken of one. */
export function observeReads(storage: Storage, observer: ReadObserver): Storage {
  const { calls } = storage;
  const query: CallReader['query'] = async function* query(plan, options) {
    observer.onQuery?.(plan);
    for await (const chunk of calls.query(plan, options)) {
      observer.onChunk?.(chunk);
      yield chunk;
    }
  };
  const observed: Storage['calls'] = {
    write: (facts) => calls.write(facts),
    rename: (...args) => calls.rename(...args),
    delete: (...args) => calls.delete(...args),
    get: (...args) => calls.get(...args),
    count: (...args) => calls.count(...args),
    query,
  };
  return { ...storage, calls: observed };
}
