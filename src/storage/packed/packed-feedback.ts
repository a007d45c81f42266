import type { StoredFeedback } from '../contract/feedback.ts';
import { LAST_MARK, type Packed, Packer, Unpacker } from './packing.ts';

const IS_FEEDBACK = LAST_MARK - 1;

/** Feedback on its way between threads. */
export function packFeedback(feedback: readonly StoredFeedback[]): Packed {
  const packer = new Packer();
  for (const one of feedback) {
    packer.begin(IS_FEEDBACK);
    for (const field of TEXTS) packer.text(one[field]);
    packer.number(one.created_at);
  }
  return packer.finish(feedback.length);
}

/** Feedback that came packed or as it is. */
export function feedbackOf(feedback: readonly StoredFeedback[] | Packed): readonly StoredFeedback[] {
  if (!('count' in feedback)) return feedback;
  const unpacker = new Unpacker(feedback);
  return Array.from({ length: feedback.count }, () => {
    unpacker.begin();
    const texts = Object.fromEntries(TEXTS.map((field) => [field, unpacker.textOrNull()]));
    // These are all fields but the number.
    return { ...texts, created_at: unpacker.number() } as unknown as StoredFeedback;
  });
}

/** All fields that are texts, in the order in which they are packed. */
const FIELDS: Readonly<Record<Exclude<keyof StoredFeedback, 'created_at'>, true>> = {
  project_id: true,
  id: true,
  svc_ref: true,
  creator: true,
  feedback_type: true,
  payload: true,
  annotation_ref: true,
  runnable_ref: true,
  call_ref: true,
  trigger_ref: true,
  queue_id: true,
  svc_user_id: true,
};
const TEXTS = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
