import type { StoredFeedback } from '../../../storage/contract/feedback.ts';
import { planOfIds } from '../../../storage/values/feedback-values.ts';
import type { WriteStores } from '../write-stores.ts';

/** The feedback that is stored under the ids of the records, by project and id. */
export async function findById(
  store: WriteStores['feedback'],
  feedback: readonly StoredFeedback[],
): Promise<Map<string, StoredFeedback>> {
  const stored = new Map<string, StoredFeedback>();
  for (const projectId of new Set(feedback.map(({ project_id }) => project_id))) {
    const ids = feedback.flatMap((one) => (one.project_id === projectId ? one.id : []));
    for (const one of await store.query(planOfIds(projectId, ids))) stored.set(keyOf(one), one);
  }
  return stored;
}

/** The key that tells records of all projects apart. */
export function keyOf({ project_id: projectId, id }: Pick<StoredFeedback, 'project_id' | 'id'>): string {
  return `${projectId} ${id}`;
}
