import { type FormEvent, type ReactElement, type RefObject, useEffect, useRef } from 'react';
import { textOf } from '../json/read-json.ts';
import { Button, IconButton } from '../controls/button.tsx';
import { Icon } from '../controls/signs/icon.tsx';
import { useFocusHandedOn } from '../controls/use-focus-handed-on.ts';
import type { GivenFeedback } from '../data/give-feedback.ts';
import { formatInstant, formatTime } from '../format/time.ts';
import { JsonValue } from '../json/json-value.tsx';
import { showControls } from '../json/show-controls.ts';
import classes from './call-detail.module.css';
import type { Feedback } from './call-source.ts';
import { changeDraft, type Draft, draftOf, emptied, type FeedbackForm } from './drafts.ts';
import type { CallFeedback } from './use-feedback.ts';
import { MAX_NOTE, NOTE, THUMBS } from './feedback-kinds.ts';
import type { GivingState } from './use-giving.ts';

export interface FeedbackTabProps {
  readonly feedback: CallFeedback;
  readonly giving: GivingState;
}

/** The feedback on a call, newest last, and ways to give more: a thumb, a note, a score. */
export function FeedbackTab({ feedback, giving }: FeedbackTabProps): ReactElement {
  const { given, error, give, remove } = feedback;
  return (
    <section className={classes.part}>
      {error !== null && <p className="err">Feedback could not be read: {error.message}</p>}
      {give !== undefined && <Giving giving={giving} />}
      {given.length === 0 && error === null && <p className="faint">No feedback on this call yet.</p>}
      <ul className={classes.given}>
        {given.map((each) => (
          <Given key={each.id} feedback={each} onRemove={remove && (() => void remove(each.id))} />
        ))}
      </ul>
    </section>
  );
}

function Giving({ giving }: { readonly giving: GivingState }): ReactElement {
  const { open, setOpen, thumb, isGiven } = giving;
  const toggle = (form: FeedbackForm): void => setOpen(open === form ? undefined : form);
  const noteButton = useRef<HTMLButtonElement>(null);
  const scoreButton = useRef<HTMLButtonElement>(null);
  return (
    <div className={classes.giving}>
      <div className={classes.thumbs}>
        <IconButton
          icon="thumb-up"
          isSmall
          isGhost={false}
          label="Good"
          keys="+"
          aria-pressed={isGiven(THUMBS.good)}
          onClick={() => thumb(THUMBS.good)}
        />
        <IconButton
          icon="thumb-down"
          isSmall
          isGhost={false}
          label="Bad"
          keys="-"
          aria-pressed={isGiven(THUMBS.bad)}
          onClick={() => thumb(THUMBS.bad)}
        />
        <Button
          ref={noteButton}
          icon="plus"
          isSmall
          keyCap="c"
          aria-expanded={open === 'note'}
          onClick={() => toggle('note')}
        >
          Note
        </Button>
        <Button ref={scoreButton} icon="plus" isSmall aria-expanded={open === 'score'} onClick={() => toggle('score')}>
          Score
        </Button>
      </div>
      {open === 'note' && <NoteForm giving={giving} onLeave={() => noteButton.current?.focus()} />}
      {open === 'score' && <ScoreForm giving={giving} onLeave={() => scoreButton.current?.focus()} />}
    </div>
  );
}

interface FormProps {
  readonly giving: GivingState;
  /** It goes, and has the focus. */
  readonly onLeave: () => void;
}

interface Sending {
  readonly draft: Draft;
  readonly change: (change: Partial<Draft>) => void;
  readonly isSending: boolean;
  readonly send: (feedback: GivenFeedback) => Promise<void>;
}

/** Feedback that could not be saved stays in its form, to be sent again, also if one was elsewhere meanwhile. */
function useSending({ key, draft, give }: GivingState, form: FeedbackForm): Sending {
  const change = (next: Partial<Draft>): void => changeDraft(key, next);
  const send = async (feedback: GivenFeedback): Promise<void> => {
    change({ sending: [...draftOf(key).sending, form] });
    const isSaved = (await give?.(feedback)) === true;
    change({ sending: draftOf(key).sending.filter((each) => each !== form), ...(isSaved && emptied(form)) });
  };
  return { draft, change, isSending: draft.sending.includes(form), send };
}

/** A form opens because somebody wants to write into it, or as something is written in it: then keys go on to be commands. */
function useFocus(field: RefObject<HTMLElement | null>, isAsked: boolean): void {
  useEffect(() => {
    if (isAsked) field.current?.focus();
  }, [field]);
}

function NoteForm({ giving, onLeave }: FormProps): ReactElement {
  const form = useFocusHandedOn<HTMLFormElement>(onLeave);
  const { note: field, isAsked } = giving;
  useFocus(field, isAsked);
  const { draft, change, isSending, send } = useSending(giving, 'note');
  const note = draft.note.trim();
  const isReady = note !== '' && !isSending;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void send({ feedback_type: NOTE, payload: { note } });
  };
  return (
    <form ref={form} onSubmit={save} className={classes.noteForm}>
      <textarea
        ref={field}
        rows={2}
        maxLength={MAX_NOTE}
        aria-label="Note"
        readOnly={isSending}
        value={draft.note}
        onChange={({ target }) => change({ note: target.value })}
      />
      {/* A button that is switched off while it is used would lose the focus. */}
      <Button type="submit" isSmall aria-disabled={!isReady}>
        Save note
      </Button>
    </form>
  );
}

function ScoreForm({ giving, onLeave }: FormProps): ReactElement {
  const form = useFocusHandedOn<HTMLFormElement>(onLeave);
  const field = useRef<HTMLInputElement>(null);
  useFocus(field, giving.isAsked);
  const { draft, change, isSending, send } = useSending(giving, 'score');
  const name = draft.scoreName.trim();
  const isReady = name !== '' && draft.score.trim() !== '' && Number.isFinite(Number(draft.score)) && !isSending;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) void send({ feedback_type: name, payload: { value: Number(draft.score) } });
  };
  return (
    <form ref={form} onSubmit={save} className={classes.scoreForm}>
      <input
        aria-label="Name of the score"
        value={draft.scoreName}
        maxLength={256}
        readOnly={isSending}
        onChange={({ target }) => change({ scoreName: target.value })}
      />
      <input
        ref={field}
        aria-label="Score"
        inputMode="decimal"
        placeholder="0.8"
        value={draft.score}
        readOnly={isSending}
        onChange={({ target }) => change({ score: target.value })}
      />
      <Button type="submit" isSmall aria-disabled={!isReady}>
        Save score
      </Button>
    </form>
  );
}

/** Thumbs are drawn as on the buttons: not every system has a font for them. */
function Said({ text }: { readonly text: string }): ReactElement {
  const thumb = text === THUMBS.good ? 'up' : text === THUMBS.bad ? 'down' : undefined;
  if (thumb === undefined) return <p dir="auto">{showControls(text)}</p>;
  return (
    <p className={classes.thumb}>
      <Icon name={`thumb-${thumb}`} />
      {thumb === 'up' ? 'Good' : 'Bad'}
    </p>
  );
}

interface GivenProps {
  readonly feedback: Feedback;
  readonly onRemove: (() => void) | undefined;
}

function Given({ feedback, onRemove }: GivenProps): ReactElement {
  const { feedback_type: type, payload, created_at: at, creator, svc_user_id: user } = feedback;
  const said = textOf(payload['note']) ?? textOf(payload['emoji']);
  return (
    <li>
      <div className="grow">
        {said === undefined ? (
          <>
            <b>{showControls(type)}</b> <JsonValue value={payload} label="feedback" />
          </>
        ) : (
          <Said text={said} />
        )}
        <p className="faint" title={formatInstant(Date.parse(at))}>
          {formatTime(Date.parse(at), Date.now())}, {showControls(creator ?? user ?? 'somebody')}
        </p>
      </div>
      {onRemove !== undefined && <IconButton icon="trash" isSmall label="Remove this feedback" onClick={onRemove} />}
    </li>
  );
}
