import { type RefObject, useRef, useState } from 'react';
import { useKeys } from '../shell/keys.ts';
import { REACTION, THUMBS } from './feedback-kinds.ts';
import type { CallFeedback } from './use-feedback.ts';

type Form = 'note' | 'score';

export interface GivingState extends Pick<CallFeedback, 'give'> {
  readonly open: Form | undefined;
  readonly setOpen: (form: Form | undefined) => void;
  readonly note: RefObject<HTMLTextAreaElement | null>;
  /** Gives it, or takes it back. */
  readonly thumb: (emoji: string) => void;
  readonly isGiven: (emoji: string) => boolean;
}

/** Giving feedback to a call, by keys too. @param onNote shows where notes are written */
export function useGiving({ given, isOwn, give, remove }: CallFeedback, onNote?: () => void): GivingState {
  const [open, setOpen] = useState<Form>();
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
    { keys: ['+'], label: 'good', isOnce: true, run: () => thumb(THUMBS.good) },
    { keys: ['-'], label: 'bad', isOnce: true, run: () => thumb(THUMBS.bad) },
    { keys: ['c'], label: 'write a note', run: write },
  ];
  useKeys('Feedback', give === undefined ? [] : keys);
  return { open, setOpen, note, thumb, isGiven: (emoji) => own(emoji) !== undefined, give };
}
