import type { GivenFeedback } from '../data/give-feedback.ts';

/** The types of feedback that the page itself gives, beside scores, which have names of their own. */
export const REACTION = 'svc.reaction.1';
export const NOTE = 'svc.note.1';

/** Characters that the service takes of a note. */
export const MAX_NOTE = 1024;

export const THUMBS = { good: '👍', bad: '👎' } as const;

export const GOOD: GivenFeedback = { feedback_type: REACTION, payload: { emoji: THUMBS.good } };
export const BAD: GivenFeedback = { feedback_type: REACTION, payload: { emoji: THUMBS.bad } };
