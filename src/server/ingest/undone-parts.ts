import { TracingError } from '../../protocol/error.ts';
import type { CostStore, StoredCost } from '../../storage/contract/costs.ts';
import type { FeedbackStore, StoredFeedback } from '../../storage/contract/feedback.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { withRoles } from '../with-roles.ts';
import { findById, keyOf } from './feedback/find-by-id.ts';

/**
 * The storage, which keeps nothing of prices and feedback that it refuses: the protocol promises that. Engines that do
 * so themselves declare `atomicBatches`, and are left as they are. Calls need no such care: a batch of them that was
 * refused in the middle comes again, and writing a record again is harmless.
 */
export function undoneParts(storage: Storage): Storage {
  if (storage.capabilities.atomicBatches) return storage;
  return withRoles(storage, { costs: undoneCosts(storage.costs), feedback: undoneFeedback(storage.feedback) });
}

function undoneCosts(store: CostStore): CostStore {
  const create = async (costs: readonly StoredCost[]) => {
    const projects = [...new Set(costs.map(({ project_id }) => project_id))];
    const before = (await Promise.all(projects.map(async (project) => await store.list(project)))).flat();
    const known = new Set(before.map(keyOf));
    await orPurge(store, costs, known, async () => await store.create(costs));
  };
  return { create, list: async (id) => await store.list(id), purge: async (id, ids) => await store.purge(id, ids) };
}

function undoneFeedback(store: FeedbackStore): FeedbackStore {
  return {
    create: async (feedback, replacedId) => await store.create(feedback, replacedId),
    createAll: async (feedback: readonly StoredFeedback[]) => {
      const known = new Set((await findById(store, feedback)).keys());
      await orPurge(store, feedback, known, async () => await store.createAll(feedback));
    },
    list: async (projectId, refs) => await store.list(projectId, refs),
    query: async (plan, options) => await store.query(plan, options),
    count: async (plan, options) => await store.count(plan, options),
    purge: async (projectId, ids) => await store.purge(projectId, ids),
  };
}

type Named = Pick<StoredCost, 'project_id' | 'id'>;

/** Does it, or removes what was not there before. */
async function orPurge(
  store: Pick<CostStore, 'purge'>,
  records: readonly Named[],
  known: ReadonlySet<string>,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (error) {
    const parts = records.filter((record) => !known.has(keyOf(record)));
    try {
      for (const { project_id: projectId, id } of parts) await store.purge(projectId, [id]);
    } catch (second) {
      const cause = new AggregateError([error, second]);
      throw new TracingError('unavailable', 'Cannot write, nor undo what was written', { cause });
    }
    throw error;
  }
}
