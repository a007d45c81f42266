import type { Storage } from '../../../storage/contract/storage.ts';
import { unpackFacts } from '../../../storage/packed/packed-facts.ts';
import { unpackingWriter } from '../../../storage/packed/unpacking-writer.ts';
import type { AsyncHandlers, RequestOf } from '../../../storage/thread-exchanges.ts';
import type { EndedUsage } from '../calls/ended-usage.ts';
import { changedBy, type ChangedCalls, changesOf } from '../../page/call-changes.ts';
import { NotingFeedback } from '../../page/noting-feedback.ts';
import type { StorageExchanges } from './storage-requests.ts';

/** Who is told what the thread has written. */
export interface WriteListeners {
  readonly onEnded: (ended: readonly EndedUsage[]) => void;
  readonly onChanged: (changed: readonly ChangedCalls[]) => void;
  /** Told of calls whose feedback changed. */
  readonly onSaid: (changed: readonly ChangedCalls[]) => void;
}

/** Answers from the storage what the thread asks of it. */
export function storageAnswers(storage: Storage, listeners: WriteListeners): AsyncHandlers<StorageExchanges> {
  const { objects, files, costs, packed = unpackingWriter(storage) } = storage;
  const feedback = new NotingFeedback(storage.feedback, listeners.onSaid);
  return {
    writeCalls: async ({ facts }) => {
      try {
        return await packed.writeCalls(facts);
      } catch (error) {
        // A part of the batch may be there.
        if (!storage.capabilities.atomicBatches) listeners.onChanged(changedBy(unpackFacts(facts)));
        throw error;
      }
    },
    noteEnded: async ({ ended }) => listeners.onEnded(ended),
    noteChanged: async ({ changed }) => listeners.onChanged(changesOf(changed)),
    noteSaid: async ({ changed }) => listeners.onSaid(changesOf(changed)),
    createObject: async ({ object }) => await packed.createObject(object),
    getObject: async ({ projectId, objectId, version, options }) =>
      await objects.get(projectId, objectId, version, options),
    createFile: async ({ file }) => await files.create(file),
    createCosts: async ({ costs: prices }) => await costs.create(prices),
    createFeedback: async ({ feedback: one, replacedId }) => await feedback.create(one, replacedId),
    createAllFeedback: async ({ feedback: all }) => await packed.createFeedback(all),
    listFeedback: async ({ projectId, refs }) => await feedback.list(projectId, refs),
    queryFeedback: async ({ plan }) => await feedback.query(plan),
    countFeedback: async ({ plan }) => await feedback.count(plan),
    createTable: async ({ table }) => await packed.createTable(table),
    deriveTable: async ({ table }) => await packed.deriveTable(table),
    getRowDigests: async ({ projectId, digest, from }) => await packed.getRowDigests(projectId, digest, from),
  };
}

/** The answer to one request. */
export async function answerTo<Op extends keyof StorageExchanges>(
  request: RequestOf<StorageExchanges, Op>,
  answers: AsyncHandlers<StorageExchanges>,
): Promise<StorageExchanges[Op]['answer']> {
  return await answers[request.op](request);
}
