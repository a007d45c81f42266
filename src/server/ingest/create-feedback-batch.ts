import { isDeepStrictEqual } from 'node:util';
import { TracingError } from '../../protocol/error.ts';
import type { FeedbackCreateRequest } from '../../protocol/feedback.ts';
import type { FeedbackStore, JsonText, StoredFeedback } from '../../storage/storage.ts';
import type { Repetition } from '../repetition.ts';
import type { IngestContext } from './call-facts.ts';
import { answerOf, type Stores, toFeedback } from './create-feedback.ts';
import { mapInTurns } from './map-in-turns.ts';

/** Stores feedback, all or none, and returns the answers as JSON. */
export async function createFeedbackBatch(
  stores: Stores,
  batch: readonly FeedbackCreateRequest[],
  context: IngestContext,
  repetition: Repetition,
): Promise<JsonText[]> {
  const max = context.limits.batch_items;
  if (batch.length > max) {
    throw new TracingError('too_many_items', `Cannot create ${batch.length} feedbacks at once: want at most ${max}`);
  }
  const feedback = await mapInTurns(batch, (request) => toFeedback(stores, request, context, repetition));
  if (feedback.length === 0) return [];
  return (await storeAllOnce(stores.feedback, feedback)).map(answerOf);
}

/**
 * Stores what is not there yet. Clients put records of a batch whose answer was lost into another batch, with the ids
 * they had: these are answered as they are stored, and must not keep out the others.
 */
async function storeAllOnce(store: FeedbackStore, feedback: readonly StoredFeedback[]): Promise<StoredFeedback[]> {
  try {
    await store.createAll(feedback);
    return [...feedback];
  } catch (error) {
    const isTaken = error instanceof TracingError && error.code === 'invalid_request';
    const earlier = isTaken ? await findSame(store, feedback) : [];
    const missing = feedback.filter((_one, index) => earlier[index] === undefined);
    if (missing.length === feedback.length) throw error;
    if (missing.length > 0) await store.createAll(missing);
    return feedback.map((one, index) => earlier[index] ?? one);
  }
}

/** For each record the one that is stored under its id, if it differs in nothing but its time. */
async function findSame(
  store: FeedbackStore,
  feedback: readonly StoredFeedback[],
): Promise<(StoredFeedback | undefined)[]> {
  const stored = new Map<string, StoredFeedback>();
  for (const projectId of new Set(feedback.map(({ project_id }) => project_id))) {
    const refs = feedback.flatMap((one) => (one.project_id === projectId ? one.svc_ref : []));
    for (const one of await store.list(projectId, [...new Set(refs)])) stored.set(keyOf(one), one);
  }
  return feedback.map((one) => {
    const other = stored.get(keyOf(one));
    return isDeepStrictEqual(other, { ...one, created_at: other?.created_at }) ? other : undefined;
  });
}

function keyOf({ project_id: projectId, id }: StoredFeedback): string {
  return `${projectId} ${id}`;
}
