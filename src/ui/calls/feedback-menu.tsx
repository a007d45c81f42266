import { type FormEvent, type ReactElement, useState } from 'react';
import { BAD, GOOD, MAX_NOTE, NOTE } from '../call/feedback-kinds.ts';
import { Button } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import type { GivenFeedback } from '../data/give-feedback.ts';
import classes from './feedback-menu.module.css';

export interface FeedbackMenuProps {
  readonly onGive: (given: GivenFeedback) => void;
}

/** Feedback for all selected calls at once: a thumb, or a note. */
export function FeedbackMenu({ onGive }: FeedbackMenuProps): ReactElement {
  const [note, setNote] = useState('');
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (note.trim() !== '') onGive({ feedback_type: NOTE, payload: { note: note.trim() } });
  };
  return (
    <Menu
      label="Feedback"
      side="above"
      button={{ id: 'give-feedback', isSmall: true, children: 'Feedback', keyCap: 'c' }}
      groups={[
        [
          { label: 'Good', icon: 'thumb-up', keyCap: '+', onSelect: () => onGive(GOOD) },
          { label: 'Bad', icon: 'thumb-down', keyCap: '-', onSelect: () => onGive(BAD) },
        ],
      ]}
    >
      <form className={classes.note} onSubmit={save}>
        <input
          aria-label="Note"
          placeholder="A note"
          maxLength={MAX_NOTE}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        <Button type="submit" isSmall disabled={note.trim() === ''}>
          Save note
        </Button>
      </form>
    </Menu>
  );
}
