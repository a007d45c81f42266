import { parseJson } from '../../protocol/values/json.ts';
import type { FeedbackPlan, FeedbackType } from '../contract/plan.ts';
import type { FeedbackValues, RecordValues } from './record-values.ts';
import type { StoredFeedback } from '../contract/feedback.ts';

/** The columns of one feedback, as queries for feedback itself read them. */
export function columnsOfFeedback(feedback: StoredFeedback): RecordValues {
  return {
    text: (column: keyof StoredFeedback) => {
      const value = feedback[column];
      return value === null ? null : String(value);
    },
    time: (column: 'created_at') => feedback[column],
    integer: () => null,
    json: () => parseJson(feedback.payload),
  };
}

/** Values of the feedback on a record, by its type; the list is oldest first. */
export function feedbackByType(list: readonly StoredFeedback[]): (type: FeedbackType) => readonly FeedbackValues[] {
  const said = list.map((feedback) => ({ type: feedback.feedback_type, values: valuesOfFeedback(feedback) }));
  return (type) => said.filter((one) => type === null || one.type === type).map(({ values }) => values);
}

function valuesOfFeedback({ payload, runnable_ref, trigger_ref }: StoredFeedback): FeedbackValues {
  return { payload: parseJson(payload), runnable_ref, trigger_ref };
}

/** Asks for the feedback of these ids. */
export function planOfIds(projectId: string, ids: readonly string[]): FeedbackPlan {
  const id = { kind: 'text', column: 'id' } as const;
  const items = ids.map((value) => ({ kind: 'literal', value }) as const);
  return {
    projectId,
    condition: { kind: 'in', operand: id, items },
    sort: [{ field: id, isDescending: false }],
    offset: 0,
  };
}
