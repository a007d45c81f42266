import { isDeepStrictEqual } from 'node:util';
import { TracingError } from '../../../protocol/error.ts';
import type { FeedbackCreateRequest } from '../../../protocol/feedback.ts';
import type { StoredFeedback } from '../../../storage/contract/feedback.ts';
import type { JsonText } from '../../../storage/contract/json-text.ts';
import type { Repetition } from '../../http/repetition.ts';
import { ItemProblems } from '../calls/batch-items.ts';
import type { IngestContext } from '../calls/call-facts.ts';
import { answerOf, type Stores, toFeedback } from './create-feedback.ts';
import { feedbackRefusal } from './feedback-refusal.ts';
import { findById, keyOf } from './find-by-id.ts';
import { mapInTurns } from '../../http/map-in-turns.ts';
import type { WriteStores } from '../write-stores.ts';

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
  const problems = new ItemProblems();
  const made = await mapInTurns(batch, async (request, index) => {
    return await toFeedback(stores, request, context, repetition).catch((error: unknown) => {
      problems.add(error, ['batch', index]);
    });
  });
  problems.throwAny();
  const feedback = made.filter((one) => one !== undefined);
  if (feedback.length === 0) return [];
  return (await storeAllOnce(stores.feedback, feedback)).map(answerOf);
}

/**
 * Stores what is not there yet. Clients put records of a batch whose answer was lost into another batch, with the ids
 * they had: these are answered as they are stored, and must not keep out the others.
 */
async function storeAllOnce(
  store: WriteStores['feedback'],
  feedback: readonly StoredFeedback[],
): Promise<StoredFeedback[]> {
  try {
    await store.createAll(feedback);
    return [...feedback];
  } catch (error) {
    const isTaken = error instanceof TracingError && error.code === 'invalid_request';
    if (!isTaken) throw error;
    const stored = await findById(store, feedback);
    checkTaken(feedback, stored);
    const missing = feedback.filter((one) => !stored.has(keyOf(one)));
    // Whoever had one of the ids has just been purged.
    if (missing.length === feedback.length) throw error;
    if (missing.length > 0) await store.createAll(missing);
    return feedback.map((one) => stored.get(keyOf(one)) ?? one);
  }
}

/** Refuses records whose id another one has: one that is stored and differs in more than its time, or one of the batch. */
function checkTaken(feedback: readonly StoredFeedback[], stored: ReadonlyMap<string, StoredFeedback>): void {
  const problems = new ItemProblems();
  const given = new Set<string>();
  for (const [index, one] of feedback.entries()) {
    const key = keyOf(one);
    const other = stored.get(key);
    const isSame = other === undefined || isDeepStrictEqual(other, { ...one, created_at: other.created_at });
    if (given.has(key) || !isSame)
      problems.add(feedbackRefusal('id', `there is one with the id "${one.id}"`), ['batch', index]);
    given.add(key);
  }
  problems.throwAny();
}
