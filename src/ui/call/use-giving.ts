import { type RefObject, useRef, useState } from 'react';
import { command } from '../shell/commands.ts';
import { useKeys } from '../shell/keys.ts';
import { draftOf, type FeedbackForm, writtenIn } from './drafts.ts';
import { REACTION, THUMBS } from './feedback-kinds.ts';
import type { CallFeedback } from './use-feedback.ts';

export interface GivingState extends Pick<CallFeedback, 'give' | 'key'> {
  readonly open: FeedbackForm | undefined;
  /** It was opened here, to write into it: another is open as something is written in it already. */
  readonly isAsked: boolean;
  readonly setOpen: (form: FeedbackForm | undefined) => void;
  /** Closes a form, if it is still that one that is open. */
  readonly close: (form: FeedbackForm) => void;
  readonly note: RefObject<HTMLTextAreaElement | null>;
  /** Gives it, or takes it back. */
  readonly thumb: (emoji: string) => void;
  readonly isGiven: (emoji: string) => boolean;
}

/** Giving feedback to a call, by keys too. @param onNote shows where notes are written */
export function useGiving({ key, given, isOwn, give, remove }: CallFeedback, onNote?: () => void): GivingState {
  const [{ open, isAsked }, setState] = useState<Pick<GivingState, 'open' | 'isAsked'>>(() => ({
    open: writtenIn(draftOf(key)),
    isAsked: false,
  }));
  const setOpen = (form: FeedbackForm | undefined): void => setState({ open: form, isAsked: true });
  const note = useRef<HTMLTextAreaElement>(null);
  const own = (emoji: string) =>
    given.find((each) => each.feedback_type === REACTION && each.payload['emoji'] === emoji && isOwn(each));
  const thumb = (emoji: string): void => {
    const mine = own(emoji);
    if (mine !== undefined) void remove?.(mine.id);
    else void give?.({ feedback_type: REACTION, payload: { emoji } });
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
    close: (form) => setState((was) => (was.open === form ? { open: undefined, isAsked: true } : was)),
    note,
    thumb,
    isGiven: (emoji) => own(emoji) !== undefined,
    give,
  };
}
