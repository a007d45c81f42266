import { TracingError } from '../../protocol/error.ts';
import type { Storage } from '../contract/storage.ts';
import { overviewsOf } from '../values/overviews/read-overviews.ts';
import { MemoryCalls } from './memory-calls.ts';
import { MemoryCosts } from './memory-costs.ts';
import { MemoryFeedback } from './memory-feedback.ts';
import { MemoryFiles } from './memory-files.ts';
import { MemoryObjects } from './memory-objects.ts';
import { MemoryPolicy, MemoryRetention } from './memory-retention.ts';
import { MemoryRuns } from './memory-runs.ts';
import { MemoryTables } from './memory-tables.ts';
import { MemoryThreads } from './memory-threads.ts';
import { MemoryViews } from './memory-views.ts';

/** Keeps everything in this process, for tests and as the reference of what the contract means. */
export function openMemoryStorage(): Storage {
  let isOpen = true;
  const feedback = new MemoryFeedback();
  const runs: MemoryRuns = new MemoryRuns(() => calls);
  const calls: MemoryCalls = new MemoryCalls(
    (projectId, ref) => feedback.on(projectId, ref),
    (fact) => runs.see(fact),
  );
  return {
    capabilities: { snapshots: true, atomicBatches: true, readYourWrites: true },
    calls,
    objects: new MemoryObjects(),
    files: new MemoryFiles(),
    costs: new MemoryCosts(),
    feedback,
    overviews: overviewsOf(calls),
    tables: new MemoryTables(),
    retention: new MemoryRetention(calls, feedback, runs),
    policy: new MemoryPolicy(),
    runs,
    views: new MemoryViews(),
    threads: new MemoryThreads((projectId) => calls.visibleCalls(projectId)),
    checkHealth: async () => {
      if (!isOpen) throw new TracingError('unavailable', 'Cannot use the storage: it is closed');
    },
    close: async () => {
      isOpen = false;
    },
  };
}
