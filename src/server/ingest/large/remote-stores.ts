import { packFeedback } from '../../../storage/packed/packed-feedback.ts';
import { packFacts } from '../../../storage/packed/packed-facts.ts';
import { listDigests } from '../../../storage/packed/digest-portions.ts';
import { packObject } from '../../../storage/packed/packed-object.ts';
import { packDerived } from '../../../storage/packed/packed-derived-table.ts';
import { packTable } from '../../../storage/packed/packed-table.ts';
import { SharedMemory } from '../../../storage/packed/shared-memory.ts';
import { sharePacked, shareText } from '../../../storage/packed/shared-text.ts';
import type { CallFact, WrittenCall } from '../../../storage/contract/calls.ts';
import type { WriteStores } from '../write-stores.ts';
import { changedBy, packChanges } from '../../page/call-changes.ts';
import { feedbackOn } from '../../page/noting-feedback.ts';
import { endedUsageOf } from '../calls/ended-usage.ts';
import type { StorageAnswerTo, StorageRequest } from './storage-requests.ts';

/** Asks the other thread, which has the storage. */
export type AskStorage = <Asked extends StorageRequest>(request: Asked) => Promise<StorageAnswerTo<Asked>>;

/** Stores that are in another thread. Large lists go there packed. */
export function remoteStores(ask: AskStorage): WriteStores {
  const memory = new SharedMemory();
  return {
    calls: { write: async (facts) => await writeCalls(ask, facts, memory) },
    objects: {
      create: async (object) => await ask({ op: 'createObject', object: packObject(object) }),
      get: async (projectId, objectId, version, options) =>
        await ask({ op: 'getObject', projectId, objectId, version, options }),
    },
    files: { create: async (file) => await ask({ op: 'createFile', file }) },
    costs: { create: async (costs) => await ask({ op: 'createCosts', costs }) },
    feedback: remoteFeedback(ask),
    tables: {
      create: async (table) => {
        await ask({ op: 'createTable', table: packTable(table, { keepText: shareText, keepPacked: sharePacked }) });
      },
      derive: async (table) => await ask({ op: 'deriveTable', table: packDerived(table, sharePacked) }),
      getRowDigests: async (projectId, digest) =>
        await listDigests(async (from) => await ask({ op: 'getRowDigests', projectId, digest, from })),
    },
  };
}

async function writeCalls(ask: AskStorage, facts: readonly CallFact[], memory: SharedMemory): Promise<WrittenCall[]> {
  const traces = await memory.lend(packFacts(facts), async (shared) => await ask({ op: 'writeCalls', facts: shared }));
  const ended = endedUsageOf(facts);
  if (ended.length > 0) await ask({ op: 'noteEnded', ended });
  await ask({ op: 'noteChanged', changed: packChanges(changedBy(facts)) });
  return facts.map(({ id }, index) => ({ id, trace_id: traces[index] ?? '' }));
}

function remoteFeedback(ask: AskStorage): WriteStores['feedback'] {
  return {
    create: async (feedback, replacedId = null) => await ask({ op: 'createFeedback', feedback, replacedId }),
    createAll: async (all) => {
      try {
        await ask({ op: 'createAllFeedback', feedback: sharePacked(packFeedback(all)) });
      } finally {
        // A part of what is refused may be there.
        await ask({ op: 'noteSaid', changed: packChanges(feedbackOn(all)) });
      }
    },
    list: async (projectId, refs) => await ask({ op: 'listFeedback', projectId, refs }),
    query: async (plan) => await ask({ op: 'queryFeedback', plan }),
    count: async (plan) => await ask({ op: 'countFeedback', plan }),
  };
}
