import { type RefObject, useEffect, useRef, useState } from 'react';
import { command } from '../shell/commands.ts';
import { useKeys } from '../shell/keys.ts';
import { type Draft, draftOf, type FeedbackForm, isEmpty, useDraft, writtenIn } from './drafts.ts';
import { REACTION, THUMBS } from './feedback-kinds.ts';
import type { CallFeedback } from './use-feedback.ts';

export interface GivingState extends Pick<CallFeedback, 'give' | 'key'> {
  readonly open: FeedbackForm | undefined;
  /** It was opened here, to write into it: another is open as something is written in it already. */
  readonly isAsked: boolean;
  readonly setOpen: (form: FeedbackForm | undefined) => void;
  /** The draft that is written and not saved. */
  readonly draft: Draft;
  readonly note: RefObject<HTMLTextAreaElement | null>;
  /** Gives it, or takes it back. */
  readonly thumb: (emoji: string) => void;
  readonly isGiven: (emoji: string) => boolean;
}

export interface GivingOptions {
  /** Shows where notes are written. */
  readonly onNote?: () => void;
  /** Somebody gives feedback, or begins to. */
  readonly onUse?: () => void;
}

/** Giving feedback to a call, by keys too. */
export function useGiving(
  { key, given, isOwn, give, remove, readAgain }: CallFeedback,
  { onNote, onUse }: GivingOptions = {},
): GivingState {
  const [{ open, isAsked }, setState] = useState<Pick<GivingState, 'open' | 'isAsked'>>(() => ({
    open: writtenIn(draftOf(key)),
    isAsked: false,
  }));
  const draft = useDraft(key);
  useClosedOnceSaved(draft, open, () => setState({ open: undefined, isAsked: true }));
  const setOpen = (form: FeedbackForm | undefined): void => {
    // Whoever closes a form is done with it.
    if (form !== undefined) onUse?.();
    setState({ open: form, isAsked: true });
  };
  const note = useRef<HTMLTextAreaElement>(null);
  /** Calls whose thumb is being given or taken back. */
  const thumbed = useRef(new Set<string>());
  const own = (emoji: string) =>
    given.find((each) => each.feedback_type === REACTION && each.payload['emoji'] === emoji && isOwn(each));
  const thumb = (emoji: string): void => {
    onUse?.();
    // Until it is known what the last press did, another would do the same again.
    if (thumbed.current.has(key)) return;
    thumbed.current.add(key);
    const mine = own(emoji);
    const saved = mine === undefined ? give?.({ feedback_type: REACTION, payload: { emoji } }) : remove?.(mine.id);
    void (saved ?? Promise.resolve()).then(readAgain).finally(() => thumbed.current.delete(key));
  };
  const write = (): void => {
    onNote?.();
    setOpen('note');
    note.current?.focus();
  };
  const keys = [
    { ...command('Feedback', '+'), isOnce: true, run: () => thumb(THUMBS.good) },
    { ...command('Feedback', '-'), isOnce: true, run: () => thumb(THUMBS.bad) },
    { ...command('Feedback', 'c'), run: write },
  ];
  useKeys('Feedback', give === undefined ? [] : keys);
  return {
    key,
    open,
    isAsked,
    setOpen,
    draft,
    note,
    thumb,
    isGiven: (emoji) => own(emoji) !== undefined,
    give,
  };
}

/** Closes the form whose content was saved, also where another part has sent it, as before one looked at another call. */
function useClosedOnceSaved(draft: Draft, open: FeedbackForm | undefined, close: () => void): void {
  const sending = useRef(draft.sending);
  useEffect(() => {
    const isOver = open !== undefined && sending.current.includes(open) && !draft.sending.includes(open);
    sending.current = draft.sending;
    if (isOver && isEmpty(draft, open)) close();
  }, [draft, open]);
}
