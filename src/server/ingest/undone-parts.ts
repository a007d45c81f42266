import { TracingError } from '../../protocol/error.ts';
import type { CostStore, StoredCost } from '../../storage/contract/costs.ts';
import type { FeedbackStore, StoredFeedback } from '../../storage/contract/feedback.ts';
import type { Storage } from '../../storage/contract/storage.ts';
import { withRoles } from '../with-roles.ts';
import { findById, keyOf } from './feedback/find-by-id.ts';
import { InTurn } from './in-turn.ts';

/**
 * The storage, which keeps nothing of prices and feedback that it refuses: the protocol promises that. Engines that do
 * so themselves declare `atomicBatches`, and are left as they are. Calls need no such care: a batch of them that was
 * refused in the middle comes again, and writing a record again is harmless.
 *
 * Writes of a project come one after the other: what another write has added meanwhile would be taken for a part of the
 * one that is undone. What is packed would go past all that, so that this role is left out.
 */
export function undoneParts(storage: Storage): Storage {
  if (storage.capabilities.atomicBatches) return storage;
  const { costs, feedback } = storage;
  return withRoles(storage, { costs: undoneCosts(costs), feedback: undoneFeedback(feedback), packed: undefined });
}

function undoneCosts(store: CostStore): CostStore {
  const turns = new InTurn();
  return {
    create: async (costs) => {
      const projects = projectsOf(costs);
      await turns.run(projects, async () => {
        const before = (await Promise.all(projects.map(async (project) => await store.list(project)))).flat();
        const undo = async () => await purgeAllBut(store, costs, new Set(before.map(keyOf)));
        await orUndo(async () => await store.create(costs), undo);
      });
    },
    list: async (id) => await store.list(id),
    purge: async (id, ids) => await turns.run([id], async () => await store.purge(id, ids)),
  };
}

function undoneFeedback(store: FeedbackStore): FeedbackStore {
  const turns = new InTurn();
  return {
    create: async (feedback, replacedId) =>
      await turns.run([feedback.project_id], async () => await replaceOrUndo(store, feedback, replacedId ?? null)),
    createAll: async (feedback) =>
      await turns.run(projectsOf(feedback), async () => {
        const known = new Set((await findById(store, feedback)).keys());
        const undo = async () => await purgeAllBut(store, feedback, known);
        await orUndo(async () => await store.createAll(feedback), undo);
      }),
    list: async (projectId, refs) => await store.list(projectId, refs),
    query: async (plan, options) => await store.query(plan, options),
    count: async (plan, options) => await store.count(plan, options),
    purge: async (id, ids) => await turns.run([id], async () => await store.purge(id, ids)),
  };
}

/** An engine adds first or removes first, as it likes: either may have been done. */
async function replaceOrUndo(store: FeedbackStore, feedback: StoredFeedback, replacedId: string | null): Promise<void> {
  const touched = replacedId === null ? [feedback] : [feedback, { ...feedback, id: replacedId }];
  const before = await findById(store, touched);
  const undo = async () => {
    await purgeAllBut(store, [feedback], new Set(before.keys()));
    const left = await findById(store, touched);
    for (const [key, one] of before) if (!left.has(key)) await store.create(one);
  };
  await orUndo(async () => await store.create(feedback, replacedId), undo);
}

type Named = Pick<StoredCost, 'project_id' | 'id'>;

function projectsOf(records: readonly Named[]): readonly string[] {
  return [...new Set(records.map(({ project_id: projectId }) => projectId))];
}

async function purgeAllBut(
  store: Pick<CostStore, 'purge'>,
  records: readonly Named[],
  known: ReadonlySet<string>,
): Promise<void> {
  const parts = records.filter((record) => !known.has(keyOf(record)));
  for (const { project_id: projectId, id } of parts) await store.purge(projectId, [id]);
}

async function orUndo(write: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    try {
      await undo();
    } catch (second) {
      const cause = new AggregateError([error, second]);
      throw new TracingError('unavailable', 'Cannot write, nor undo what was written', { cause });
    }
    throw error;
  }
}
