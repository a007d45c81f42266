import { useSyncExternalStore } from 'react';

/** Forms that feedback is written in. */
export type FeedbackForm = 'note' | 'score';

/** Texts that were written for a call and are not saved. They stay while one looks at other calls and pages. */
export interface Draft {
  readonly note: string;
  readonly scoreName: string;
  readonly score: string;
  /** Forms whose content is on its way. */
  readonly sending: readonly FeedbackForm[];
}

const NOTHING: Draft = { note: '', scoreName: 'score', score: '', sending: [] };

/** Of so many calls, the last that something was written for. */
const MAX_DRAFTS = 100;

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

/** The draft of a call; `key` is of the call and of who looks at it: what one has written no other sees. */
export function draftOf(key: string): Draft {
  return drafts.get(key) ?? NOTHING;
}

/** The same, for a part that is drawn again when it changes. */
export function useDraft(key: string): Draft {
  return useSyncExternalStore(subscribe, () => draftOf(key));
}

export function changeDraft(key: string, change: Partial<Draft>): void {
  const draft = { ...draftOf(key), ...change };
  drafts.delete(key);
  if (writtenIn(draft) !== undefined || draft.sending.length > 0) drafts.set(key, draft);
  const [oldest] = drafts.keys();
  if (drafts.size > MAX_DRAFTS && oldest !== undefined) drafts.delete(oldest);
  for (const listener of listeners) listener();
}

/** The form that something is written in. */
export function writtenIn({ note, scoreName, score }: Draft): FeedbackForm | undefined {
  if (note !== '') return 'note';
  return score !== '' || scoreName !== NOTHING.scoreName ? 'score' : undefined;
}

/** Is nothing written in a form? */
export function isEmpty(draft: Draft, form: FeedbackForm): boolean {
  return writtenIn({ ...NOTHING, ...only(draft, form) }) === undefined;
}

function only({ note, scoreName, score }: Draft, form: FeedbackForm): Partial<Draft> {
  return form === 'note' ? { note } : { scoreName, score };
}

/** The content of a form once it is saved. */
export function emptied(form: FeedbackForm): Partial<Draft> {
  return form === 'note' ? { note: NOTHING.note } : { scoreName: NOTHING.scoreName, score: NOTHING.score };
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => void listeners.delete(changed);
}
