import type { JsonValue } from '../../../protocol/values/canonical-json.ts';
import { formatDateTime } from '../../../protocol/values/date-time.ts';
import { parseJson } from '../../../protocol/values/json.ts';
import { formatCallRef } from '../../../protocol/ref.ts';
import type { StoredCall } from '../../../storage/contract/calls.ts';
import type { FeedbackStore, StoredFeedback } from '../../../storage/contract/feedback.ts';

export type FeedbackByRef = ReadonlyMap<string, readonly StoredFeedback[]>;

/** All feedback of the project on some of its calls. */
export async function feedbackOfCalls(
  store: FeedbackStore,
  projectId: string,
  calls: readonly StoredCall[],
): Promise<FeedbackByRef> {
  const refs = calls.map(({ id }) => formatCallRef(projectId, id));
  const byRef = new Map<string, StoredFeedback[]>();
  for (const feedback of await store.list(projectId, refs)) {
    const others = byRef.get(feedback.svc_ref);
    if (others) others.push(feedback);
    else byRef.set(feedback.svc_ref, [feedback]);
  }
  return byRef;
}

/** The feedback on a call as its summary shows it, oldest first. */
export function feedbackOnCall(call: StoredCall, byRef: FeedbackByRef): JsonValue {
  return (byRef.get(formatCallRef(call.project_id, call.id)) ?? []).map((feedback) => ({
    id: feedback.id,
    feedback_type: feedback.feedback_type,
    svc_ref: feedback.svc_ref,
    payload: parseJson(feedback.payload),
    creator: feedback.creator,
    created_at: formatDateTime(feedback.created_at),
    svc_user_id: feedback.svc_user_id,
    annotation_ref: feedback.annotation_ref,
    runnable_ref: feedback.runnable_ref,
    call_ref: feedback.call_ref,
    trigger_ref: feedback.trigger_ref,
  }));
}
