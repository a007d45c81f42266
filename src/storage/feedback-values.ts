import { parseJson } from '../protocol/json.ts';
import type { FeedbackType } from './plan.ts';
import type { FeedbackValues } from './record-values.ts';
import type { StoredFeedback } from './storage.ts';

/** What the feedback on a record says, by its type; the list is oldest first. */
export function feedbackByType(list: readonly StoredFeedback[]): (type: FeedbackType) => readonly FeedbackValues[] {
  const said = list.map((feedback) => ({ type: feedback.feedback_type, values: valuesOfFeedback(feedback) }));
  return (type) => said.filter((one) => type === null || one.type === type).map(({ values }) => values);
}

function valuesOfFeedback({ payload, runnable_ref, trigger_ref }: StoredFeedback): FeedbackValues {
  return { payload: parseJson(payload), runnable_ref, trigger_ref };
}
